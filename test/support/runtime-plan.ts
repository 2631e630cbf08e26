// What a runtime that wrangler does not start is told.

/** A Worker of modules, in plain miniflare. All of it is JSON, because it goes to another process. */
export interface RuntimePlan {
  /** The folder of its modules, and the first of them. */
  folder: string;
  main: string;
  /** Each object's binding and its class, or classes of objects with their storage. */
  objects: Record<string, string>;
  bindings: Record<string, string>;
  /** Where the objects' storage is kept; null: it ends with the runtime. */
  state: string | null;
  /** Its compatibility flags. */
  flags: string[];
  /** How often in a minute the limit for people who are refused lets one of them through. */
  refusals: number;
  /** Where it listens; 0: at any port that is free. */
  port: number;
  /** Its heap can be read. */
  isInspected: boolean;
}
