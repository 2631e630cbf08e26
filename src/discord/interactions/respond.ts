// The first answers to an interaction, as Discord wants them in the HTTP response.

/** Only the person who asked sees it. */
const EPHEMERAL = 1 << 6;
const NO_PINGS = { parse: [] } as const;

/** The answer to PING. */
export const pong = () => ({ type: 1 }) as const;

/** "Parley is thinking…": the answer follows as an edit of this message. */
export const thinking = () => ({ type: 5 }) as const;

/** A press was taken; the message that it stands on stays as it is. */
export const acknowledged = () => ({ type: 6 }) as const;

const MAX_CHOICES = 25;
const MAX_CHOICE_CODE_POINTS = 100;

/** A text to choose, or a value behind a name. */
export type Choice = string | { name: string; value: string };

/** What a person reads of a choice. */
export const nameOfChoice = (choice: Choice): string => (typeof choice === "string" ? choice : choice.name);

/** What can be chosen while somebody types: at most 25, each of at most 100 characters (Discord). */
export const choices = (offered: readonly Choice[]) => {
  const all = offered.map((one) => (typeof one === "string" ? { name: one, value: one } : one));
  const fits = (text: string) => text !== "" && [...text].length <= MAX_CHOICE_CODE_POINTS;
  const short = all.filter(({ name, value }) => fits(name) && fits(value)).slice(0, MAX_CHOICES);
  return { type: 8, data: { choices: short } } as const;
};

/** A sentence for the person alone. */
export const privately = (content: string) =>
  ({ type: 4, data: { content, flags: EPHEMERAL, allowed_mentions: NO_PINGS } }) as const;
