// The messages by which a person asks a channel's object and a scope's about their own data. As in state/rpc.ts, fields are only added, and
// readers must cope when a field is missing.

/** What an object keeps about one person, as numbers. */
export interface KeptHere {
  questions: number;
  /** Their questions and the answers to them. */
  messages: number;
  memories: number;
  reminders: number;
  /** After how many days messages are deleted. */
  keepDays: number;
  /** The summary of the earlier conversation if it covers their words; null: it doesn't, or there is none. Missing: an older program did not look. */
  summary?: { messages: number; at: number } | null;
}

/** What an object keeps about one person, in full. Times are ISO 8601 in UTC. */
export interface ExportedConversation {
  questions: ExportedQuestion[];
  memories: { number: number; text: string; toldAt: string }[];
  /** `every`: it recurs; the rule in their own words. */
  reminders: { number: number; text: string; dueAt: string; every?: string }[];
  settings: Record<string, string>;
  /** Present if it covers their words. Its text is included only if it covers nobody else's. */
  summary?: { messages: number; writtenAt: string; text?: string };
}

/** `files`: the names of the attached files. `heard`: the transcriptions of its sounds. */
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
  /** Proposed in a turn that had read strangers' words. Missing: the person's own wish. */
  origin?: "untrusted";
}

/** A request of one person to the scope of their place. Each may run twice: the state afterward is the same. */
export type PersonRequest = { userId: string } & (
  | { op: "about"; conversation: string }
  /** This conversation now stores a personal setting of theirs, or their name in the history of settings, whether or not they ever ask there. */
  | { op: "keeps"; conversation: string }
  /** Sends the file through this interaction, which was answered privately with "thinking". */
  | { op: "export"; conversation: string; reply: { applicationId: string; token: string } }
  | { op: "leave_out"; isLeftOut: boolean }
  | { op: "facts" }
  /** Remembering the same words again keeps their number. */
  | { op: "remember"; text: string; origin: "person" | "untrusted" }
  | { op: "forget_fact"; number: number }
);

/**
 * The answer. `busy`: other files are being made, so this one isn't. `full`: there is no room for another fact; `of: "people"`: facts about
 * that many people are kept already, and none about this one.
 */
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
