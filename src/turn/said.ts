// The visible text of a turn: what its earlier passes said and, below it, what the present one streams.
import type { Reply, TurnStore } from "./ports.ts";

/** The text so far, and the two things that happen to it. */
export interface Said {
  text: () => string;
  /** The present pass has said this much. */
  stream: (soFar: string) => void;
  /** The present pass is complete. */
  keep: () => void;
}

/** Begins with what the stored answers of the turn said. */
export function createSaid(store: Pick<TurnStore, "saidSoFar">, reply: Pick<Reply, "show">): Said {
  const kept = store.saidSoFar();
  let streaming = "";
  const text = () => [...kept, streaming].filter((piece) => piece.trim() !== "").join("\n\n");
  return {
    text,
    stream(soFar) {
      streaming = soFar;
      reply.show({ text: text(), line: null });
    },
    keep() {
      kept.push(streaming);
      streaming = "";
    },
  };
}
