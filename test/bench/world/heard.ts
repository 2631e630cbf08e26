// What the Discord of a measurement reports about the requests that it accepted.

/** One request: when it had completely arrived, in milliseconds of the machine's clock, and the text of its message. */
export interface Heard {
  at: number;
  method: string;
  path: string;
  text: string;
}
