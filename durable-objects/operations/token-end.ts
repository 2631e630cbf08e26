// Prepares a reply for the end of its interaction's token. Two minutes before that, the bot's own endpoint is tried. If
// it fails, the reply asks for a click and continues with the click's token.

import { type Renewal, renewalsDue, renewed } from "../../src/core/decisions/token-life.ts";
import { FIRST_EDIT_GRACE_MS } from "../../src/core/limits.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { ResumeAnswer, ResumeRequest } from "../../src/core/state/rpc.ts";
import { isOver } from "../../src/core/state/unfinished.ts";
import type { Channel } from "../live-channel.ts";
import { isOpenToBot } from "../replies/posted-reply.ts";
import { findBotEndpoint } from "../replies/turn-pump.ts";
import { rearm } from "../schedule/rearm.ts";
import { noteUsage, sendReports } from "../scope-calls/usage-reports.ts";
import { countTokens } from "../settings/budgets.ts";
import { closed } from "../turn/closing.ts";
import { saidText } from "../turn/turn-texts.ts";
import { finishReplies, finishReply } from "./finish-reply.ts";

/** Prepares every reply whose token expires soon, each once. */
export function prepareTokenEnds(channel: Channel): void {
  const { ports, replies } = channel;
  const { store, clock, keepAlive } = ports;
  const now = clock();
  const due = store.transaction(() =>
    renewalsDue(store.state(), now).map((turn) => {
      const prepared = prepare(channel, turn, now);
      store.saveTurn(prepared);
      return prepared;
    }),
  );
  for (const turn of due) if (turn.renewal === "asked") keepAlive(openAnotherWay(channel, turn));
  const ended = due.filter(({ state }) => state === "closing");
  for (const turn of ended) void finishReply(channel, turn);
  if (ended.length > 0) replies.showQueuePositions(store.state());
  sendReports(channel);
}

function prepare(channel: Channel, turn: TurnRecord, now: number): TurnRecord {
  const { ports } = channel;
  // If this life dies now, the next one asks for a click, which is harmless.
  if (!turn.request.scene) return { ...turn, renewal: "asked" };
  if (findBotEndpoint(ports, turn.request)) return { ...turn, renewal: "bot" };
  // A scene's words reach Discord only while its token is valid, and no click can bring a new one.
  const { length } = saidText(ports.store.messagesInTurn(turn.id));
  const ended = closed(turn, { kind: "turn_deadline" }, length, now);
  noteUsage(channel, ended);
  countTokens(ports, [ended]);
  return ended;
}

async function openAnotherWay({ ports, replies }: Channel, asking: TurnRecord): Promise<void> {
  const { store } = ports;
  const isOpen = await isOpenToBot(ports, asking);
  const turn = store.turn(asking.id);
  if (turn?.renewal !== "asked") return;
  if (isOpen) store.transaction(() => store.saveTurn({ ...turn, renewal: "bot" }));
  else replies.of(turn).wait();
}

/** Takes a click on Continue. Repeating it is harmless. */
export function resume(channel: Channel, { turnId, press }: ResumeRequest): ResumeAnswer {
  const turn = channel.ports.store.turn(turnId);
  // A finished turn without an ending was forgotten.
  if (!turn || (turn.state === "finished" && turn.checkpoint.kind === "idle")) return { result: "forgotten" };
  // Somebody who clicks second also gets "goes on" while the rest is on its way.
  return { result: renewToken(channel, turnId, press) || turn.state !== "finished" ? "goes_on" : "complete" };
}

/** Continues a reply with a click's token, if it needs one. Returns false if nothing waits for a token. */
export function renewToken(
  channel: Channel,
  turnId: string,
  { applicationId, ...press }: ResumeRequest["press"],
): boolean {
  const { ports, replies } = channel;
  const { store } = ports;
  if (replies.isByBot(turnId) && !ports.rateLimiter.isTokenRefused) return false;
  const renewal: Renewal = { ...press, at: ports.clock() };
  const turn = store.transaction(() => {
    const known = store.turn(turnId);
    const fresh = known && (known.undelivered || !isOver(known)) ? renewed(known, renewal) : null;
    if (fresh) store.saveTurn(fresh);
    return fresh;
  });
  if (!turn) return false;
  rearm(channel);
  // Discord accepts the token only after it has received our response to the click. Until then another click may bring a newer one.
  if (turn.state === "closing") ports.timers.after(FIRST_EDIT_GRACE_MS, () => finishReplies(channel));
  replies.renew(turn, { applicationId, token: press.token });
  if (turn.state === "queued") replies.showQueuePositions(store.state());
  return true;
}
