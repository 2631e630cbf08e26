// Finds the words of a request that are its person's own. The rest are quotes, or come from a turn that had read strangers' words.

import type { TurnRequest } from "../state/turn-request.ts";
import { addressesInWords } from "../taint/addresses.ts";

type Asked = Pick<TurnRequest, "text" | "quoted" | "reminder" | "taint" | "named">;

/** Returns the person's own words; empty if others chose them. */
export function ownWords({ text, quoted = "", reminder, taint }: Asked): string {
  if (reminder) return taint === undefined ? reminder.text : "";
  if (quoted === "") return text;
  // If the text does not contain the quote, the whole text is about someone's message.
  return text.includes(quoted) ? text.replace(quoted, () => "") : "";
}

/** Returns the addresses that the person gave: in their own words, and in the message that they reply to or ask about. */
export const givenAddresses = (request: Asked): string[] => [
  ...new Set([...addressesInWords(ownWords(request)), ...(request.named ?? [])]),
];
