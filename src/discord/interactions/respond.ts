// Builds the first answers to an interaction: the JSON for the HTTP response.
import { MESSAGE_CODE_POINTS } from "../../core/limits.ts";
import { codePoints, unitsAtPoints } from "../../core/markdown/code-points.ts";

/** Only the person who asked sees the message. */
const EPHEMERAL = 1 << 6;
/** Discord fetches no previews for links in the message. */
const SUPPRESS_EMBEDS = 1 << 2;
const NO_PINGS = { parse: [] } as const;

/** Answers PING. */
export const pong = () => ({ type: 1 }) as const;

/** Shows "Parley is thinking…"; a later edit of this message brings the answer. */
export const thinking = () => ({ type: 5 }) as const;

/** Shows "thinking" to this person alone; only they will see the answer, too. */
export const thinkingPrivately = () => ({ type: 5, data: { flags: EPHEMERAL } }) as const;

/** Accepts a click; the message with the button stays as it is. */
export const acknowledged = () => ({ type: 6 }) as const;

const MAX_CHOICES = 25;
const MAX_CHOICE_CODE_POINTS = 100;

/** A text to choose, or a name that is shown for a value. */
export type Choice = string | { name: string; value: string };

/** Returns the text that a person sees for a choice. */
export const nameOfChoice = (choice: Choice): string => (typeof choice === "string" ? choice : choice.name);

/** Offers choices while a person types: at most 25, each of at most 100 characters (Discord). Longer ones are left out. */
export const choices = (offered: readonly Choice[]) => {
  const all = offered.map((one) => (typeof one === "string" ? { name: one, value: one } : one));
  const fits = (text: string) => text !== "" && [...text].length <= MAX_CHOICE_CODE_POINTS;
  const short = all.filter(({ name, value }) => fits(name) && fits(value)).slice(0, MAX_CHOICES);
  return { type: 8, data: { choices: short } } as const;
};

/** Answers with a message that only this person sees. It may quote what they typed, so it is cut to the length that Discord accepts. */
export const privately = (content: string) =>
  ({ type: 4, data: { content: fitted(content), flags: privateFlags(content), allowed_mentions: NO_PINGS } }) as const;

/** Suppresses previews if there is a link: a model may have chosen it, as in a stored fact. One in angle brackets never has a preview (Discord). */
const privateFlags = (content: string): number =>
  /https?:/i.test(content.replace(/<https?:[^\s<>]+>/g, "")) ? EPHEMERAL | SUPPRESS_EMBEDS : EPHEMERAL;

/**
 * Answers in private, with a text of up to 4096 characters in an embed below it, where links show no preview (Discord). The flag that
 * suppresses previews would suppress this embed, too, so it is not set.
 */
export const privatelyLong = (content: string, description: string) => {
  const { type, data } = privately(content);
  return {
    type,
    data: {
      ...data,
      flags: EPHEMERAL,
      embeds: [{ description: [...description].slice(0, MAX_EMBED_CODE_POINTS).join("") }],
    },
  };
};

const MAX_EMBED_CODE_POINTS = 4096;

const fitted = (content: string): string =>
  codePoints(content) <= MESSAGE_CODE_POINTS
    ? content
    : `${content.slice(0, unitsAtPoints(content, MESSAGE_CODE_POINTS - 1))}…`;
