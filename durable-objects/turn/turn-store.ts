// The view that one running turn has of its channel's storage. Every write is fenced: see README.md in durable-objects.

import type { ChannelStore, LedgerRow } from "../../src/channel/store.ts";
import { timelineText } from "../../src/core/copy/timeline.ts";
import { MAX_JOINED_CHARS, SOFT_WARN_ITERATION_THRESHOLD } from "../../src/core/limits.ts";
import { withStep } from "../../src/core/money/usage.ts";
import type { Enrichment } from "../../src/core/state/enrichment.ts";
import { givenAddresses } from "../../src/core/state/own-words.ts";
import type { CurrentToolCall, TurnRecord } from "../../src/core/state/record.ts";
import { type TurnEvent, withEvent } from "../../src/core/state/turn-events.ts";
import type { AskingRequest, TurnRequest } from "../../src/core/state/turn-request.ts";
import { keptTaint, worstTaint } from "../../src/core/taint/taint.ts";
import { canonicalJson } from "../../src/core/transcript/canonical.ts";
import type { ToolResult } from "../../src/toolkit/run/runtime.ts";
import type { Clock, NumberedCall, TurnStore } from "../../src/turn/ports.ts";
import { describeAnswer, describeCall } from "../../src/turn/timeline.ts";
import { closed } from "./closing.ts";
import { dropAnswerFiles, keepAnswerFiles, keepResultFiles } from "./kept-files.ts";
import { numberCalls, readRound } from "./stored-rounds.ts";
import { createTurnApprovals } from "./turn-approvals.ts";
import { createConversation, readMessageIds } from "./turn-conversation.ts";
import { type Fence, heldTurn } from "./turn-fence.ts";
import { createTurnLedger } from "./turn-ledger.ts";
import { buildQuestion, withHeard } from "./turn-texts.ts";

/** The timeline entries that are not stored yet; the write that ends the turn stores them. */
export interface Timeline {
  unwritten(): readonly TurnEvent[];
}

/**
 * Makes the view; the port describes each method. `onSteered` gets each turn that joined this one; `approvers` are the roles that approve
 * as moderators do; `withAsked` adds the tools to the turn that words of sounds, or of a message that joins it, ask for.
 */
