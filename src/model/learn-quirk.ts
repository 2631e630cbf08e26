// What a server's refusal teaches about it, by its words. Loaded when a server refuses a request.
import { decideReason } from "./failure-reason.ts";
import type { ProviderFacts } from "./provider-error.ts";
import type { Quirks } from "./quirks.ts";

/**
 * The statuses with which servers refuse a field that they don't know, or pictures (OpenRouter: 404), or, as if it were their own fault, an
 * order of speakers (llama.cpp).
 */
const TEACHES: ReadonlySet<number> = new Set([400, 404, 422, 500]);

/** Workers AI by HTTP and gateways before it, Ollama, LM Studio, gateways to Anthropic. */
const WANTS_TEXT = /'null' not in|content type: <nil>|'content' field must be|content is required/i;
const REASONING = /\breasoning(?:_content|_details|_text)?\b/;
const NOT_TAKEN = /not (?:supported|permitted)|unsupported/i;
/** Google, for Gemma; older templates of it and of Mistral; OpenAI's o1-mini. */
const NO_SYSTEM = /developer instruction is not|system role not supported|not support 'system'/i;
/** Ollama; LM Studio; OpenAI and DashScope; Groq; Gemini: they take no address, or could not read what is there. */
const FETCHES_NOTHING =
  /invalid image input|base64[ -]encoded|\bdownload|retrieve media|fetch(?:ing)? (?:image|content)/i;
/** DeepSeek; OpenAI and Azure; xAI, Mistral and llama.cpp; OpenRouter, Ollama and LM Studio; vLLM; Groq. */
const BLIND =
  /variant .?image_url|image_url\W* is (?:only|not)|image inputs? (?:is|are) not|support images?\b|for image input|a multimodal model|at most 0 image|content\W* must be a string/i;

/**
 * The quirks with what a refusal teaches by its words: tools, a field or a schema that this server does not take, an order of speakers that the
 * model's chat template refuses, a picture where the request has one, or what Bedrock does. Null where it names nothing that we can do
 * without, or did without already.
 */
export function learnQuirk(known: Quirks, facts: ProviderFacts, hasPictures: boolean): Quirks | null {
  const { status = 0, words } = facts;
  if (!known.noTools && decideReason(facts) === "no_tools") return { ...known, noTools: true };
  if (!TEACHES.has(status)) return null;
  if (!known.noStream && /verified to stream/i.test(words)) return { ...known, noStream: true };
  if (!known.ownUsage && /\bstream_options\b/.test(words)) return { ...known, ownUsage: true };
  if (!known.maxTokens && /\bmax_completion_tokens\b/.test(words)) return { ...known, maxTokens: true };
  if (!known.noChoice && /\btool_choice\b/.test(words)) return { ...known, noChoice: true };
  if (!known.simpleSchemas && /function_declarations/.test(words)) return { ...known, simpleSchemas: true };
  if (!known.callsNeedTools && /toolConfig|must define tools|`tools=`/.test(words))
    return { ...known, callsNeedTools: true };
  if (!known.noReasoning && REASONING.test(words) && NOT_TAKEN.test(words)) return { ...known, noReasoning: true };
  if (!known.noNull && WANTS_TEXT.test(words)) return { ...known, noNull: true };
  if (!known.turns && /roles must alternate/i.test(words)) return { ...known, turns: true };
  // Its words are a person's then, before those of another.
  if (!known.noSystem && NO_SYSTEM.test(words)) return { ...known, noSystem: true, turns: true };
  if (!hasPictures) return null;
  if (!known.isInline && FETCHES_NOTHING.test(words)) return { ...known, isInline: true };
  if (!known.isBlind && BLIND.test(words)) return { ...known, isBlind: true };
  return null;
}
