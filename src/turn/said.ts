// What an attempt has said: the visible text of its complete passes and, below it, what the present one streams; and the details
// that are kept but not shown.
import type { Reply, StoredRound } from "./ports.ts";

/** The text so far, and what happens to it. */
export interface Said {
  /** All that the person is to read. */
  text: () => string;
  /** The same without the pass that is still open or broke off. */
  finalText: () => string;
  detailsText: () => string;
  /** The present pass has said this much. */
  stream: (soFar: string) => void;
  /** The present pass is complete, and this is what it said in details. */
  keep: (details: string) => void;
}

const joined = (pieces: string[]): string => pieces.filter((piece) => piece.trim() !== "").join("\n\n");

/** Begins with what the stored answers said. */
export function createSaid(rounds: readonly StoredRound[], reply: Pick<Reply, "show">): Said {
  const kept = rounds.map(({ text }) => text);
  const details = rounds.map((round) => round.details);
  let streaming = "";
  const text = () => joined([...kept, streaming]);
  return {
    text,
    finalText: () => joined(kept),
    detailsText: () => joined(details),
    stream(soFar) {
      streaming = soFar;
      reply.show({ text: text(), line: null });
    },
    keep(more) {
      kept.push(streaming);
      details.push(more);
      streaming = "";
    },
  };
}
