// The plan of a runtime that is started without wrangler.

/** A Worker in plain miniflare, made of modules. Everything is JSON, because it goes to another process. */
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
  /** How many refused people the rate limiter lets through in a minute. */
  refusals: number;
  /** The port on which it listens; 0: any free one. */
  port: number;
  /** Whether its heap can be read through an inspector. */
  isInspected: boolean;
}
