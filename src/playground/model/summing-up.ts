// How the local model sums up a conversation, for /bot compact and when it grows long: it keeps the beginnings of what people said, without
// understanding them.

// The task with the old notes and the new part. Its first line is missing here: hearing.ts takes it for a speaker.
const TASK = /^([\s\S]*?)\n\nThe part after them:\n([\s\S]*)\n\nWrite the new notes now\b.*$/;
/** What a person said; the bot's own answers are left out. */
const SAID = /^\[([^\]\n·]{1,40}) · (?!bot\])[^\]\n]{1,60}\] (.{1,80})/gmu;
const ABOUT = "About: what people said to the local model.";
/** Only the newest are kept, so that the notes stay shorter than what they replace. */
const MOST = 20;

/** Returns the new notes if the text is this task, with the old notes and the part after them; undefined for anything else. */
export function summedUp(said: string): string | undefined {
  const [, notes = "", part] = TASK.exec(said) ?? [];
  if (part === undefined) return undefined;
  const earlier = notes.split("\n").filter((line) => line.startsWith("- "));
  const newer = [...part.matchAll(SAID)].map(([, name, words]) => `- ${name}: ${words}`);
  return [ABOUT, ...[...earlier, ...newer].slice(-MOST)].join("\n");
}
