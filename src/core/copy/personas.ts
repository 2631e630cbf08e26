// What people read when a persona can't be as they want it.
import type { PersonaFault } from "../state/persona.ts";
import { quoted, unknownPersona } from "./unknown-persona.ts";

/** Says which rule was broken, and what to do. */
export function personaFaultText(fault: PersonaFault): string {
  switch (fault.fault) {
    case "name_length":
      return `A persona's name must have 1 to ${fault.limit} characters. Nothing was changed.`;
    case "name_characters":
      return "A persona's name can't contain commas, line breaks, text-direction marks, backticks or any of `@ # : * _ ~ | < >`. Nothing was changed.";
    case "name_forbidden":
      return `Discord does not allow "${fault.word}" in a persona's name. Choose another name. Nothing was changed.`;
    case "prompt_length":
      return `A persona's prompt must have 1 to ${fault.limit} characters. Nothing was changed.`;
    case "avatar":
      return "The avatar must be the `https://` address of an image. Nothing was changed.";
    case "nothing_given":
      return "Nothing was changed. Use the command again with a new `prompt` or `avatar`.";
    case "exists":
      return `There is already a persona named ${quoted(fault.name)}. Use \`/persona edit\` to change it.`;
    case "unknown":
      return unknownPersona(fault);
    case "of_parent":
      return `${quoted(fault.name)} belongs to the parent channel. Delete it there. Nothing was changed.`;
    case "too_many":
      return `A channel can have at most ${fault.limit} personas. Delete one first. Nothing was changed.`;
  }
}
