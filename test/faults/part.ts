// The stories of the fault sweep that the lanes node and slow play: one for each port, and for what combines several.
import { type Story, stories } from "./stories.ts";

const NAMES = [
  "a turn with a remote tool",
  "a turn with tools that make pictures",
  "a question with files",
  "a conversation that is summarized",
  "a turn with a tool under a limit of the deployment",
  "a plain answer to a message",
  "a sound that comes with a command",
  "a person who has a file made of all that is kept about them",
];

/** The part, by name. Throws if a story is gone. */
export const PART: readonly (readonly [string, Story])[] = NAMES.map((name) => {
  const story = stories.find((one) => one.name === name);
  if (!story) throw new Error(`There is no story "${name}".`);
  return [name, story];
});
