// The shapes of the panel's lists, as `/local/watch` sends them. Needs no browser.

/**
 * A request to Discord in short. `fault`: Discord would refuse it as malformed. `n` is null for an entry that is not a request: an answer to
 * an interaction, or a frame of the Gateway.
 */
export interface WatchedRequest {
  n: number | null;
  at: number;
  method: string;
  path: string;
  status: number;
  code: number | null;
  fault: boolean;
  /** The beginning of the message in it. */
  words: string;
}

/** A request to the model in short. */
export interface WatchedCall {
  n: number;
  at: number;
  status: number;
  state: "running" | "finished" | "left" | "failed";
  messages: number;
  tools: number;
  /** The beginning of its newest message, after that message's role. */
  newest: string;
}
