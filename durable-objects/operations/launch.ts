// Runs the turn that has the lock, and then the one that gets it next. A turn runs in the background: its caller does not wait.
import { listSecrets } from "../../src/config/secrets.ts";
import { isModelFor } from "../../src/core/access/model-choice.ts";
import { reminderLine, say } from "../../src/core/copy/notices.ts";
import { agePrompt } from "../../src/core/decisions/age-restriction.ts";
import { describeError } from "../../src/core/describe-error.ts";
import { isSetApart } from "../../src/core/state/private-turns.ts";
import { isAskedFor, type TurnRecord } from "../../src/core/state/record.ts";
import { personaPrompt } from "../../src/core/state/scene.ts";
import type { TurnEvent } from "../../src/core/state/turn-events.ts";
import { dayPrompt, HEADERS_EXPLAINED } from "../../src/core/transcript/speaker.ts";
import { buildRegistry, type ToolRegistry } from "../../src/toolkit/define/tool-cards.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import { endedWith } from "../../src/turn/build-result.ts";
import { deliberateGate } from "../../src/turn/deliberate-gate.ts";
import { runGenerationTurn, type TurnResult } from "../../src/turn/generation-turn.ts";
import type { TurnParams } from "../../src/turn/turn-params.ts";
import type { Channel } from "../live-channel.ts";
import { readOverheard } from "../reading/overheard.ts";
import { withPresence } from "../replies/presence.ts";
import { withStatusLines } from "../replies/status-lines.ts";
import { rearm } from "../schedule/rearm.ts";
import { countedIn } from "../scope-calls/ask-scope.ts";
import { readOwnFacts } from "../scope-calls/own-facts.ts";
import { createAskedFor, exposeMore } from "../settings/deliberate.ts";
import { effectiveSettings, orderedModels } from "../settings/effective-settings.ts";
import { createTurnStore } from "../turn/turn-store.ts";
import { saidText } from "../turn/turn-texts.ts";
import { claimNext } from "./claim.ts";
import { endTurn } from "./end.ts";
import { finishReplies, finishReply } from "./finish-reply.ts";
import { createToolServices, readAvailability } from "./tool-services.ts";
import { createTurnLease } from "./turn-lease.ts";

/** Starts the next turn when nothing runs, and sends the final edits of turns that were closed instead. */
export function startNext(channel: Channel): void {
  const turn = channel.ports.store.transaction(() => claimNext(channel));
  finishReplies(channel);
  if (turn) launch(channel, turn);
}

/** Runs a claimed turn in the background. */
export function launch(channel: Channel, turn: TurnRecord, resumed = false): void {
  const { ports, replies } = channel;
  const controller = new AbortController();
  const { notices } = effectiveSettings(ports);
  const presence = withPresence(turn, replies.of(turn), replies.typing, ports.timers);
  const { reply, addStatusLine } = withStatusLines(presence.reply, notices);
  controller.signal.addEventListener("abort", presence.end);
  if (turn.waited && turn.parts.length === 0 && !resumed) replies.signs.stopWaiting(turn.request);
  channel.live = { turnId: turn.id, epoch: turn.epoch, controller, addStatusLine: notices ? addStatusLine : null };
  if (turn.request.noThread !== undefined) addStatusLine(say.noThread(turn.request.noThread));
  if (resumed && isAskedFor(turn)) addStatusLine(say.resumed);
  if (turn.warnedAt !== null) addStatusLine(say.stillWorking);
  const work = async () => {
    // Lets the caller return its receipt first. The output gate holds back what the turn sends until the caller's transaction is
    // stored.
    await Promise.resolve();
    const store = openTurnStore(channel, turn);
    const { signal } = controller;
    const models = orderedModels(ports, turn.request);
    const own = { models, store, reply, signal, addStatusLine };
    const result = await runTurn(channel, turn, own).finally(presence.end);
    const next = endWithRetries(channel, turn, result, store.unwritten());
    if (next) launch(channel, next);
  };
  ports.keepAlive(work());
}

/** The ports that belong to one run of a turn. */
type OwnPorts = Pick<TurnParams, "models" | "store" | "reply" | "signal"> & {
  addStatusLine: (line: string) => void;
};

/** Runs the turn from the lock to its ending, inside one try block: a failure on the way to the first model call ends it, too. */
async function runTurn(channel: Channel, turn: TurnRecord, own: OwnPorts): Promise<TurnResult> {
  const { turnRegistry, log } = channel.ports;
  try {
    const { request } = turn;
    const { reminder, userId } = request;
    if (request.catchUp) return await runCatchUp(channel, await withAge(channel, turn, own.signal), own);
    if (reminder) {
      const { withRightsNow } = await import("../reminders/reminder-rights.ts");
      const judged = await withRightsNow(channel, turn, own.signal);
      if ("ending" in judged) return judged;
      turn = judged;
      own.addStatusLine(reminderLine(reminder, userId));
    }
    const [aged, registry, overheard, ownFacts] = await Promise.all([
      withAge(channel, turn, own.signal),
      turnRegistry(own.signal, countedIn(request)),
      readOverheard(channel, turn, own.signal),
      readOwnFacts(channel.ports, request, own.signal),
    ]);
    return await runGenerationTurn(buildTurnParams(channel, aged, registry, { ...own, overheard, ownFacts }));
  } catch (error) {
    log.error("turn crashed", { turnId: turn.id, error: describeError(error) });
    return endedWith({ kind: "crashed" }, own.reply.postedText());
  }
}

