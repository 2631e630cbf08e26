// How a test recognizes the request for a summary, and a summarizer that keeps the facts that it is given.
import type { ModelRequest } from "../../src/turn/ports.ts";

/** Whether this is the request for a summary. */
export const isForSummary = ({ system }: ModelRequest): boolean => system.startsWith("You keep the notes");

/** Whether this is the request of a turn. */
export const isForTurn = (request: ModelRequest): boolean => !isForSummary(request);

/** All texts of a request. */
export const textOf = ({ messages }: ModelRequest): string => messages.map(({ text }) => text).join("\n");

/** Makes a summary that keeps every fact (`FACT` and a word) in the request. */
export function carriesFacts(request: ModelRequest): string {
  const facts = new Set(textOf(request).match(/FACT \w+/g));
  return `About: the harbour.\nExact: ${[...facts].join(", ")}.`;
}
