// The ports of setup and doctor to the outside. Tests pass scripted ones; real-ports.ts has the real ones.

/** Sends an HTTP request. Rejects only if no answer comes. */
export type Send = (url: string, init?: RequestInit) => Promise<Response>;

/** How a run of wrangler ended. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs wrangler with these arguments. `isShown`: wrangler uses the person's terminal itself, and its output is not captured. */
export type RunWrangler = (
  args: readonly string[],
  options?: { env?: Readonly<Record<string, string>>; input?: string; isShown?: boolean },
) => Promise<Ended>;

/** The answer to a question; null: the person gave up (Ctrl-C). */
export type Answer<Value> = Promise<Value | null>;

/** The person's screen. No secret is ever passed to a method that prints. */
export interface Terminal {
  /** Whether somebody can answer questions. */
  readonly canAsk: boolean;
  /** Asks for a secret, which is not shown. `fault` returns what is wrong with an answer, or null. */
  askSecret(question: string, fault: (text: string) => string | null): Answer<string>;
  askText(question: string, suggestion: string, fault: (text: string) => string | null): Answer<string>;
  askYesNo(question: string, suggestion: boolean): Answer<boolean>;
  choose(question: string, choices: readonly { value: string; label: string }[]): Answer<string>;
  /** Prints a line with ✓: something is done, or was done already. */
  done(line: string): void;
  /** Prints a line with !: it works, but the person should know something. */
  warn(line: string): void;
  /** Prints a line with ✗. */
  fail(line: string): void;
  /** Prints a line with –: something was not checked. */
  unseen(line: string): void;
  /** Prints text without a mark. */
  tell(text: string): void;
  /** Shows that something takes time, until the returned function is called. */
  wait(line: string): () => void;
}

/** Time, as this program sees it. */
export interface SetupClock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** All ports together. */
export interface SetupPorts {
  send: Send;
  runWrangler: RunWrangler;
  terminal: Terminal;
  clock: SetupClock;
  /**
   * Reserves the files that a deploy is built into for this process, until it ends or calls the returned function. Null: another process has
   * them.
   */
  claimFiles: () => (() => void) | null;
  /** Opens an address in the person's browser; does nothing if there is no browser. */
  openBrowser: (url: string) => Promise<void>;
  /** The environment variables. */
  variables: Readonly<Record<string, string | undefined>>;
  /** The folder for files that exist only while wrangler reads them. */
  tempFolder: string;
  /** The repository's root, where wrangler runs. */
  root: string;
}
