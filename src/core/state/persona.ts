// A persona as the rest of the program sees it; copy/personas.ts has the words.

/** A voice that a turn can speak with. */
export interface Persona {
  name: string;
  /** The persona's part of the system prompt. */
  prompt: string;
  /** An https address, fetched by Discord and not by us. */
  avatarUrl: string | null;
}

/** Why a persona is refused. */
export type PersonaFault =
  | { fault: "name_length"; limit: number }
  | { fault: "name_characters" }
  | { fault: "name_forbidden"; word: string }
  | { fault: "prompt_length"; limit: number }
  | { fault: "avatar" }
  | { fault: "nothing_given" }
  | { fault: "exists"; name: string }
  | { fault: "unknown"; name: string; known: readonly string[] }
  | { fault: "of_parent"; name: string }
  | { fault: "too_many"; limit: number };

/** What a person may do to a channel's personas. */
export type PersonaAction = "create" | "edit" | "delete" | "use";
