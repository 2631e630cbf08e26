// What is stored of a call that waits for a person, or waited.

/** A call that a turn is, or was, parked for. Times are epoch milliseconds. */
export interface ApprovalRequest extends AskedCall {
  /** For the program before this one. */
  askedAt: number;
  expiresAt: number;
  /** What is left of the turn's own time, which stops while it is parked. */
  leftMs: number;
  /** Discord shows the request; until then a new life shows it again. */
  shown: boolean;
  decision: ApprovalDecision | null;
}

/** The call exactly as it was checked; nothing else runs. */
export interface AskedCall {
  /** The call's position in its turn, as text. */
  callPlace: string;
  tool: string;
  /** Cleaned, as canonical JSON. */
  args: string;
  /** A description of the call that a person can judge. */
  summary: string;
  /** The summary is cut; `args` are whole. */
  isCut?: true;
  /** The asker alone may not approve it: the tool is a remote server's. */
  byModerator?: true;
  /** It is asked for because the turn has read words of strangers. */
  isSuspect?: true;
  /** A link to the message that the call is about. */
  link?: string;
}

/** How a request was decided. */
export type ApprovalDecision = { kind: "approved" | "denied"; by: string } | { kind: "expired" };
