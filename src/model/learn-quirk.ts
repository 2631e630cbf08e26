// Learns from the words of a server's refusal. Loaded when a server refuses a request.
import { decideReason } from "./failure-reason.ts";
import type { ProviderFacts } from "./provider-error.ts";
import type { Quirks } from "./quirks.ts";

/**
 * The statuses with which servers refuse a field that they don't know, or pictures (OpenRouter: 404) or, as if it were their own fault, an order
 * of speakers (llama.cpp).
 */
const TEACHES: ReadonlySet<number> = new Set([400, 404, 422, 500]);

/** What is learned from a refusal, and what that refusal says. All of the expressions must match. */
type Lesson = readonly [learned: Quirks, ...says: RegExp[]];

/** The first lesson that is new counts. */
const LESSONS: readonly Lesson[] = [
  // OpenAI, from GPT-5.6 on.
  [{ noToolEffort: true }, /tools with reasoning_effort/],
  // OpenAI, if the organization is not verified.
  [{ noStream: true }, /verified to stream/],
  [{ ownUsage: true }, /\bstream_options\b/],
  [{ maxTokens: true }, /\bmax_completion_tokens\b/],
  [{ noChoice: true }, /\btool_choice\b/],
  // Gemini; OpenAI; Groq, Bedrock, llama.cpp, Moonshot and Fireworks; Anthropic; llama.cpp.
  [{ simpleSchemas: true }, /function_declarations|invalid schema for|json schema|input_?schema|parse grammar/i],
  // Bedrock.
  [{ callsNeedTools: true }, /toolConfig|must define tools|`tools=`/],
  // DeepSeek, Kimi and Xiaomi's MiMo under names that their hosts chose, for calls of another model.
  [{ reasoning: { onEach: true, filler: " " } }, /\breasoning_content\b.* (?:passed back|missing)/],
  [{ noReasoning: true }, /\breasoning(?:_content|_details|_text)?\b/, /not (?:supported|permitted)|unsupported/i],
  // The template of gpt-oss, for an answer with text before its calls.
  [{ noReasoning: true }, /both content and thinking/],
  // Workers AI by HTTP and gateways to it, Ollama, LM Studio, gateways to Anthropic; Mistral's own server.
  [
    { noNull: true },
    /'null' not in|content type: <nil>|'content' field must be|content is required|should be a valid string/i,
  ],
  // Anthropic and Bedrock, after calls of a model with other ids, such as Kimi.
  [{ callId: /^[\w-]{1,64}$/ }, /tool_?use[._]?id\b/i, /pattern/],
  // Mistral's models under another name.
  [{ callId: /^[a-zA-Z0-9]{9}$/ }, /length of 9/],
  [{ signs: true }, /missing a \W?thought_signature/],
  [{ turns: true }, /roles must alternate|unexpected role 'user' after/i],
  // Google, for Gemma; templates of Gemma and of Mistral, including older ones; OpenAI's o1-mini. The prompt then becomes a user message, before
  // those of people.
  [
    { noSystem: true, turns: true },
    /developer instruction is not|system role not supported|roles are supported|not support 'system'/i,
  ],
];
/** The lessons for a request with a picture. */
const PICTURE_LESSONS: readonly Lesson[] = [
  // Ollama; LM Studio; OpenAI and DashScope; Groq; Gemini; Kimi; Mistral; Anthropic: they accept no address, or could not read what is there.
  [
    { isInline: true },
    /invalid image input|base64[ -]encoded|\bdownload|retrieve media|fetch(?:ing)? (?:image|content)|unsupported image url|not be (?:fetched|loaded)|robots\.txt/i,
  ],
  // DeepSeek; OpenAI and Azure; xAI, Mistral and llama.cpp; OpenRouter, Ollama and LM Studio; vLLM; Groq; Workers AI, whose words
  // (anomalyco/opencode#30381) list every form that its schema has, so it counts if one of these forms accepts no lists.
  [
    { isBlind: true },
    /variant .?image_url|image_url\W* is (?:only|not)|image inputs? (?:is|are) not|support images?\b|for image input|a multimodal model|at most 0 image|content\W* must be a string|content', 'array' not in 'string'/i,
  ],
  // Anthropic; OpenAI; Gemini; vLLM: they can't read this particular picture.
  [
    { isUnread: true },
    /(?:process|identify|unsupported|invalid)[_ ](?:input )?image|image (?:dimensions|exceeds|does not match)/i,
  ],
];

/**
 * Returns the quirks with what a refusal teaches: that this server does not accept tools, a field, a schema, a stream or a picture, or that the
 * model's chat template refuses an order of speakers. Null if the refusal names nothing that we can leave out, or something that we already left
 * out.
 */
export function learnQuirk(known: Quirks, facts: ProviderFacts, hasPictures: boolean): Quirks | null {
  // An error in place of an answer has no status (LM Studio).
  const { status = 400, words } = facts;
  // OpenAI's models that can't do without thinking (GPT-6.1 Sol) accept no tools at all here.
  const isInVain = known.noToolEffort && /reasoning_effort/.test(words);
  if (!known.noTools && (isInVain || decideReason(facts) === "no_tools")) return { ...known, noTools: true };
  if (!TEACHES.has(status)) return null;
  const lessons = hasPictures ? [...LESSONS, ...PICTURE_LESSONS] : LESSONS;
  const isNew = (learned: Quirks) => Object.keys(learned).some((name) => !known[name as keyof Quirks]);
  const lesson = lessons.find(([learned, ...says]) => isNew(learned) && says.every((one) => one.test(words)));
  return lesson ? { ...known, ...lesson[0] } : null;
}
