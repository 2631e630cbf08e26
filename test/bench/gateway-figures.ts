// What the Worker of the gateway's benchmark tells the benchmark.

/** What one life of the gateway's object has counted. */
export interface GatewayFigures {
  /** Since when it lives, in epoch milliseconds: another one than before is another life. */
  bornAt: number;
  /** Alarms that rang. */
  alarms: number;
  /** Times that the alarm was set; Cloudflare bills each as one row. */
  alarmsSet: number;
  /** Rows of the session. */
  sessionRows: number;
  /** Rows of questions, their channels and the outbox. */
  questionRows: number;
}
