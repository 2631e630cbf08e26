// What a person asks about themselves: the messages to a channel's object and to a scope's. As in state/rpc.ts: fields are only added, and a
// reader treats a missing one as absent.

/** What an object keeps of one person, in numbers. */
export interface KeptHere {
  questions: number;
  /** Their questions and the answers to them. */
  messages: number;
  memories: number;
  reminders: number;
  /** After so many days the messages go. */
  keepDays: number;
}

/** What an object keeps of one person, in words. Times are ISO 8601 in UTC. */
export interface ExportedConversation {
  questions: { askedAt: string; question: string; answer: string; status: string | null }[];
  memories: { number: number; text: string; toldAt: string }[];
  reminders: { number: number; text: string; dueAt: string }[];
  settings: Record<string, string>;
}

/** A request of one person to the scope of their place. Each may run twice: it leaves the same state. */
export type PersonRequest = { userId: string } & (
  | { op: "about"; conversation: string }
  /** Sends the file through this interaction, which was answered with a private "thinking". */
  | { op: "export"; conversation: string; reply: { applicationId: string; token: string } }
  | { op: "leave_out"; isLeftOut: boolean }
);

/** The answer. `full`: as many people are left out as can be. */
export type PersonAnswer =
  | { op: "about"; otherChannels: number; isLeftOut: boolean }
  | { op: "exporting" }
  | { op: "left_out"; isLeftOut: boolean }
  | { op: "full"; limit: number };
