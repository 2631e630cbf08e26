// What a runtime of a measurement is started with.

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
  /** Flags beside the production configuration's. */
  flags: string[];
  /** Its heap can be read. */
  isInspected: boolean;
}