/** Adds the age restriction of a thread's channel, which applies in the thread and which not every question brings along. */
const withAge = async (channel: Channel, turn: TurnRecord, signal: AbortSignal): Promise<TurnRecord> =>
  turn.request.parentChannelId === undefined
    ? turn
    : (await import("../reading/age-restriction.ts")).withRestriction(channel, turn, signal);

/** Runs a /catch-up: a turn without tools, whose conversation is what its asker missed. */
async function runCatchUp(channel: Channel, turn: TurnRecord, own: OwnPorts): Promise<TurnResult> {
  const { readMissed, withQuestion } = await import("../reading/catch-up.ts");
  const missed = await readMissed(channel, turn, own.models, own.signal);
  // If the turn was stopped meanwhile, it runs all the same: its loop sees the stop, makes no call, and ends the turn as stopped.
  const isStopped = own.signal.aborted;
  if (missed.kind === "say" && !isStopped) return endedWith({ kind: "completed" }, missed.text);
  const store = missed.kind === "ask" ? withQuestion(own.store, missed.question) : own.store;
  return runGenerationTurn(buildTurnParams(channel, turn, buildRegistry([]), { ...own, store, overheard: "" }));
}

/**
 * Stores the end, and tries once more if a write failed. If the end can't be stored as it is, the turn ends as crashed. If nothing can be
 * stored, the turn is taken over at the next heartbeat.
 */
function endWithRetries(
  channel: Channel,
  turn: TurnRecord,
  result: TurnResult,
  unwritten: readonly TurnEvent[],
): TurnRecord | null {
  const crashed = () => endedWith({ kind: "crashed" }, saidText(channel.ports.store.messagesInTurn(turn.id)));
  for (const end of [() => result, () => result, crashed]) {
    try {
      return endTurn(channel, turn, end(), unwritten);
    } catch (error) {
      channel.ports.log.error("the end of a turn was not stored", { turnId: turn.id, error: describeError(error) });
    }
  }
  return null;
}

function openTurnStore(channel: Channel, { id: turnId, epoch }: TurnRecord) {
  const { ports } = channel;
  return createTurnStore(ports.store, { turnId, instance: ports.instance, epoch }, ports.clock, {
    onSteered: (closing) => void finishReply(channel, closing),
    approvers: () => effectiveSettings(ports).approvers,
    withAsked: (turn, more) => exposeMore(ports, turn, more),
  });
}

function buildSystemPrompt({ ports }: Channel, { request, createdAt }: TurnRecord): string {
  const prompt = effectiveSettings(ports).system_prompt ?? ports.config.systemPrompt;
  return `${prompt}\n\n${HEADERS_EXPLAINED} ${dayPrompt(createdAt)}${agePrompt(request)}${personaPrompt(request)}`;
}

function buildTurnParams(
  channel: Channel,
  turn: TurnRecord,
  registry: ToolRegistry,
  { models, store, reply, signal, overheard, ownFacts }: OwnPorts & Pick<TurnParams, "overheard" | "ownFacts">,
): TurnParams {
  const { ports } = channel;
  const lease = createTurnLease(channel, turn, { models, signal });
  const { config, stash, clock, timers, random, log } = ports;
  const runtime = new ToolRuntime(registry, {
    after: (ms, callback) => timers.after(ms, callback),
    clock,
    random,
    cache: ports.cache,
    ledger: store.ledger,
    approvals: store.approvals,
    secrets: listSecrets(config),
    services: createToolServices(channel, turn, lease),
    availability: readAvailability(channel, turn, models),
  });
  return {
    turnId: turn.id,
    request: turn.request,
    systemPrompt: buildSystemPrompt(channel, turn),
    // Notes belong to the channel's transcript, which a private turn in an object that others use too neither reads nor writes.
    notes: isSetApart(turn.request) ? "" : ports.notes.read(),
    overheard,
    notesAreTainted: ports.notes.areTainted(),
    ...(ownFacts && { ownFacts }),
    models,
    store,
    reply,
    runtime,
    gate: deliberateGate(
      () => (ports.store.recall(turn.id) ?? turn).exposure,
      () => runtime.schemas().map(({ name }) => name),
    ),
    stash,
    attachments: ports.attachments,
    listen: isModelFor(config.transcribeModel ?? {}, turn.request.guildId) ? ports.listen : undefined,
    usdPerMinute: config.transcribeModel?.unitPrice,
    shouldSurfaceUserErrors: isAskedFor(turn) && turn.request.impersonatedUserId === undefined,
    limits: config,
    signal,
    clock,
    timers,
    random,
    log,
    refuseCall: lease.refuseCall,
    isAskedFor: createAskedFor(ports, turn.request),
    onDue: () => rearm(channel),
  };
}
