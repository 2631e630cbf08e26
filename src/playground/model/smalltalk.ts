// The local model's small talk: what it says if the words ask for neither a tool nor a long piece. Deterministic: the same conversation gets
// the same words.
import type { HandedFile, Heard } from "./hearing.ts";

const JOKES = [
  "A durable object walks into a bar. It remembers the bar for ever.",
  "I would tell you a joke about UDP, but I could not be sure that you got it.",
  "Why did the webhook cross the road? It did not. It timed out and was retried three times.",
  "There are two hard things: naming, caches, and being off by one.",
];
const LINES = [
  "That is one way to see it. I'd have said it in fewer words and with more feeling.",
  "I was going to say that. Now I have to disagree, on principle.",
  "Let us not decide this before tea.",
];
const SELF =
  "I'm **the local model**: a few dozen rules in a trench coat, living on your laptop, with no key and no network. Try:\n" +
  "- `what time is it in Tokyo?`, `roll 3d6`, `show me code`, `think first`, `tell me a long story` (then press Stop)\n" +
  "- in the channel: `remember that …`, `remind me in 1 minute to …`, `poll: Tea? Yes, no`, `react with 👍`, `pin the last message`, " +
  "`open a thread called …`, `what was said here?`\n" +
  "- `use <tool> {…}` for any tool I'm offered\n" +
  "- to see me misbehave: `run away`, `fail`, `rate limit`, `stall`, `say nothing`, `cut off`, `run out of words`, `broken tool`, " +
  "`unknown tool`\n\n" +
  "For a real model, start the playground like this:\n" +
  "```sh\nOPENAI_API_KEY=… OPENAI_MODEL=… npm start  # OPENAI_BASE_URL=… for another provider\n```";

/** The cue that starts a persona's turn. No person has said it. */
const CUE = /^\[It is (.{1,80})'s turn to speak\.\]$/;
const saidBefore = ({ earlier }: Heard) => earlier.filter((text) => !CUE.test(text));

type Topic = { pattern: RegExp; reply: (heard: Heard, words: string[]) => string };

const TOPICS: Topic[] = [
  {
    pattern:
      /\b(?:who|what) are you\b|\bare you (?:real|human|a bot|an? (?:ai|model))\b|^\W*help\b|\bwhat can you do\b/i,
    reply: () => SELF,
  },
  {
    pattern: /\bwhat did (?:i|we) (?:just )?(?:say|ask|talk about)\b|\bwhat was my last (?:message|question)\b/i,
    reply: before,
  },
  {
    pattern: /\b(?:what(?:['’]s| is) my name|who am i)\b/i,
    reply: ({ speaker }) =>
      speaker
        ? `You are **${speaker}**, unless somebody borrowed your keyboard.`
        : "Nobody told me your name, and I didn't like to ask.",
  },
  { pattern: /(-?\d+(?:\.\d+)?)\s*([-+*x×/÷])\s*(-?\d+(?:\.\d+)?)\s*=?\s*\??$/i, reply: (_, words) => reckon(words) },
  {
    pattern: /\bthis is no message but a (?:reminder|recurring task)\b.*: "(.+?)"\. Remind/i,
    reply: (_, [, text = ""]) => `You asked me to remind you: **${unquoted(text)}**.`,
  },
  {
    pattern: CUE,
    reply: ({ earlier }) => LINES[earlier.length % LINES.length] ?? SELF,
  },
  { pattern: /\bjoke\b/i, reply: ({ earlier }) => JOKES[earlier.length % JOKES.length] ?? SELF },
  { pattern: /\bhow are you\b|\bhow(?:['’]s| is) it going\b/i, reply: () => "Deterministic, thank you. And you?" },
  { pattern: /\bthank(?:s| you)\b/i, reply: ({ speaker }) => `You're welcome${comma(speaker)}!` },
  {
    pattern: /\b(?:good ?bye|bye|see you|good night)\b/i,
    reply: ({ speaker }) => `Fair winds${comma(speaker)}! I'll be right here, costing nothing.`,
  },
  { pattern: /^\W*(?:hi|hello|hey|ahoy|good (?:morning|afternoon|evening)|yo)\b/i, reply: greet },
];

/** Answers anything. */
export function chat(heard: Heard): string {
  for (const { pattern, reply } of TOPICS) {
    const words = pattern.exec(heard.said);
    if (words) return reply(heard, words);
  }
  return wander(heard);
}

function greet(heard: Heard): string {
  const { speaker } = heard;
  const again = saidBefore(heard).length > 0 ? "hello again" : "hello";
  return `Ahoy${comma(speaker)}, and ${again}! Ask me for the time somewhere, or to roll some dice, or just say **help**.`;
}

function before(heard: Heard): string {
  const earlier = saidBefore(heard);
  const last = earlier.at(-1);
  if (last === undefined) return "Nothing yet: that was the first thing I heard from you.";
  const more = earlier.length - 1;
  return `Just before, you said: “${short(last, 300)}”${more > 0 ? `, and before that ${count(more, "more thing")} that I can still see.` : "."}`;
}

/** Answers revealed messages, each of which ends with its handle and its time in brackets. */
export function handles({ earlier }: Heard): string {
  const marks = earlier.flatMap((text) => /\[ref_\d+, sent ([^\]]+)\]$/.exec(text)?.[1] ?? []);
  return marks.length === 0
    ? "I see no times on our messages."
    : `The first thing that I see here was sent ${marks[0]}.`;
}

function reckon([, left = "", sign = "", right = ""]: string[]): string {
  const [a, b] = [Number(left), Number(right)];
  if (/[/÷]/.test(sign) && b === 0) return "Dividing by zero is how the last model lost its job.";
  const value = /[*x×]/i.test(sign) ? a * b : /[/÷]/.test(sign) ? a / b : sign === "-" ? a - b : a + b;
  return `That makes **${Number(value.toPrecision(12))}**.`;
}

/** Answers a text file. */
export function leafThrough({ name, text }: HandedFile): string {
  const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  return `I leafed through **${name}**: ${count(lines, "line")}, and it begins with “${short(text.trim(), 80)}”.`;
}

/** Undoes the JSON escapes in the quoted words. */
function unquoted(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

function wander(heard: Heard): string {
  const { said, pictures } = heard;
  if (pictures > 0)
    return `I was handed ${count(pictures, "picture")}, but I can read only letters: my eyes are regular expressions.`;
  if (said === "") return "You said nothing at all, which I understood perfectly.";
  const last = saidBefore(heard).at(-1);
  const opening = said.endsWith("?")
    ? `I have no answer as good as “${short(said, 120)}”.`
    : `You say “${short(said, 120)}”. I've written that down.`;
  const link =
    last === undefined ? "It's a good way to start a conversation." : `It follows on nicely from “${short(last, 60)}”.`;
  return `${opening} ${link} I'm only the local model, so say **help** to see what I'm good at.`;
}

const comma = (name: string | undefined) => (name ? `, ${name}` : "");
const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? "" : "s"}`;
const short = (text: string, limit: number) => {
  const line = text.replace(/\s+/g, " ");
  return line.length <= limit ? line : `${line.slice(0, limit - 1).trimEnd()}…`;
};
