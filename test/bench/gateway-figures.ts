// What the Worker of the gateway's benchmark reports to the benchmark.

/** What one life of the gateway's object has counted. */
export interface GatewayFigures {
  /** The beginning of its life, in epoch milliseconds: a different value means a different life. */
  bornAt: number;
  /** Alarms that fired. */
  alarms: number;
  /** How often the alarm was set; Cloudflare bills each time as one row. */
  alarmsSet: number;
  /** Rows of the session. */
  sessionRows: number;
  /** Rows of questions, their channels and the outbox. */
  questionRows: number;
}
