// What a person asks about themselves: the messages to a channel's object and to a scope's. As in state/rpc.ts: fields are only added, and a
// reader treats a missing one as absent.

/** What an object keeps of one person, in numbers. */
export interface KeptHere {
  questions: number;
  /** Their questions and the answers to them. */
  messages: number;
  memories: number;
  reminders: number;
  /** After how many days messages are deleted. */
  keepDays: number;
  /** The summary of the earlier conversation, where their words are in it; null: they are in none. Missing: an older program did not look. */
  summary?: { messages: number; at: number } | null;
}

/** What an object keeps of one person, in words. Times are ISO 8601 in UTC. */
export interface ExportedConversation {
  questions: ExportedQuestion[];
  memories: { number: number; text: string; toldAt: string }[];
  /** `every`: it comes again, as they said when. */
  reminders: { number: number; text: string; dueAt: string; every?: string }[];
  settings: Record<string, string>;
  /** Where their words are in it. It has its text where nobody else's are. */
  summary?: { messages: number; writtenAt: string; text?: string };
}

/** `files`: the names of those that came with it. `heard`: what is said in its sounds. */
interface ExportedQuestion {
  askedAt: string;
  question: string;
  files?: string[];
  heard?: { name: string; text: string }[];
  answer: string;
  status: string | null;
}

/** A fact that belongs to one person in their scope. Its number is never used again. Times are epoch milliseconds. */
export interface OwnFact {
  number: number;
  text: string;
  at: number;
  /** Proposed in a turn that had read words of strangers. Missing: the person's own wish. */
  origin?: "untrusted";
}

/** A request of one person to the scope of their place. Each may run twice: it leaves the same state. */
export type PersonRequest = { userId: string } & (
  | { op: "about"; conversation: string }
  /** A setting of their own, or their name in the history of settings, is in this conversation from now on, whether or not they ever ask there. */
  | { op: "keeps"; conversation: string }
  /** Sends the file through this interaction, which was answered with a private "thinking". */
  | { op: "export"; conversation: string; reply: { applicationId: string; token: string } }
  | { op: "leave_out"; isLeftOut: boolean }
  | { op: "facts" }
  /** The same words again keep their number. */
  | { op: "remember"; text: string; origin: "person" | "untrusted" }
  | { op: "forget_fact"; number: number }
);

/** The answer. `busy`: other files are being made, and this one is not. `full`: there is no room for another; `of: "people"`: facts of so many people are kept, and of this one there are none. */
export type PersonAnswer =
  | { op: "about"; otherChannels: number; isLeftOut: boolean; facts: OwnFact[] }
  | { op: "kept" }
  | { op: "facts"; facts: OwnFact[] }
  | { op: "remembered"; number: number }
  | { op: "fact_forgotten"; wasKept: boolean }
  | { op: "exporting" }
  | { op: "busy" }
  | { op: "left_out"; isLeftOut: boolean }
  | { op: "full"; limit: number; of?: "people" };
