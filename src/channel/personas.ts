// The personas of a channel: what a persona may be, where it is kept and which one speaks. They stand beside the settings, under
// keys of their own, because a thread takes over its parent's personas exactly as it takes over its settings.
import { literal, object, string, union } from "zod";
import type { Persona, PersonaFault } from "../core/state/persona.ts";
import type { StoredSettings } from "./settings.ts";

const stored = object({ name: string(), prompt: string(), avatarUrl: union([string(), literal(null)]) });

/** Discord shows at most 25 choices, and a list of more would not fit a message. */
export const MAX_PERSONAS = 25;
/** A webhook's name has at most 80 characters (Discord). */
export const PERSONA_NAME_CHARS = 80;
export const PERSONA_PROMPT_CHARS = 4000;
const AVATAR_URL_CHARS = 2048;
/** Discord refuses webhook names that hold these (docs: resources/webhook, usernames). */
const FORBIDDEN_IN_NAMES = ["discord", "clyde"];

/** A change of a channel's personas, as a person asks for it. A field of an edit that is absent stays. */
export type PersonaChange =
  | { action: "create"; name: string; prompt: string; avatarUrl: string | null }
  | { action: "edit"; name: string; prompt?: string; avatarUrl?: string }
  | { action: "delete"; name: string }
  /** Null: the bot speaks as itself again. */
  | { action: "use"; name: string | null };

/** What the change comes to: the keys to write (null: to clear), or why there is none. */
export type ChangedPersonas =
  | { ok: true; write: Record<string, string | null>; persona: Persona | null }
  | { ok: false; fault: PersonaFault };

const PREFIX = "persona:";
const IN_USE = "persona";

/** Names are the same whatever their case and outer space. */
const personaKey = (name: string): string => PREFIX + name.trim().toLowerCase();

/** The personas that hold in a channel, by name. A thread's own one hides its parent's of the same name. */
export function readPersonas(own: StoredSettings, parent: StoredSettings): Persona[] {
  const rows = Object.entries({ ...parent, ...own }).filter(([key]) => key.startsWith(PREFIX));
  const personas = rows.flatMap(([, text]) => readPersona(text) ?? []);
  return personas.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The persona of that name, if there is one. */
export function findPersona(personas: readonly Persona[], name: string): Persona | null {
  return personas.find((persona) => personaKey(persona.name) === personaKey(name)) ?? null;
}

/** The persona that speaks when nobody names one, or null: the bot itself. */
export function personaInUse(own: StoredSettings, parent: StoredSettings): Persona | null {
  const name = own[IN_USE] ?? parent[IN_USE] ?? "";
  return name === "" ? null : findPersona(readPersonas(own, parent), name);
}

/** Decides over a change, given what is stored here and in the parent. Changes nothing by itself. */
export function changePersonas(own: StoredSettings, parent: StoredSettings, change: PersonaChange): ChangedPersonas {
  const known = readPersonas(own, parent);
  const target = change.name === null ? null : findPersona(known, change.name);
  const unknown = (name: string): ChangedPersonas => ({
    ok: false,
    fault: { fault: "unknown", name, known: known.map((persona) => persona.name) },
  });
  switch (change.action) {
    case "create": {
      if (target) return { ok: false, fault: { fault: "exists", name: target.name } };
      if (known.length >= MAX_PERSONAS) return { ok: false, fault: { fault: "too_many", limit: MAX_PERSONAS } };
      return kept({ name: change.name.trim(), prompt: change.prompt.trim(), avatarUrl: change.avatarUrl });
    }
    case "edit": {
      if (!target) return unknown(change.name);
      return kept({
        name: target.name,
        prompt: change.prompt?.trim() ?? target.prompt,
        avatarUrl: change.avatarUrl ?? target.avatarUrl,
      });
    }
    case "delete": {
      if (!target) return unknown(change.name);
      // What the parent has is deleted there: here it would come back with the next look.
      if (own[personaKey(target.name)] === undefined)
        return { ok: false, fault: { fault: "of_parent", name: target.name } };
      const isInUse = personaKey(own[IN_USE] ?? "") === personaKey(target.name);
      return {
        ok: true,
        write: { [personaKey(target.name)]: null, ...(isInUse ? { [IN_USE]: null } : {}) },
        persona: target,
      };
    }
    case "use": {
      if (change.name !== null && !target) return unknown(change.name);
      // In a thread the empty name overrules the parent's choice.
      return { ok: true, write: { [IN_USE]: target?.name ?? "" }, persona: target };
    }
  }
}

function kept(persona: Persona): ChangedPersonas {
  const fault = findFault(persona);
  if (fault) return { ok: false, fault };
  return { ok: true, write: { [personaKey(persona.name)]: JSON.stringify(persona) }, persona };
}

function findFault({ name, prompt, avatarUrl }: Persona): PersonaFault | null {
  if (name === "" || [...name].length > PERSONA_NAME_CHARS) return { fault: "name_length", limit: PERSONA_NAME_CHARS };
  // A comma parts the names of a scene; the rest would be read as markup or as a mention.
  if (/[,@#:`*_~|<>\p{Cc}]/u.test(name)) return { fault: "name_characters" };
  const word = FORBIDDEN_IN_NAMES.find((one) => name.toLowerCase().includes(one));
  if (word) return { fault: "name_forbidden", word };
  if (prompt === "" || prompt.length > PERSONA_PROMPT_CHARS)
    return { fault: "prompt_length", limit: PERSONA_PROMPT_CHARS };
  return avatarUrl !== null && !isPicture(avatarUrl) ? { fault: "avatar" } : null;
}

/** Discord fetches the picture, not we; it takes https alone. */
function isPicture(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return (
    parsed?.protocol === "https:" && parsed.username === "" && parsed.password === "" && url.length <= AVATAR_URL_CHARS
  );
}

function readPersona(text: string): Persona | null {
  try {
    return stored.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
