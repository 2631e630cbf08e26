// Shows a model the handles and times of messages once a tool has revealed them: a line below each message, and a line at the end that
// explains them. The text stays the same for the whole turn, so that a provider's prompt cache works.

/** The metadata of one message; times in epoch milliseconds. `about`: Discord's id of the message that it replies to or asks about. */
export interface MessageMetadata {
  handle: string;
  sentAt: number;
  about?: string;
}

/** Returns the handle of a stored message: its number in the channel, which is the same in every turn. */
export const messageHandle = (seq: number): string => `ref_${seq}`;

/** Adds to a text its handle, when it was sent, and how long that was before `now`, the time of the turn's own question. */
export function withMetadata(text: string, { handle, sentAt, about }: MessageMetadata, now: number): string {
  const absolute = `${new Date(sentAt).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const other = about === undefined ? "" : `, about message ${about}`;
  const line = `[${handle}, sent ${absolute}, ${before(now - sentAt)}${other}]`;
  return text === "" ? line : `${text}\n${line}`;
}

/** The last message of a conversation whose handles were revealed. */
export const HANDLES_EXPLAINED =
  "Each message above now ends with its handle and the time it was sent. Use a handle (ref_…) wherever a tool asks for a message, or the number after `about message` for the message that a question replies to or quotes; never show either to people, and do not ask for them again.";

const UNITS = [
  { name: "day", ms: 86_400_000 },
  { name: "hour", ms: 3_600_000 },
  { name: "minute", ms: 60_000 },
];

function before(ms: number): string {
  const unit = UNITS.find((one) => ms >= one.ms);
  if (!unit) return "just now";
  const count = Math.floor(ms / unit.ms);
  return `${count} ${unit.name}${count === 1 ? "" : "s"} ago`;
}
