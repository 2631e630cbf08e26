// What people read of personas.
import type { Persona, PersonaAction, PersonaFault } from "../state/persona.ts";

/** The rule that was broken, and what to do. */
export function personaFaultText(fault: PersonaFault): string {
  switch (fault.fault) {
    case "name_length":
      return `A persona's name has 1 to ${fault.limit} characters. Nothing was changed.`;
    case "name_characters":
      return "A persona's name can't have commas, line breaks, or any of `@ # : * _ ~ | < >` and backticks. Nothing was changed.";
    case "name_forbidden":
      return `Discord does not allow "${fault.word}" in such a name. Choose another; nothing was changed.`;
    case "prompt_length":
      return `A persona's prompt has 1 to ${fault.limit} characters. Nothing was changed.`;
    case "avatar":
      return "The avatar must be the `https://` address of a picture. Nothing was changed.";
    case "exists":
      return `There is a persona ${quoted(fault.name)} already. \`/persona edit\` changes it.`;
    case "unknown":
      return fault.known.length === 0
        ? `There is no persona ${quoted(fault.name)}: this channel has none yet. \`/persona create\` makes one.`
        : `There is no persona ${quoted(fault.name)}. There are: ${fault.known.join(", ")}.`;
    case "of_parent":
      return `${quoted(fault.name)} belongs to the parent channel: delete it there. Nothing was changed.`;
    case "too_many":
      return `A channel has at most ${fault.limit} personas. Delete one first; nothing was changed.`;
  }
}

/** What a change did. Null: the bot speaks as itself again. */
export function personaChangedText(action: PersonaAction, persona: Persona | null): string {
  if (!persona) return "From now on I speak as myself here.";
  const name = quoted(persona.name);
  switch (action) {
    case "create":
      return `${name} is here. \`/persona use\` lets them answer, \`/chat persona:\` asks them once.`;
    case "edit":
      return `${name} was changed. A turn that runs or waits keeps the old words.`;
    case "delete":
      return `${name} is gone. What they said stays.`;
    case "use":
      return `From now on ${name} answers here.`;
  }
}

const SHOWN_PROMPT_CODE_POINTS = 50;

/** The personas of a channel, one line each. */
export function personasText(personas: readonly Persona[], inUse: string | null): string {
  if (personas.length === 0) return "This channel has no personas. `/persona create` makes one.";
  const lines = personas.map(({ name, prompt }) => {
    const letters = [...prompt.replace(/\s+/g, " ").replaceAll("`", "'")];
    const short = letters.length > SHOWN_PROMPT_CODE_POINTS;
    const shown = letters.slice(0, SHOWN_PROMPT_CODE_POINTS).join("");
    return `- **${name}**${name === inUse ? " (answers here)" : ""}: ${shown}${short ? "…" : ""}`;
  });
  return [...lines, ...(inUse === null ? ["-# I answer as myself."] : [])].join("\n");
}

const quoted = (name: string) => `**${name.replaceAll("`", "'").slice(0, 80)}**`;
