// What people read of personas.
import { cutText } from "../markdown/code-points.ts";
import type { Persona, PersonaAction, PersonaFault } from "../state/persona.ts";

/** The rule that was broken, and what to do. */
export function personaFaultText(fault: PersonaFault): string {
  switch (fault.fault) {
    case "name_length":
      return `A persona's name must have 1 to ${fault.limit} characters. Nothing was changed.`;
    case "name_characters":
      return "A persona's name can't contain commas, line breaks, backticks or any of `@ # : * _ ~ | < >`. Nothing was changed.";
    case "name_forbidden":
      return `Discord does not allow "${fault.word}" in a persona's name. Choose another name. Nothing was changed.`;
    case "prompt_length":
      return `A persona's prompt must have 1 to ${fault.limit} characters. Nothing was changed.`;
    case "avatar":
      return "The avatar must be the `https://` address of an image. Nothing was changed.";
    case "exists":
      return `There is already a persona named ${quoted(fault.name)}. Use \`/persona edit\` to change it.`;
    case "unknown":
      return fault.known.length === 0
        ? `There is no persona named ${quoted(fault.name)}. This channel has none yet. Use \`/persona create\` to make one.`
        : `There is no persona named ${quoted(fault.name)}. Choose one of: ${fault.known.join(", ")}.`;
    case "of_parent":
      return `${quoted(fault.name)} belongs to the parent channel. Delete it there. Nothing was changed.`;
    case "too_many":
      return `A channel can have at most ${fault.limit} personas. Delete one first. Nothing was changed.`;
  }
}

/** What a change did. Null: the bot speaks as itself again. */
export function personaChangedText(action: PersonaAction, persona: Pick<Persona, "name"> | null): string {
  if (!persona) return "From now on I answer as myself here.";
  const name = quoted(persona.name);
  switch (action) {
    case "create":
      return `${name} was created. Use \`/persona use\` to let them answer here, or \`/chat persona:\` to ask them once.`;
    case "edit":
      return `${name} was changed. Answers that are running or waiting keep the old version.`;
    case "delete":
      return `${name} was deleted. Their past messages stay.`;
    case "use":
      return `From now on ${name} answers here.`;
  }
}

const SHOWN_PROMPT_CODE_POINTS = 50;
/** Of a message, what all lines may take together; and of a line, what is beside the name and the prompt. */
const LIST_CODE_POINTS = 1960;
const FRAME_CODE_POINTS = 10;

/** The personas of a channel, one line each. */
export function personasText(personas: readonly Persona[], inUse: string | null): string {
  if (personas.length === 0) return "This channel has no personas. Use `/persona create` to make one.";
  const lines = personas.map(({ name, prompt }) => {
    const letters = [...prompt.replace(/\s+/g, " ").replaceAll("`", "'")];
    const room = LIST_CODE_POINTS / personas.length - FRAME_CODE_POINTS - [...name].length;
    const most = Math.max(0, Math.min(SHOWN_PROMPT_CODE_POINTS, room));
    const short = letters.length > most;
    const shown = letters.slice(0, most).join("");
    return `- **${name}**${name === inUse ? " (answers here)" : ""}: ${shown}${short ? "…" : ""}`;
  });
  return [...lines, ...(inUse === null ? ["-# I answer as myself."] : [])].join("\n");
}

const quoted = (name: string) => `**${cutText(name.replaceAll("`", "'"), 80)}**`;
