// What the model of a measurement is told to do, and what it reports afterwards: the messages between its process and the benchmark.

/** What it answers until it gets another plan. */
export type Plan =
  /** Calls the tool this many times in a row, one call in each answer, and then says "Done.". */
  | { kind: "calls"; calls: number; tool: string }
  /** Streams this many pieces of an answer, one every `everyMs`. */
  | { kind: "pieces"; pieces: number; everyMs: number }
  /** Says a first word, and nothing after it until the client leaves. */
  | { kind: "silence" }
  /** Repeats the words after "say:" in the newest message, in three pieces. */
  | { kind: "echo" };

/** One request, in milliseconds of the machine's clock. */
export interface Asked {
  /** When the whole request had arrived. */
  at: number;
  /** When the first piece of text left. */
  saidAt: number;
}

/** The last piece of a long answer. */
const LAST_PIECE = "The end.";

/** One piece of it. Every tenth ends a line. */
export const pieceOf = (index: number, pieces: number): string =>
  index === pieces - 1 ? LAST_PIECE : index % 10 === 9 ? "line\n" : "word ";

/** Whether this edit ends such an answer. A long one is attached as a file. */
export const endsAnswer = (text: string): boolean => text.includes(LAST_PIECE) || text.includes("in the attached file");
