// Follows the life of an interaction's token as far as a turn's reply depends on it: when to prepare for its end, and how a click that
// brings a new token changes the reply's messages. Pure.
import { TOKEN_LIFE_MS, TOKEN_RENEWAL_MS } from "../limits.ts";
import type { ChannelState, DeliveredPart, TurnRecord } from "../state/record.ts";

/** A click: its token, its time, and the message with the button. */
export interface Renewal {
  token: string;
  at: number;
  messageId: string;
}

/** Whether the token of the reply, or of its scene's header, is still known and valid. */
export const holdsToken = (
  { request: { token, scene, receivedAt } }: Pick<TurnRecord, "request">,
  now: number,
): boolean => Boolean(token ?? scene?.token) && now < receivedAt + TOKEN_LIFE_MS;

/** Returns when to prepare for the end of a turn's token; null if it has none or that was done already. */
function renewalAt({ request: { token, scene, receivedAt }, renewal, state }: TurnRecord): number | null {
  // A running turn of a scene ends in time by itself.
  const isBound = token !== null || (scene !== undefined && state === "queued");
  return isBound && renewal === undefined ? receivedAt + TOKEN_RENEWAL_MS : null;
}

/** Returns the turns that will show more. A parked turn is not one of them: its approval expires before its token, or waits for a click. */
const open = ({ running, queue }: ChannelState) => [...(running ? [running] : []), ...queue];

/** Returns when the channel's first token needs attention, in epoch milliseconds; null when none does. */
export function tokenRenewalAt(state: ChannelState): number | null {
  const times = open(state).flatMap((turn) => renewalAt(turn) ?? []);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Returns the turns whose token needs attention now. */
export const renewalsDue = (state: ChannelState, now: number): TurnRecord[] =>
  open(state).filter((turn) => (renewalAt(turn) ?? Number.POSITIVE_INFINITY) <= now);

/**
 * Returns the turn with the click's token, and with its final edit due if that waited; null when the click's token is of no use.
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
  // Discord may have refused the old token early; then no Continue is shown.
  const isEnded = at >= request.receivedAt + TOKEN_LIFE_MS || (undelivered && renewal !== "asked");
  if (!isLast && !isEnded) return null;
  const state = undelivered ? "closing" : turn.state;
  return {
    ...rest,
    state,
    request: { ...request, token, receivedAt: at },
    parts: parts.map(partUnder(clicked)),
    // A request for approval that waited for this click has not been shown yet.
    ...(approval && { approval: { ...approval, shown: false } }),
  };
}

const partUnder =
  (clicked: number) =>
  (part: DeliveredPart, index: number): DeliveredPart => {
    if (index === clicked) return part;
    return index < clicked ? { ...part, frozen: true } : { state: "sending", id: null };
  };
