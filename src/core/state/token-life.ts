// The life of an interaction's token, as far as a turn's reply hangs on it: when its end has to be looked ahead to, and what a
// press of one of our buttons, which brings a fresh one, makes of the reply's messages. Pure.
import { TOKEN_LIFE_MS, TOKEN_RENEWAL_MS } from "../limits.ts";
import type { ChannelState, DeliveredPart, TurnRecord } from "./record.ts";

/** A press: the token that it brought, when, and the message that its button stands on. */
export interface Renewal {
  token: string;
  at: number;
  messageId: string;
}

/** When the token of a turn that is not over has to be looked after, or null when it has none or that was done. */
function renewalAt({ request, renewal }: TurnRecord): number | null {
  return request.token === null || renewal !== undefined ? null : request.receivedAt + TOKEN_RENEWAL_MS;
}

/** Turns that show something and will show more. A parked one's approval expires before its token does. */
const open = ({ running, queue }: ChannelState) => [...(running ? [running] : []), ...queue];

/** When the first token of the channel has to be looked after. */
export function tokenRenewalAt(state: ChannelState): number | null {
  const times = open(state).flatMap((turn) => renewalAt(turn) ?? []);
  return times.length > 0 ? Math.min(...times) : null;
}

/** The turns whose token has to be looked after now. */
export const renewalsDue = (state: ChannelState, now: number): TurnRecord[] =>
  open(state).filter((turn) => (renewalAt(turn) ?? Number.POSITIVE_INFINITY) <= now);

/**
 * The turn with a press's token, and its last words due if they waited; null where its own token serves better. A token reaches the message that it was pressed on and
 * those that follow (Discord): messages before it stay as they are, and those behind it could no more be changed than sent again.
 */
export function renewed(turn: TurnRecord, { token, at, messageId }: Renewal): TurnRecord | null {
  const { parts, request } = turn;
  if (request.token === null) return null;
  const pressed = parts.findIndex(({ id }) => id === messageId);
  if (pressed < 0 && parts.length > 0) return null;
  const isLast = pressed === parts.length - 1;
  if (!isLast && at < request.receivedAt + TOKEN_LIFE_MS) return null;
  const { renewal: _done, undelivered, ...rest } = turn;
  const state = undelivered ? "closing" : turn.state;
  return { ...rest, state, request: { ...request, token, receivedAt: at }, parts: parts.map(partUnder(pressed)) };
}

const partUnder =
  (pressed: number) =>
  (part: DeliveredPart, index: number): DeliveredPart => {
    if (index === pressed) return part;
    return index < pressed ? { ...part, frozen: true } : { state: "sending", id: null };
  };
