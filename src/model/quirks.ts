// What individual providers require or do differently, by the address and the name of the model. Whatever can be seen in an answer is
// read without this list; it contains only what must be known before.
import { hostOf } from "./endpoint.ts";
import type { UsageHabits } from "./usage.ts";

/** How requests to one model differ from requests to OpenAI. */
export interface Quirks extends UsageHabits {
  /** It knows `prompt_cache_key`; others may refuse an unknown field. */
  cacheKey?: boolean;
  /** It caches only what is marked (Anthropic's models through OpenRouter). */
  cacheMarks?: boolean;
  /** It knows only the older field for the length of an answer. */
  maxTokens?: boolean;
  /** It sends the usage without being asked, and refuses the field that asks for it. */
  ownUsage?: boolean;
  /** It thinks only if no tool is offered: OpenAI's models from GPT-5.6 on. */
  noToolEffort?: boolean;
  /** It refuses to stream: OpenAI, for some models if the organization is not verified. */
  noStream?: boolean;
  /** It refuses an assistant's message without reasoning, or only one with calls. `filler`: what is sent there when no reasoning came. */
  reasoning?: { onEach: boolean; filler: string };
  /** It refuses the fields in which its own reasoning would be sent back. */
  noReasoning?: boolean;
  /** The ids of calls that it accepts. */
  callId?: RegExp;
  /** It refuses two messages of one speaker in a row, and a user message right after a tool result. */
  turns?: boolean;
  /** It accepts neither tools nor text about them. */
  plainTalk?: boolean;
  /** It accepts no tools, but it can read about them and write calls as text. */
  noTools?: boolean;
  /** It refuses a system prompt. */
  noSystem?: boolean;
  /** It refuses an answer without text, even one with calls. */
  noNull?: boolean;
  /** It refuses the choice of no tool. */
  noChoice?: boolean;
  /** It knows only a part of JSON Schema. */
  simpleSchemas?: boolean;
  /** It refuses a conversation with calls if no tool is offered. */
  callsNeedTools?: boolean;
  /** It refuses calls without one of its own signatures: those of another model, or those that it has not signed itself (Gemini). */
  signs?: boolean;
  /** It can't fetch pictures: we read them and send their bytes. */
  isInline?: boolean;
  /** It accepts no pictures. */
  isBlind?: boolean;
  /** It can't read a picture of this request. */
  isUnread?: boolean;
}

/** DeepSeek requires the field in each of its answers. */
const DEEPSEEK = { onEach: true, filler: "" };
/** Kimi treats an empty text as missing. */
const KIMI = { onEach: false, filler: " " };

/** The templates of Mistral's models refuse any other id, wherever they run. */
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

/** Returns the quirks of a model at an address; empty if it is unknown. */
export function findQuirks(baseUrl: string, model: string): Quirks {
  const host = hostOf(baseUrl);
  const rows = TABLE.filter(
    (row) => (row.host ?? ANY).test(host || "-") && !row.notHost?.test(host) && (row.model ?? ANY).test(model),
  );
  return Object.assign({}, ...rows.map(({ quirks }) => quirks)) as Quirks;
}
