// What people read about a channel's personas: which there are, and what a change did.
import { codePoints, firstPoints } from "../markdown/code-points.ts";
import type { Persona, PersonaAction } from "../state/persona.ts";
import { quoted } from "./unknown-persona.ts";

/** Says what a change did. Null: the bot speaks as itself again. */
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
/** The code points of all lines of one message, and those of a line besides its name and prompt. */
const LIST_CODE_POINTS = 1960;
const FRAME_CODE_POINTS = 10;

/** Lists the personas of a channel, one line each. */
export function personasText(personas: readonly Persona[], inUse: string | null): string {
  if (personas.length === 0) return "This channel has no personas. Use `/persona create` to make one.";
  const lines = personas.map(({ name, prompt }) => {
    const line = prompt.replace(/\s+/g, " ").replaceAll("`", "'");
    const room = Math.floor(LIST_CODE_POINTS / personas.length) - FRAME_CODE_POINTS - codePoints(name);
    const shown = firstPoints(line, Math.min(SHOWN_PROMPT_CODE_POINTS, room));
    return `- **${name}**${name === inUse ? " (answers here)" : ""}: ${shown}${shown === line ? "" : "…"}`;
  });
  return [...lines, ...(inUse === null ? ["-# I answer as myself."] : [])].join("\n");
}
