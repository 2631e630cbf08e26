// Mentions in words how many pictures a model does not get, so that it knows that they exist.
import type { Message } from "../core/transcript/transcript.ts";

type PersonMessage = Extract<Message, { role: "user" }>;

/** Returns the message with the pictures that are known by their addresses; the others are counted in its text. */
export function withPictures(message: PersonMessage, pictures: ReadonlyMap<string, string | null>): PersonMessage {
  if (!message.images) return message;
  const { images, ...rest } = message;
  const found = images.flatMap((url) => pictures.get(url) ?? []);
  const missing = images.length - found.length;
  const text =
    missing === 0
      ? rest.text
      : [rest.text, `[you can't see ${missing} of the pictures]`].filter((part) => part !== "").join("\n\n");
  return { ...rest, text, ...(found.length > 0 && { images: found }) };
}
