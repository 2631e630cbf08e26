// What single providers want or do differently, by the address and the name of the model. Everything that can be seen in an answer is
// read without this list; it holds only what must be known before.
import { hostOf } from "./endpoint.ts";
import type { UsageHabits } from "./usage.ts";

/** How requests to one model differ from requests to OpenAI. */
export interface Quirks extends UsageHabits {
  /** It knows `prompt_cache_key`; others may refuse an unknown field. */
  cacheKey?: boolean;
  /** It caches only what is marked (Anthropic's models by OpenRouter). */
  cacheMarks?: boolean;
  /** It knows only the older field for the length of an answer. */
  maxTokens?: boolean;
  /** It gives the usage unasked, and refuses the field that asks for it. */
  ownUsage?: boolean;
  /** It refuses an assistant's message without reasoning, or one with calls: what is sent there when none came. */
  reasoning?: { onEach: boolean; filler: string };
  /** It refuses the fields with which its own reasoning would go back. */
  noReasoning?: boolean;
  /** The ids of calls that it accepts. */
  callId?: RegExp;
  /** It refuses two messages of one speaker in a row, and a person's message right after a tool's result. */
  turns?: boolean;
  /** It takes no tools. */
  plainTalk?: boolean;
  /** It refuses an answer without a text, even one with calls. */
  noNull?: boolean;
  /** It refuses the choice of no tool. */
  noChoice?: boolean;
  /** It knows only a part of JSON Schema. */
  simpleSchemas?: boolean;
  /** It refuses a conversation with calls where no tool is offered. */
  callsNeedTools?: boolean;
}

const DEEPSEEK = { onEach: true, filler: "" };
/** Kimi takes an empty text for a missing one. */
const KIMI = { onEach: false, filler: " " };

/** The templates of Mistral's models refuse any other id, too, wherever they run. */
const MISTRAL = { callId: /^[a-zA-Z0-9]{9}$/ };

const ANY = /./;
/** Gateways and hosts that refuse `reasoning_content`, or add it themselves. */
const OWN_WAY = /(?:^|\.)(?:openrouter\.ai|groq\.com)$/;

const TABLE: readonly { host?: RegExp; notHost?: RegExp; model?: RegExp; quirks: Quirks }[] = [
  { host: /(?:^|\.)openai\.com$/, quirks: { cacheKey: true } },
  { host: /(?:^|\.)(?:openai\.com|openai\.azure\.com)$/, quirks: { callId: /^.{1,40}$/s } },
  {
    host: /(?:^|\.)mistral\.ai$/,
    quirks: { cacheKey: true, maxTokens: true, ownUsage: true, ...MISTRAL },
  },
  { model: /[sx]tral/i, quirks: { turns: true, ...MISTRAL } },
  { model: /gemma/i, quirks: { turns: true } },
  { host: /(?:^|\.)moonshot\.(?:ai|cn)$/, quirks: { cacheKey: true, maxTokens: true, reasoning: KIMI } },
  { host: /(?:^|\.)deepseek\.com$/, quirks: { maxTokens: true, reasoning: DEEPSEEK } },
  { notHost: OWN_WAY, model: /(?:^|\/)deepseek-(?:v[4-9]|reasoner)/i, quirks: { reasoning: DEEPSEEK } },
  { notHost: OWN_WAY, model: /(?:^|\/)kimi-k(?:2\.|2-thinking|[3-9])/i, quirks: { reasoning: KIMI } },
  { host: /(?:^|\.)(?:together\.(?:xyz|ai)|fireworks\.ai)$/, quirks: { maxTokens: true } },
  { host: /(?:^|\.)openrouter\.ai$/, model: /^anthropic\//, quirks: { cacheMarks: true } },
  { host: /(?:^|\.)perplexity\.ai$/, quirks: { plainTalk: true, turns: true, maxTokens: true } },
  { model: /(?:^|\/)grok-/i, quirks: { cachedMayBeApart: true } },
  { model: /(?:^|\/)gemini-/i, quirks: { reasoningIsApart: true } },
];

/** The quirks of a model at an address; empty for one that is not known. */
export function findQuirks(baseUrl: string, model: string): Quirks {
  const host = hostOf(baseUrl);
  const rows = TABLE.filter(
    (row) => (row.host ?? ANY).test(host || "-") && !row.notHost?.test(host) && (row.model ?? ANY).test(model),
  );
  return Object.assign({}, ...rows.map(({ quirks }) => quirks)) as Quirks;
}

/** Workers AI by HTTP and gateways before it, Ollama, LM Studio, gateways to Anthropic. */
const WANTS_TEXT = /'null' not in|content type: <nil>|'content' field must be|content is required/i;
const REASONING = /\breasoning(?:_content|_details|_text)?\b/;
const NOT_TAKEN = /not (?:supported|permitted)|unsupported/i;

/**
 * The quirks with what a refusal in these words teaches: a field or a schema that this server does not take, an order of speakers that the
 * model's chat template refuses, or what Bedrock does. Null where it names nothing that we can do without, or did without already.
 */
export function learnQuirk(known: Quirks, words: string): Quirks | null {
  if (!known.ownUsage && /\bstream_options\b/.test(words)) return { ...known, ownUsage: true };
  if (!known.maxTokens && /\bmax_completion_tokens\b/.test(words)) return { ...known, maxTokens: true };
  if (!known.noChoice && /\btool_choice\b/.test(words)) return { ...known, noChoice: true };
  if (!known.simpleSchemas && /function_declarations/.test(words)) return { ...known, simpleSchemas: true };
  if (!known.callsNeedTools && /toolConfig|must define tools|`tools=`/.test(words))
    return { ...known, callsNeedTools: true };
  if (!known.noReasoning && REASONING.test(words) && NOT_TAKEN.test(words)) return { ...known, noReasoning: true };
  if (!known.noNull && WANTS_TEXT.test(words)) return { ...known, noNull: true };
  if (!known.turns && /roles must alternate/i.test(words)) return { ...known, turns: true };
  return null;
}
