// What the Discord of a measurement tells of the requests that it took.

/** One request: when it was there whole, in milliseconds of the machine's clock, and the text of its message. */
export interface Heard {
  at: number;
  method: string;
  path: string;
  text: string;
}
