// How the local model sums up a conversation, for /bot compact and when it grows long: by the beginnings of what people said, without
// understanding any.

// The first line is taken for a speaker.
const TASK = /^([\s\S]*?)\n\nThe part after them:\n([\s\S]*)\n\nWrite the new notes now\b.*$/;
/** What a person said; the bot's own answers are left out. */
const SAID = /^\[([^\]\n·]{1,40}) · (?!bot\])[^\]\n]{1,60}\] (.{1,80})/gmu;
const ABOUT = "About: what people said to the local model.";
/** The newest of them, so that the notes stay shorter than what they replace. */
const MOST = 20;

/** The new notes, for the old ones with the part that comes after them; undefined for anything else. */
export function summedUp(said: string): string | undefined {
  const [, notes = "", part] = TASK.exec(said) ?? [];
  if (part === undefined) return undefined;
  const earlier = notes.split("\n").filter((line) => line.startsWith("- "));
  const newer = [...part.matchAll(SAID)].map(([, name, words]) => `- ${name}: ${words}`);
  return [ABOUT, ...[...earlier, ...newer].slice(-MOST)].join("\n");
}
