// Marks by which models' chat templates separate roles. A server that runs a model by itself may read them in a person's words
// as the beginning of another message, so they are broken there.

/** `<|im_start|>` and its like, also with full-width bars; Gemma's, Llama's and Mistral's. What follows the first sign is looked at only. */
const TOKEN =
  /<(?=[|｜][^|｜<>\s]{1,40}[|｜]>|<\/?SYS>>|\/?s>|(?:start|end)_of_turn>|[be]os>)|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])/g;

/** The text with a space inside each such mark. Doing it twice changes nothing more. */
export const breakTemplateTokens = (text: string): string => text.replace(TOKEN, "$& ");