export function createTurnStore(
  store: ChannelStore,
  fence: Fence,
  clock: Clock,
  onSteered: (turn: TurnRecord) => void,
  approvers: () => readonly string[] = () => [],
  withAsked: (turn: TurnRecord, more: AskingRequest) => TurnRecord = (turn) => turn,
): TurnStore & Timeline {
  const { turnId, instance } = fence;
  /** Timeline entries that wait for the next write: a write of their own would cost as much as the step itself. */
  let unwritten: TurnEvent[] = [];
  const note: TurnStore["note"] = (what, detail, more = {}) => {
    unwritten.push({ at: clock(), what, detail, ...more });
  };
  /** Runs one transaction: `work` gets the record and returns it changed. Null when this life no longer owns the turn. */
  const write = <Result>(work: (turn: TurnRecord) => [TurnRecord, Result]): Result | null =>
    store.transaction(() => {
      const turn = heldTurn(store, fence);
      if (!turn) return null;
      const [changed, result] = work(turn);
      store.saveTurn({ ...changed, events: unwritten.reduce(withEvent, changed.events) });
      unwritten = [];
      return result;
    });
  /** A message that waited for this turn's next tool boundary joins its conversation, and its own turn ends. */
  const takeIn = (waiting: TurnRecord): TurnRecord => {
    store.addMessage(buildQuestion(store, waiting, turnId));
    const closing = closed(waiting, { kind: "steered" }, 0, clock());
    store.saveTurn(closing);
    return closing;
  };
  /** The turn with what the words that join it bring along. */
  const joined = (turn: TurnRecord, request: TurnRequest): TurnRecord => ({
    ...turn,
    ...keptTaint(worstTaint(turn.taint, request.taint)),
    request: {
      ...turn.request,
      // Later turns read these words, too.
      ...keptTaint(worstTaint(turn.request.taint, request.taint)),
      ...(request.taint && request.quoted && { joinedQuotes: [...(turn.request.joinedQuotes ?? []), request.quoted] }),
      named: [...(turn.request.named ?? []), ...givenAddresses(request)],
    },
  });
  /** The row of a call that was answered without the ledger: it only reads, or it did not run. */
  const buildReadRow = ({ messageSeq, position, call }: NumberedCall, result: ToolResult): LedgerRow => ({
    messageSeq,
    position,
    turnId,
    tool: call.name,
    args: canonicalJson(call.arguments),
    modelIndex: store.recall(turnId)?.modelIndex ?? 0,
    instance,
    result: JSON.stringify(result),
    key: null,
  });
  const ledger = createTurnLedger(
    store,
    fence,
    (row, current, deadlineAt) =>
      write((turn) => {
        store.putLedgerRow(row);
        return [launched(turn, current, deadlineAt), true];
      }) ?? false,
  );

  const approvals = createTurnApprovals(store, turnId, ledger, approvers);

  return {
    note,
    unwritten: () => unwritten,
    stopFlag: () => store.recall(turnId)?.stop ?? null,
    iteration: () => store.recall(turnId)?.iteration ?? 0,
    modelIndex: () => store.recall(turnId)?.modelIndex ?? 0,
    toolCalls: () => store.recall(turnId)?.toolCalls ?? 0,
    thoughts: () => store.recall(turnId)?.thoughts ?? "",
    enrichment: () => store.recall(turnId)?.enrichment ?? NO_ENRICHMENT,
    messageIds: () => readMessageIds(store, turnId),
    conversation: createConversation(store, turnId),
    rounds: () =>
      store.messagesInTurn(turnId).flatMap((one) => (one.role === "assistant" ? [readRound(store, one)] : [])),
    ledger,
    approvals,
    asked: approvals.asked,
    fallbackBegun: (modelIndex, failed) =>
      write(({ thoughts: _, ...turn }) => {
        note("fallback", `model ${modelIndex + 1}`);
        for (const { call } of store.messagesInTurn(turnId)) if (call) note("dropped", call.model, { call });
        store.dropAnswers(turnId);
        dropAnswerFiles(store, turnId);
        const enrichment = NO_ENRICHMENT;
        const usage = failed ? withStep(turn.usage, failed) : turn.usage;
        return [
          { ...turn, modelIndex, usage, iteration: 0, phase: "planning", checkpoint: { kind: "idle" }, enrichment },
          true,
        ];
      }) ?? false,
    taint: () => store.recall(turnId)?.taint ?? "none",
    givenAddresses() {
      const turn = store.recall(turnId);
      return turn ? givenAddresses(turn.request) : [];
    },
    modelCallStarted(iteration, mayWarn, prepare) {
      const steered: TurnRecord[] = [];
      const isOurs = write((held) => {
        steered.push(...withRoom(held.request, store.steering(turnId)).map(takeIn));
        const turn = steered.reduce((to, { request }) => withAsked(joined(to, request), request), held);
        // The request that is prepared now offers what they ask for.
        if (turn !== held) store.saveTurn(turn);
        const isSlow = mayWarn && iteration >= SOFT_WARN_ITERATION_THRESHOLD && turn.softWarnAt === null;
        const softWarnAt = isSlow ? clock() : turn.softWarnAt;
        const { ifCut, taint, call } = prepare();
        const checkpoint = { kind: "model", ifCut, call } as const;
        const level = worstTaint(turn.taint, turn.request.taint, taint);
        if (level === "full" && held.taint !== "full") note("tainted", timelineText.tainted);
        return [
          {
            ...turn,
            ...keptTaint(level),
            phase: "streaming",
            checkpoint,
            iteration,
            softWarnAt,
            currentToolCall: null,
            toolDeadlineAt: null,
          },
          true,
        ];
      });
      if (isOurs) for (const turn of steered) onSteered(turn);
      return isOurs ?? false;
    },
    modelAnswered: (answer, thoughts) =>
      write((turn) => {
        const { text, details, calls, native, files, call } = answer;
        keepAnswerFiles(store, turnId, files);
        const message = { turnId, role: "assistant", text, details, calls, native, ...(call && { call }) } as const;
        const seq = store.addMessage(message);
        const placed = numberCalls({ ...message, seq });
        note("model", describeAnswer(answer));
        if (calls.length > placed.length) note("limit", `${calls.length - placed.length} calls refused: too many`);
        const changed: TurnRecord = {
          ...turn,
          phase: "tools",
          checkpoint: { kind: "tools" },
          iteration: turn.iteration + 1,
          usage: withStep(turn.usage, answer.usage),
          toolCalls: (turn.toolCalls ?? 0) + placed.length,
          ...(thoughts === "" ? {} : { thoughts }),
        };
        return [changed, placed];
      }),
    modelSaidNothing: (usage, thoughts) =>
      write((turn) => [
        {
          ...turn,
          checkpoint: { kind: "idle" },
          usage: withStep(turn.usage, usage),
          ...(thoughts === "" ? {} : { thoughts }),
        },
        true,
      ]) ?? false,
    // A read-only call may simply run again, so only its result is stored as a row.
    readsLaunched: (calls, at, deadlineAt) =>
      write((turn) => {
        const [first] = calls;
        const current = first ? { name: first.call.name, callId: first.call.id, since: at } : null;
        return [launched(turn, current, deadlineAt), true];
      }) ?? false,
    soundsHeard: (heard, microUsd) =>
      write((turn) => [withAsked(withHeard(turn, heard, microUsd), { text: "", heard }), true]) ?? false,
    callWithdrawn: ({ messageSeq, position }, { toolName, item, metadata }) =>
      write((turn) => {
        const message = store.messagesInTurn(turnId).find(({ seq }) => seq === messageSeq);
        if (message) store.saveCalls(messageSeq, message.calls.with(position, null));
        note("tool", timelineText.enriched(toolName));
        const { withdrawnTools, items } = turn.enrichment;
        const enrichment: Enrichment = {
          withdrawnTools: [...new Set([...withdrawnTools, toolName])],
          items: item ? [...items, item] : items,
          metadata: metadata || turn.enrichment.metadata,
        };
        const exposure = turn.exposure && { ...turn.exposure, enriching: [...turn.exposure.enriching, toolName] };
        return [{ ...turn, enrichment, ...(exposure && { exposure }) }, true];
      }) ?? false,
    // Writes only the ledger row; the current tool call and the timeline are stored with the next step.
    toolSettled(call, result) {
      note("tool", describeCall(call.call, result));
      if (ledger.hasSettled(call)) return heldTurn(store, fence) !== null;
      return store.transaction(() => {
        if (!heldTurn(store, fence)) return false;
        store.putLedgerRow(buildReadRow(call, keepResultFiles(store, turnId, result)));
        return true;
      });
    },
  };
}

/** A turn whose tools run. */
const launched = (turn: TurnRecord, currentToolCall: CurrentToolCall | null, toolDeadlineAt: number): TurnRecord => ({
  ...turn,
  phase: "tools",
  currentToolCall,
  toolDeadlineAt,
});

/** Those of the messages that wait to join a turn whose quotes and addresses its row has room for, in their order. */
function withRoom({ joinedQuotes = [], named = [] }: TurnRequest, waiting: TurnRecord[]): TurnRecord[] {
  let left = MAX_JOINED_CHARS - [...joinedQuotes, ...named].join("").length;
  return waiting.filter(({ request }) => {
    left -= [request.quoted ?? "", ...givenAddresses(request)].join("").length;
    return left >= 0;
  });
}

const NO_ENRICHMENT: Enrichment = { withdrawnTools: [], items: [], metadata: false };
