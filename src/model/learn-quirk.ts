// What a server's refusal teaches about it, by its words. Loaded when a server refuses a request.
import { decideReason } from "./failure-reason.ts";
import type { ProviderFacts } from "./provider-error.ts";
import type { Quirks } from "./quirks.ts";

/**
 * The statuses with which servers refuse a field that they don't know, or pictures (OpenRouter: 404), or, as if it were their own fault, an
 * order of speakers (llama.cpp).
 */
const TEACHES: ReadonlySet<number> = new Set([400, 404, 422, 500]);

/** What a refusal says, and what is learned from it. All of the expressions must match. */
type Lesson = readonly [learned: Quirks, ...says: RegExp[]];

/** The first lesson that is new counts. */
const LESSONS: readonly Lesson[] = [
  // OpenAI, from GPT-5.6 on.
  [{ noToolEffort: true }, /tools with reasoning_effort/],
  // OpenAI, where the organization is not verified.
  [{ noStream: true }, /verified to stream/],
  [{ ownUsage: true }, /\bstream_options\b/],
  [{ maxTokens: true }, /\bmax_completion_tokens\b/],
  [{ noChoice: true }, /\btool_choice\b/],
  // Gemini; OpenAI; Groq, Bedrock, llama.cpp, Moonshot and Fireworks; Anthropic; llama.cpp.
  [{ simpleSchemas: true }, /function_declarations|invalid schema for|json schema|input_?schema|parse grammar/i],
  // Bedrock.
  [{ callsNeedTools: true }, /toolConfig|must define tools|`tools=`/],
  // DeepSeek, Kimi and Xiaomi's MiMo under names of their hosts' own, for calls of another model.
  [{ reasoning: { onEach: true, filler: " " } }, /\breasoning_content\b.* (?:passed back|missing)/],
  [{ noReasoning: true }, /\breasoning(?:_content|_details|_text)?\b/, /not (?:supported|permitted)|unsupported/i],
  // The template of gpt-oss, for an answer that said something before its calls.
  [{ noReasoning: true }, /both content and thinking/],
  // Workers AI by HTTP and gateways before it, Ollama, LM Studio, gateways to Anthropic; Mistral's own server.
  [
    { noNull: true },
    /'null' not in|content type: <nil>|'content' field must be|content is required|should be a valid string/i,
  ],
  // Anthropic and Bedrock, after calls of a model that names them otherwise, such as Kimi.
  [{ callId: /^[\w-]{1,64}$/ }, /tool_?use[._]?id\b/i, /pattern/],
  // Mistral's models under another name.
  [{ callId: /^[a-zA-Z0-9]{9}$/ }, /length of 9/],
  [{ signs: true }, /missing a \W?thought_signature/],
  [{ turns: true }, /roles must alternate|unexpected role 'user' after/i],
  // Google, for Gemma; templates of it and of Mistral, older ones too; OpenAI's o1-mini. The prompt becomes a person's words then, before those of another.
  [
    { noSystem: true, turns: true },
    /developer instruction is not|system role not supported|roles are supported|not support 'system'/i,
  ],
];
/** The lessons for a request with a picture. */
const PICTURE_LESSONS: readonly Lesson[] = [
  // Ollama; LM Studio; OpenAI and DashScope; Groq; Gemini; Kimi; Mistral; Anthropic: they take no address, or could not read what is there.
  [
    { isInline: true },
    /invalid image input|base64[ -]encoded|\bdownload|retrieve media|fetch(?:ing)? (?:image|content)|unsupported image url|not be (?:fetched|loaded)|robots\.txt/i,
  ],
  // DeepSeek; OpenAI and Azure; xAI, Mistral and llama.cpp; OpenRouter, Ollama and LM Studio; vLLM; Groq; Workers AI, whose
  // words (anomalyco/opencode#30381) are of every form its schema has, so that a form without lists is one of them.
  [
    { isBlind: true },
    /variant .?image_url|image_url\W* is (?:only|not)|image inputs? (?:is|are) not|support images?\b|for image input|a multimodal model|at most 0 image|content\W* must be a string|content', 'array' not in 'string'/i,
  ],
  // Anthropic; OpenAI; Gemini; vLLM: it is this picture that they can't read.
  [
    { isUnread: true },
    /(?:process|identify|unsupported|invalid)[_ ](?:input )?image|image (?:dimensions|exceeds|does not match)/i,
  ],
];

/**
 * The quirks with what a refusal teaches: tools, a field or a schema that this server does not take, a stream, an order of speakers that the model's
 * chat template refuses, a picture. Null where it names nothing that we can do without, or did without already.
 */
export function learnQuirk(known: Quirks, facts: ProviderFacts, hasPictures: boolean): Quirks | null {
  // An error in the place of an answer has none (LM Studio).
  const { status = 400, words } = facts;
  // OpenAI's models that can't but think (GPT-6.1 Sol): they take no tools at all here.
  const isInVain = known.noToolEffort && /reasoning_effort/.test(words);
  if (!known.noTools && (isInVain || decideReason(facts) === "no_tools")) return { ...known, noTools: true };
  if (!TEACHES.has(status)) return null;
  const lessons = hasPictures ? [...LESSONS, ...PICTURE_LESSONS] : LESSONS;
  const isNew = (learned: Quirks) => Object.keys(learned).some((name) => !known[name as keyof Quirks]);
  const lesson = lessons.find(([learned, ...says]) => isNew(learned) && says.every((one) => one.test(words)));
  return lesson ? { ...known, ...lesson[0] } : null;
}
