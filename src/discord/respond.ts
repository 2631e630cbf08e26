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

/** No choices; the answer to an autocomplete that we don't know. */
export const noChoices = () => ({ type: 8, data: { choices: [] } }) as const;

/** A sentence for the person alone. */
export const privately = (content: string) =>
  ({ type: 4, data: { content, flags: EPHEMERAL, allowed_mentions: NO_PINGS } }) as const;
