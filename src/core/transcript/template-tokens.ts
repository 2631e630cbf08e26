// Breaks up marks by which models' chat templates separate roles. A server that runs its own model may read them in a person's words
// as the beginning of another message.

/** `<|im_start|>` and the like, also with full-width bars; Gemma's, Llama's and Mistral's. Only the first character is part of the match. */
const TOKEN =
  /<(?=[|｜][^|｜<>\s]{1,40}[|｜]>|<\/?SYS>>|\/?s>|(?:start|end)_of_turn>|[be]os>)|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])/g;

/** Puts a space into each such mark. Doing it twice changes nothing more. */
export const breakTemplateTokens = (text: string): string => text.replace(TOKEN, "$& ");
