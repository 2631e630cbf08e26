// What the benchmark's Worker tells of what Cloudflare bills.

/** Counted since the Worker started, but for `rows`: those of one channel, without its alarm's. */
export interface Billed {
  objectRequests: number;
  /** Times that an alarm was set or deleted; each is billed as one row. */
  alarmRows: number;
  rows: number;
}
