// What the setup command and the doctor reach outside themselves. Tests give scripted ones; real-ports.ts has the real ones.

/** Sends an HTTP request. Rejects only when no answer comes. */
export type Send = (url: string, init?: RequestInit) => Promise<Response>;

/** How a run of wrangler ended. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs wrangler with these arguments. `isShown`: it talks to the person itself, and nothing is captured. */
export type RunWrangler = (
  args: readonly string[],
  options?: { env?: Readonly<Record<string, string>>; input?: string; isShown?: boolean },
) => Promise<Ended>;

/** A question's answer; null: the person gave up (Ctrl-C). */
export type Answer<Value> = Promise<Value | null>;

/** The person's screen. Secrets are never given to any method that prints. */
export interface Terminal {
  /** False: nobody can answer a question. */
  readonly canAsk: boolean;
  /** Asks for a secret, which is not shown. `fault` says what is wrong with an answer. */
  askSecret(question: string, fault: (text: string) => string | null): Answer<string>;
  askText(question: string, suggestion: string, fault: (text: string) => string | null): Answer<string>;
  askYesNo(question: string, suggestion: boolean): Answer<boolean>;
  choose(question: string, choices: readonly { value: string; label: string }[]): Answer<string>;
  /** A line with ✓: something is done, or was found to be done. */
  done(line: string): void;
  /** A line with !: it works, but the person should know. */
  warn(line: string): void;
  /** A line with ✗. */
  fail(line: string): void;
  /** A line with –: it was not looked at. */
  unseen(line: string): void;
  /** Text without a mark. */
  tell(text: string): void;
  /** Shows that something takes time; the returned function ends that. */
  wait(line: string): () => void;
}

/** Time, as this program sees it. */
export interface SetupClock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** Everything together. */
export interface SetupPorts {
  send: Send;
  runWrangler: RunWrangler;
  terminal: Terminal;
  clock: SetupClock;
  /**
   * Keeps the files that a deploy is built into for this process, until the returned function is called or it ends. Null: another has them.
   */
  claimFiles: () => (() => void) | null;
  /** Opens an address in the person's browser; does nothing where there is none. */
  openBrowser: (url: string) => Promise<void>;
  /** The environment. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Folder for files that exist only while wrangler reads them. */
  tempFolder: string;
  /** The repository's root, where wrangler runs. */
  root: string;
}
