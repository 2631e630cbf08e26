// What the panel lists, as `/local/watch` sends it: shapes, and nothing that needs a browser.

/**
 * A request to Discord in short. `fault`: Discord would refuse it as malformed. `n` is null for what is no request: an answer to an interaction, a
 * frame of the Gateway.
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
  /** The beginning of its newest message, with who said it. */
  newest: string;
}
