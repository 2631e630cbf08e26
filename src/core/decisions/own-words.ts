// Which words of a turn's request are its person's own. The rest are quotes, or come from a turn that had read words of strangers.

import type { TurnRequest } from "../state/turn-request.ts";
import { addressesInWords } from "../taint/addresses.ts";

type Asked = Pick<TurnRequest, "text" | "quoted" | "reminder" | "taint" | "named">;

/** The person's own words; empty where others chose them. */
export function ownWords({ text, quoted = "", reminder, taint }: Asked): string {
  if (reminder) return taint === undefined ? reminder.text : "";
  if (quoted === "") return text;
  // Where the quote is no part of the text, the whole text is about a message of someone.
  return text.includes(quoted) ? text.replace(quoted, () => "") : "";
}

/** The addresses that the person gave: in their own words, and with the message that they reply to or ask about. */
export const givenAddresses = (request: Asked): string[] => [
  ...new Set([...addressesInWords(ownWords(request)), ...(request.named ?? [])]),
];
