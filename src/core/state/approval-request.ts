// What is stored about a call that waits, or waited, for a person's approval.

/** A call that a turn is, or was, parked for. Times are epoch milliseconds. */
export interface ApprovalRequest extends AskedCall {
  /** Only for the previous version of the program. */
  askedAt: number;
  expiresAt: number;
  /** The time left until the turn's own deadline, which is paused while it is parked. */
  leftMs: number;
  /** Discord shows the request; while this is false, a new life shows it again. */
  shown: boolean;
  decision: ApprovalDecision | null;
}

/** The call exactly as it was checked; this and nothing else will run. */
export interface AskedCall {
  /** The call's position in its turn, as text. */
  callPlace: string;
  tool: string;
  /** The cleaned arguments, as canonical JSON. */
  args: string;
  /** A description of the call that a person can judge. */
  summary: string;
  /** The summary is cut short; `args` are complete. */
  isCut?: true;
  /** The asker alone may not approve it, because the tool is a remote server's. */
  byModerator?: true;
  /** It needs approval because the turn has read strangers' words. */
  isSuspect?: true;
  /** A link to the message that the call is about. */
  link?: string;
}

/** How a request was decided. */
export type ApprovalDecision = { kind: "approved" | "denied"; by: string } | { kind: "expired" };
