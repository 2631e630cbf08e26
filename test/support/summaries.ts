// How a test knows the request for a summary, and a summariser that carries over what it is told to keep.
import type { ModelRequest } from "../../src/turn/ports.ts";

/** Is this the request for a summary? */
export const isForSummary = ({ system }: ModelRequest): boolean => system.startsWith("You keep the notes");

/** Is this the request of a turn? */
export const isForTurn = (request: ModelRequest): boolean => !isForSummary(request);

/** All texts of a request. */
export const textOf = ({ messages }: ModelRequest): string => messages.map(({ text }) => text).join("\n");

/** A summary that keeps every fact (`FACT` and a word) that the request has. */
export function carriesFacts(request: ModelRequest): string {
  const facts = new Set(textOf(request).match(/FACT \w+/g));
  return `About: the harbour.\nExact: ${[...facts].join(", ")}.`;
}
