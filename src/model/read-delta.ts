// Reads what one chunk says: its text, its reasoning and whether it is the last, in every format that servers use. Pure.
import { type Fields, readFields, readList, readText } from "./json-fields.ts";

/** `field`: where the reasoning was. It is sent back in the same place; `thinking` is a part of the content (Mistral). */
export interface Said {
  text: string;
  reasoning: string;
  field: string | null;
}

/** OpenAI's API has no field for reasoning; compatible servers use one of these. */
const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_text"];

/** Returns the choice of a chunk, or of a whole answer; null if there is none. Only one answer is requested. */
export function firstChoice({ choices }: Fields): Fields | null {
  if (!Array.isArray(choices)) return null;
  return choices.map(readFields).find((choice) => choice && (choice.index ?? 0) === 0) ?? null;
}

/**
 * Returns why a choice's answer ended, in the server's own word; null while it continues. A gateway (OpenRouter) names the cause of an error in a
 * separate field.
 */
export const readFinishReason = ({ finish_reason: reason, native_finish_reason: cause }: Fields): string | null =>
  readText(reason === "error" && cause ? `error ${cause}` : reason);

/** Reads a delta, or the message of a whole answer; null if its content has an unknown format. */
export function readSaid(delta: Fields): Said | null {
  const content = readContent(delta.content);
  if (!content) return null;
  const text = content.text + (readText(delta.refusal) ?? "");
  if (content.thinking !== "") return { text, reasoning: content.thinking, field: "thinking" };
  for (const field of REASONING_FIELDS) {
    const reasoning = readText(delta[field]);
    if (reasoning !== null) return { text, reasoning, field };
  }
  return { text, reasoning: readDetails(delta.reasoning_details), field: null };
}

/**
 * Reads a text, or a list of texts and parts; a part is text, thinking, or something that can't be shown as text. A text that is a number may
 * arrive as a number (Workers AI: 9router#1645).
 */
function readContent(content: unknown): { text: string; thinking: string } | null {
  const said = { text: "", thinking: "" };
  if (content === undefined || content === null) return said;
  if (typeof content !== "object") return { ...said, text: String(content) };
  if (!Array.isArray(content)) return null;
  for (const one of content) {
    const part: Fields = typeof one === "string" ? { text: one } : (readFields(one) ?? {});
    if ("thinking" in part) said.thinking += readThinking(part.thinking);
    else if (part.type === "reasoning") said.thinking += readText(part.text) ?? "";
    else said.text += readText(part.text) ?? readText(part.refusal) ?? "";
  }
  return said;
}

/** Reads the thinking of a part, which is a list of text parts or a text. */
const readThinking = (thinking: unknown): string =>
  readList(thinking)
    .map((one) => readText(one) ?? readText(readFields(one)?.text) ?? "")
    .join("");

/** Reads reasoning from its details. OpenRouter also sends it as text; others that copied this field do not. */
const readDetails = (details: unknown): string =>
  readList(details)
    .map((detail) => readText(readFields(detail)?.text) ?? readText(readFields(detail)?.summary) ?? "")
    .join("");

/** Returns the addresses of a delta's pictures; most are data. */
export function readImages(delta: Fields): string[] {
  const parts = [...readList(delta.images), ...(Array.isArray(delta.content) ? delta.content : [])];
  return parts.flatMap((part) => {
    const image = readFields(part)?.image_url;
    return readText(readFields(image)?.url) ?? readText(image) ?? [];
  });
}
