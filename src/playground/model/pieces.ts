// The local model's long pieces: a story to stop with the button, and answers with code. Only words, always the same.

const HARBOURS: [place: string, weather: string, quarrel: string, gift: string][] = [
  ["Lanternfall", "fog as thick as porridge", "who had borrowed whose anchor", "a brass button"],
  ["Saltmarket", "rain that fell sideways", "the proper price of a herring", "half a map"],
  ["Quiet Point", "no weather at all", "whether silence counts as an answer", "a jar of nothing, neatly labelled"],
  ["Copperquay", "a red and sleepless sun", "whose turn it was to ring the bell", "a very small bell"],
  ["Windle", "wind from four sides at once", "the right way up for a flag", "a kite without a string"],
  ["Old Tern", "snow in the wrong month", "how many gulls are too many gulls", "one gull"],
  ["Port Maybe", "a sky that could not decide", "everything, in alphabetical order", "a coin with two tails"],
  ["Glasswater", "stars above and stars below", "which half was the sea", "a borrowed reflection"],
  ["Thistle Bay", "thunder with good manners", "a song that nobody could finish", "the last verse"],
  ["Kettlehead", "steam, and the smell of tea", "milk before or milk after", "a lid that fitted every pot"],
  ["Far Lantern", "the first clear evening in weeks", "nothing, which was new", "a chair by the window"],
];

const chapter = ([place, weather, quarrel, gift]: (typeof HARBOURS)[number], index: number) =>
  `**${index + 1}. ${place}.** The ship came in under ${weather}. On the quay two captains were quarreling about ${quarrel}, ` +
  "and both of them turned to the parrot as if it had been sent for. The parrot listened to the one until he ran out of breath, " +
  "and to the other until she ran out of words. Then it asked each of them to say what the other had said. This took most of the " +
  `afternoon, and by supper neither could remember being angry. For its trouble it was given ${gift}, which it wrote down in the ` +
  "minutes under *Received*, and the ship went out again with the tide.";

/** A story of about nine hundred words in eleven chapters, longer than one Discord message. */
export const STORY = [
  "# The Parrot Who Kept the Minutes",
  "There was once a parrot that could repeat anything it heard, and therefore found work as a secretary.",
  ...HARBOURS.map(chapter),
  "And if you have read this far without pressing **Stop**, the parrot would like to thank you, and has written your name down.",
].join("\n\n");

const SKETCH = `type Turn = { id: string; by: string; text: string };

/** One voice at a time: a turn starts when nobody speaks, else it waits in line. */
export function admit(line: readonly Turn[], next: Turn, limit = 10): Turn[] | "full" {
  if (line.some((turn) => turn.id === next.id)) return [...line]; // heard it the first time
  if (line.length >= limit) return "full";
  return [...line, next];
}`;

/** A short answer with Markdown and one fenced block. */
export const CODE = [
  "Here is the heart of a **polite queue**, in one function:",
  `\`\`\`ts\n${SKETCH}\n\`\`\``,
  'Three things to notice:\n- the same id twice is *one* turn,\n- a full line answers `"full"` and throws nothing,\n- the old list stays as it was.',
].join("\n");

const NOTES = ["C", "D", "E", "F", "G", "A", "B"];
const TUNE = Array.from({ length: 60 }, (_, bar) => {
  const note = (step: number) => `"${NOTES[(bar * 3 + step) % NOTES.length]}${4 + ((bar + step) % 2)}"`;
  return `  [${[0, 2, 4, 6].map(note).join(", ")}], // bar ${String(bar + 1).padStart(2)}: ${bar % 4 === 3 ? "breathe" : "onward"}`;
}).join("\n");

/** An answer above Discord's limit of 2,000 characters per message, whose one code block must survive the split. */
export const LONG_CODE = [
  "## A shanty in sixty bars",
  "Discord ends a message after 2,000 characters, so this block has to be closed and opened again on the way:",
  `\`\`\`ts\nexport const shanty: readonly string[][] = [\n${TUNE}\n];\n\nexport const sing = (bars = shanty): string =>\n  bars.map((bar) => bar.join(" ")).join(" | ");\n\`\`\``,
  "> If you can read this line below the last bracket, nothing was lost between the messages.",
].join("\n");

/** The model's reasoning before it answers. */
export const THOUGHTS =
  "The person wants to see me think. I have no deep thoughts, so I will think in order: what was asked, what I know, what is " +
  "true. Asked: to think. Known: very little. True: that this is enough.";

/** A Markdown table whose content makes columns hard to align. */
export const TABLE = [
  "Here is who said what at the market:",
  "",
  "| Stall | 言葉 | Price | Mood |",
  "|:------|------|------:|:----:|",
  "| Parrots | こんにちは | 12.50 | 🦜 |",
  "| Lanterns | 灯り | 3.00 | 👩‍👩‍👧 |",
  "| Maps \\| charts | carte | 140.25 | ok |",
  "",
  "And the sum, as code:",
  "",
  "```python",
  "prices = [12.50, 3.00, 140.25]",
  'print(f"{sum(prices):.2f}")  # 155.75',
  "```",
].join("\n");
