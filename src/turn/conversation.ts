// What a turn's requests are made of, as its store tells it.
import type { Message, NumberOf } from "../core/transcript/transcript.ts";

/** The messages of earlier turns and of the turn itself, and what was said before them all. */
export interface Conversation {
  earlier: Message[];
  current: Message[];
  /** Lets the window begin at the same message for many turns. */
  numberOf?: NumberOf;
  /** Missing or empty: nothing is summarised. */
  summary?: string;
  /** Some of the summarised turns had read words of strangers. */
  isSummaryTainted?: boolean;
}
