// What a person can do with the application, in the words of a test or of the playground's page. Types only.

/** A file a person picks. `text` is a shorthand for bytes, and `base64` their form in JSON. */
export interface PickedFile {
  filename: string;
  contentType?: string;
  text?: string;
  bytes?: Uint8Array<ArrayBuffer>;
  base64?: string;
}

/** A filled-in option. A whole number is an integer option, any other number a number option. */
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
  | { kind: "press"; messageId: string; customId: string; values?: string[] }
  /** Submits the modal the person has open; a field is a text, the chosen values, or files. */
  | { kind: "submit"; customId: string; fields: Record<string, string | string[] | PickedFile[]> }
  | { kind: "ping" }
  /** Anything: the envelope is Discord's, `type`, `data` and whatever `extra` names are the test's. */
  | { kind: "raw"; type: number; data?: unknown; extra?: Record<string, unknown> };

/** Who does it, where, and under which circumstances. */
export type Interact = Act & {
  /** A person's id; an unknown one is a new plain member. */
  as: string;
  /** A channel's id; an unknown one is a new text channel. */
  channel: string;
  locale?: string;
  /** The application is installed by the person and not by the guild. */
  userInstallOnly?: boolean;
  /** The guild hides answers of outside applications (USE_EXTERNAL_APPS denied). */
  forceEphemeral?: boolean;
};

/** What the person then sees. */
export interface Outcome {
  ok: boolean;
  /**
   * message, thinking, update: as told by `messageId`. pending: acknowledged over HTTP with no answer yet.
   * impossible: the client never sent it (no such button, a required field left empty).
   */
  seen: "message" | "thinking" | "update" | "modal" | "choices" | "pong" | "pending" | "failed" | "impossible";
  /** The sentence of the client, or why the act is impossible. */
  error?: string;
  interactionId: string;
  token: string;
  /** HTTP status of the endpoint's answer; null when nothing was sent or nothing came back. */
  status: number | null;
  messageId?: string;
  /** The modal or the choices shown. */
  shown?: unknown;
  /** The signed body, so that a test can send it again. */
  body: string;
}
