// Collects what a model has said: the visible text of its complete steps, followed by what the current step streams, and the details that
// are kept but not shown.
import { withClosedFence } from "../core/markdown/fences.ts";
import type { Reply, StoredRound } from "./ports.ts";

/** The text so far, and the ways to add to it. */
export interface Said {
  /** All text for the person. */
  text: () => string;
  /** Returns the text without the step that is still open or was cut off. */
  finalText: () => string;
  detailsText: () => string;
  /** Sets the text of the current step so far, and shows it. The text is either empty or has words in it. */
  stream: (soFar: string) => void;
  /** Completes the current step and adds its details. */
  keep: (details: string) => void;
}

const joined = (pieces: string[]): string => pieces.filter((piece) => piece.trim() !== "").join("\n\n");

/** Starts with the text of the stored answers. */
export function createSaid(rounds: readonly StoredRound[], reply: Pick<Reply, "show">): Said {
  const details = rounds.map((round) => round.details);
  let before = joined(rounds.map(({ text }) => text));
  // The text as it precedes another step's words. An open code block in it is closed, so that the new words don't become part of it. Stored
  // steps are closed already. Text that an older program stored stays as it is, because the end of the turn stores only what follows it.
  let closed = before;
  let streaming = "";
  const text = () => (streaming === "" ? before : joined([closed, streaming]));
  return {
    text,
    finalText: () => before,
    detailsText: () => joined(details),
    stream(soFar) {
      streaming = soFar;
      // Called for each piece: the engine appends without copying as long as nobody reads the result.
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
