// What a person can do with the application, as a test or the playground's page describes it. Types only.

/** A file that a person picks. `text` is a shorthand for bytes, and `base64` their form in JSON. */
export interface PickedFile {
  filename: string;
  contentType?: string;
  text?: string;
  bytes?: Uint8Array<ArrayBuffer>;
  base64?: string;
}

/** The value of an option. A whole number is an integer option, any other number a number option. */
export type OptionValue =
  | string
  | number
  | boolean
  | { attachment: PickedFile }
  | { user: string }
  | { channel: string }
  | { role: string };

/** One thing a person does. */
export type Act =
  | { kind: "command"; name: string; subcommand?: string; options?: Record<string, OptionValue> }
  | { kind: "autocomplete"; name: string; subcommand?: string; options: Record<string, OptionValue>; focused: string }
  | { kind: "message-command"; name: string; messageId: string }
  | { kind: "click"; messageId: string; customId: string; values?: string[] }
  /** Submits the form that the person has open. A field is a text, the chosen values, or files. */
  | { kind: "submit"; customId: string; fields: Record<string, string | string[] | PickedFile[]> }
  | { kind: "ping" }
  /** Any interaction: Discord builds the envelope, and the test gives `type`, `data` and the fields of `extra`. */
  | { kind: "raw"; type: number; data?: unknown; extra?: Record<string, unknown> };

/** Who acts, where, and under which circumstances. */
export type Interact = Act & {
  /** A person's id. An unknown id becomes a new ordinary member of the channel's server. */
  as: string;
  /** A channel's id. An unknown id becomes a new text channel of the first server. */
  channel: string;
  locale?: string;
  /** The application is installed by the person and not by the server. */
  userInstallOnly?: boolean;
  /** The server hides answers of external applications (USE_EXTERNAL_APPS denied). */
  forceEphemeral?: boolean;
};

/** The result of an act, as the person sees it. */
export interface Outcome {
  ok: boolean;
  /**
   * message, thinking, update: shown in the message `messageId`. pending: acknowledged over HTTP without an answer yet.
   * impossible: the client never sent it (no such button, a required field left empty, not this person's channel).
   */
  seen: "message" | "thinking" | "update" | "modal" | "choices" | "pong" | "pending" | "failed" | "impossible";
  /** The client's own sentence, or why the act is impossible. */
  error?: string;
  interactionId: string;
  token: string;
  /** HTTP status of the endpoint's answer; null if nothing was sent or nothing came back. */
  status: number | null;
  messageId?: string;
  /** The form or the choices shown. */
  shown?: unknown;
  /** The signed body, so that a test can send it again. */
  body: string;
}
