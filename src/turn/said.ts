// What a model has said: the visible text of its complete steps and, below it, what the current one streams; and the
// details that are kept but not shown.
import { withClosedFence } from "../core/markdown/fences.ts";
import type { Reply, StoredRound } from "./ports.ts";

/** The text so far, and how it grows. */
export interface Said {
  /** All text for the person. */
  text: () => string;
  /** The text without the step that is still open or was cut off. */
  finalText: () => string;
  detailsText: () => string;
  /** Sets the text of the current step so far, and shows it. The text is empty or has words in it. */
  stream: (soFar: string) => void;
  /** Completes the current step, with its details. */
  keep: (details: string) => void;
}

const joined = (pieces: string[]): string => pieces.filter((piece) => piece.trim() !== "").join("\n\n");

/** Starts with the text of the stored answers. */
export function createSaid(rounds: readonly StoredRound[], reply: Pick<Reply, "show">): Said {
  const details = rounds.map((round) => round.details);
  let before = joined(rounds.map(({ text }) => text));
  // The text before another step's words: open code in it is closed, so that the new words don't become a part of it. Stored steps are
  // closed already. Words of an older program stay as they are, because the end stores only what follows them.
  let closed = before;
  let streaming = "";
  const text = () => (streaming === "" ? before : joined([closed, streaming]));
  return {
    text,
    finalText: () => before,
    detailsText: () => joined(details),
    stream(soFar) {
      streaming = soFar;
      // Called for each piece: the engine appends without copying, as long as no one reads the result.
      const gap = closed === "" ? "" : "\n\n";
      reply.show({ text: soFar === "" ? before : closed + gap + soFar, line: null });
    },
    keep(more) {
      before = text();
      closed = withClosedFence(before);
      details.push(more);
      streaming = "";
    },
  };
}
