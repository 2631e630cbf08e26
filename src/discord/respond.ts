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

/** Texts to choose from while somebody types: at most 25, each of at most 100 characters (Discord). */
export const choices = (texts: readonly string[]) => {
  const short = texts.filter((text) => text !== "" && [...text].length <= MAX_CHOICE_CODE_POINTS).slice(0, MAX_CHOICES);
  return { type: 8, data: { choices: short.map((text) => ({ name: text, value: text })) } } as const;
};

/** A sentence for the person alone. */
export const privately = (content: string) =>
  ({ type: 4, data: { content, flags: EPHEMERAL, allowed_mentions: NO_PINGS } }) as const;
