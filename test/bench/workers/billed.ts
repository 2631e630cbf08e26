// What the benchmark's Worker reports of what Cloudflare bills.

/** Counted since the Worker started, except `rows`, which are those of one channel, without its alarm's. */
export interface Billed {
  objectRequests: number;
  /** How often an alarm was set or deleted; each is billed as one row. */
  alarmRows: number;
  rows: number;
}
