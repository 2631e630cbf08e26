// Decides changes of a channel's personas, by the rules for their names, prompts and pictures.
import { PERSONA_NAME_CHARS, PERSONA_PROMPT_CHARS } from "../core/limits.ts";
import { onceExpression } from "../core/once.ts";
import type { Persona, PersonaFault } from "../core/state/persona.ts";
import { findPersona, IN_USE, personaKey, readPersonas } from "./personas.ts";
import type { StoredSettings } from "./settings.ts";

/** A visible character. */
const seen = onceExpression("[^\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}]", "u");
/** Characters that separate the names of a scene, read as markup or as a mention, or change the writing direction of what follows. */
const markup = onceExpression("[,@#:`*_~|<>\\p{Cc}\u202a-\u202e\u2066-\u2069]", "u");

/** Discord shows at most 25 choices, and a longer list would not fit in a message. */
export const MAX_PERSONAS = 25;
const AVATAR_URL_CHARS = 2048;
/** Discord refuses webhook names that contain these (docs: resources/webhook, usernames). */
const FORBIDDEN_IN_NAMES = ["discord", "clyde"];

/** A change of a channel's personas, as a person asks for it. Fields that an edit omits stay unchanged. */
export type PersonaChange =
  | { action: "create"; name: string; prompt: string; avatarUrl: string | null }
  | { action: "edit"; name: string; prompt?: string; avatarUrl?: string }
  | { action: "delete"; name: string }
  /** With null the bot speaks as itself again. */
  | { action: "use"; name: string | null };

/** The keys to write (null clears one), or the fault. */
export type ChangedPersonas =
  | { ok: true; write: Record<string, string | null>; persona: Persona | null }
  | { ok: false; fault: PersonaFault };

/** Checks a change against what is stored here and in the parent, and returns what to write. Saves nothing itself. */
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
      if (change.prompt === undefined && change.avatarUrl === undefined)
        return { ok: false, fault: { fault: "nothing_given" } };
      return kept({
        name: target.name,
        prompt: change.prompt?.trim() ?? target.prompt,
        avatarUrl: change.avatarUrl ?? target.avatarUrl,
      });
    }
    case "delete": {
      if (!target) return unknown(change.name);
      // A persona of the parent must be deleted there, because here it would be inherited again at once.
      if (own[personaKey(target.name)] === undefined)
        return { ok: false, fault: { fault: "of_parent", name: target.name } };
      const isInUse = personaKey(own[IN_USE] ?? "") === personaKey(target.name);
      return {
        ok: true,
        write: { [personaKey(target.name)]: null, ...(isInUse && { [IN_USE]: null }) },
        persona: target,
      };
    }
    case "use": {
      if (change.name !== null && !target) return unknown(change.name);
      // In a thread, the empty name overrides the parent's choice.
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
  // A name needs a visible character: Discord would refuse every message under an invisible one.
  const isEmpty = !seen().test(name);
  if (isEmpty || [...name].length > PERSONA_NAME_CHARS) return { fault: "name_length", limit: PERSONA_NAME_CHARS };
  if (markup().test(name)) return { fault: "name_characters" };
  const word = FORBIDDEN_IN_NAMES.find((one) => name.toLowerCase().includes(one));
  if (word) return { fault: "name_forbidden", word };
  if (prompt === "" || prompt.length > PERSONA_PROMPT_CHARS)
    return { fault: "prompt_length", limit: PERSONA_PROMPT_CHARS };
  return avatarUrl !== null && !isPicture(avatarUrl) ? { fault: "avatar" } : null;
}

/** Discord fetches the picture, and accepts only https. */
function isPicture(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return (
    parsed?.protocol === "https:" && parsed.username === "" && parsed.password === "" && url.length <= AVATAR_URL_CHARS
  );
}
