// Pings the asker when their answer is complete, in a separate message. No other message pings anyone. It is posted at most once, whatever
// dies: it is noted before it is sent, and repeated only while Discord recognizes its nonce.
import { say } from "../../src/core/copy/notices.ts";
import { NONCE_LIFE_MS } from "../../src/core/limits.ts";
import type { DeliveredPart, TurnRecord } from "../../src/core/state/record.ts";
import type { ChannelEndpoint } from "../../src/discord/rest/rest.ts";
import { decideSendFailure, failureDetail, mayPass } from "../../src/discord/rest/send-failure.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { replySender } from "./retried.ts";
import { findBotEndpoint } from "./turn-pump.ts";

/** The wait after an attempt whose outcome is unknown. */
const RETRY_MS = 2000;

/**
 * Pings the asker of a closing turn whose reply is complete, if the bot's token reaches the channel. The caller has decided that they want a
 * ping. `isShown`: the reply shows the answer itself, and not a line in its place. Returns the message, for the write that finishes the turn;
 * null if there is none to note. Never throws.
 */
export async function pingAsker(ports: ChannelPorts, turnId: string, isShown: boolean): Promise<DeliveredPart | null> {
  const { store, clock, log } = ports;
  const turn = store.turn(turnId);
  const endpoint = turn?.state === "closing" ? findBotEndpoint(ports, turn.request) : null;
  if (!turn || !endpoint) return null;
  const ping: DeliveredPart = turn.ping ?? { state: "sending", id: null, since: clock() };
  if (!turn.ping) store.transaction(() => store.saveTurn({ ...turn, ping }));
  try {
    const isWhole = isShown && turn.checkpoint.kind === "send" && turn.checkpoint.ending.kind === "completed";
    const { answerReady, answerEnded } = say;
    const words = (isWhole ? answerReady : answerEnded)(turn.request.userId);
    const id = await post(ports, endpoint, turn, words, (ping.since ?? 0) + NONCE_LIFE_MS);
    return id === null ? ping : { state: "sent", id };
  } catch (error) {
    log.error("the asker was not pinged", { turnId, error: String(error) });
    return ping;
  }
}

/** Returns the message's id; null when Discord refused it, or when we don't know whether Discord has it. */
async function post(
  { rest, rateLimiter, clock, timers, log }: ChannelPorts,
  endpoint: ChannelEndpoint,
  { id: turnId, request, parts }: TurnRecord,
  content: string,
  until: number,
): Promise<string | null> {
  const repliesTo = parts[0]?.id;
  const body = { content, pings: request.userId, ...(repliesTo != null && { repliesTo }) };
  const send = replySender(rest, endpoint, body, `${turnId}-p`);
  while (Math.max(clock(), rateLimiter.readyAt(endpoint, "create")) < until) {
    const result = await send();
    if (result.ok) return result.message.id;
    if (!mayPass(decideSendFailure(result))) {
      log.warn("the asker was not pinged", { turnId, ...failureDetail(result) });
      return null;
    }
    await timers.wait(RETRY_MS);
  }
  log.warn("the asker was not pinged in time", { turnId });
  return null;
}
