// The life of an interaction's token, as far as a turn's reply depends on it: when to prepare for its end, and how a click, which brings a
// new token, changes the reply's messages. Pure.
import { TOKEN_LIFE_MS, TOKEN_RENEWAL_MS } from "../limits.ts";
import type { ChannelState, DeliveredPart, TurnRecord } from "../state/record.ts";

/** A click: its token, its time, and the message with the button. */
export interface Renewal {
  token: string;
  at: number;
  messageId: string;
}

/** Is the token of the reply, or of its scene's header, still known and good? */
export const holdsToken = (
  { request: { token, scene, receivedAt } }: Pick<TurnRecord, "request">,
  now: number,
): boolean => Boolean(token ?? scene?.token) && now < receivedAt + TOKEN_LIFE_MS;

/** When to prepare for the end of a turn's token; null when it has none or that was done. */
function renewalAt({ request: { token, scene, receivedAt }, renewal, state }: TurnRecord): number | null {
  // A turn of a scene that runs ends in time by itself.
  const isBound = token !== null || (scene !== undefined && state === "queued");
  return isBound && renewal === undefined ? receivedAt + TOKEN_RENEWAL_MS : null;
}

/** Turns that show something and will show more. A parked turn's approval expires before its token does, or waits for a click. */
const open = ({ running, queue }: ChannelState) => [...(running ? [running] : []), ...queue];

/** When the channel's first token needs attention, in epoch milliseconds; null when none does. */
export function tokenRenewalAt(state: ChannelState): number | null {
  const times = open(state).flatMap((turn) => renewalAt(turn) ?? []);
  return times.length > 0 ? Math.min(...times) : null;
}

/** The turns whose token needs attention now. */
export const renewalsDue = (state: ChannelState, now: number): TurnRecord[] =>
  open(state).filter((turn) => (renewalAt(turn) ?? Number.POSITIVE_INFINITY) <= now);

/**
 * The turn with the click's token, and with its final edit due if that waited; null when the click's token is of no use.
 * A token reaches the message of its click and those after it (Discord): earlier messages stay as they are, and later
 * ones of the old token can neither be edited nor sent again.
 */
export function renewed(turn: TurnRecord, { token, at, messageId }: Renewal): TurnRecord | null {
  const { parts, request } = turn;
  if (request.token === null) return null;
  const clicked = parts.findIndex(({ id }) => id === messageId);
  if (clicked < 0 && parts.length > 0) return null;
  const isLast = clicked === parts.length - 1;
  const { renewal, undelivered, approval, ...rest } = turn;
  // Discord may have refused the old token early: then no Continue is shown.
  const isEnded = at >= request.receivedAt + TOKEN_LIFE_MS || (undelivered && renewal !== "asked");
  if (!isLast && !isEnded) return null;
  const state = undelivered ? "closing" : turn.state;
  return {
    ...rest,
    state,
    request: { ...request, token, receivedAt: at },
    parts: parts.map(partUnder(clicked)),
    // Nobody has read a request that waited for this click.
    ...(approval && { approval: { ...approval, shown: false } }),
  };
}

const partUnder =
  (clicked: number) =>
  (part: DeliveredPart, index: number): DeliveredPart => {
    if (index === clicked) return part;
    return index < clicked ? { ...part, frozen: true } : { state: "sending", id: null };
  };
