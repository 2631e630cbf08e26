// The view that one running turn has of its channel's storage. Every write is fenced: see README.md in durable-objects.

import type { ChannelStore } from "../../src/channel/store.ts";
import { timelineText } from "../../src/core/copy/timeline.ts";
import { givenAddresses } from "../../src/core/decisions/own-words.ts";
import { MAX_JOINED_CHARS, SOFT_WARN_ITERATION_THRESHOLD } from "../../src/core/limits.ts";
import { withStep } from "../../src/core/money/usage.ts";
import { type Enrichment, NO_ENRICHMENT } from "../../src/core/state/enrichment.ts";
import type { CurrentToolCall, TurnRecord } from "../../src/core/state/record.ts";
import { type TurnEvent, withEvent } from "../../src/core/state/turn-events.ts";
import type { AskingRequest, TurnRequest } from "../../src/core/state/turn-request.ts";
import { keptTaint, worstTaint } from "../../src/core/taint/taint.ts";
import { canonicalJson } from "../../src/core/transcript/canonical.ts";
import type { ToolCall } from "../../src/core/transcript/transcript.ts";
import type { Clock, NumberedCall, TurnStore } from "../../src/turn/ports.ts";
import { describeAnswer, describeCall } from "../../src/turn/timeline.ts";
import { buildCallPlace } from "../../src/turn/tool-context.ts";
import { closed } from "./closing.ts";
import { dropAnswerFiles, keepAnswerFiles } from "./kept-files.ts";
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

/** What a turn's view of the storage needs to know about the channel. */
export interface TurnSurroundings {
  /** Called for each message that has joined the turn, with that message's own turn, which has ended. */
  onSteered: (turn: TurnRecord) => void;
  /** The roles whose members approve dangerous tools, as moderators do. */
  approvers: () => readonly string[];
  /** Adds to a turn in deliberate mode the tools that these words ask for: words of a sound, or of a message that joins it. */
  withAsked: (turn: TurnRecord, more: AskingRequest) => TurnRecord;
}

type CallSpot = Pick<NumberedCall, "messageSeq" | "position">;

/** Creates the view; the port describes each method. */
export function createTurnStore(
  store: ChannelStore,
  fence: Fence,
  clock: Clock,
  { onSteered, approvers, withAsked }: TurnSurroundings,
): TurnStore & Timeline {
  const { turnId } = fence;
  const read = () => store.recall(turnId);
  /** Timeline entries that wait for the next write: a separate write would cost as much as the step itself. */
  let unwritten: TurnEvent[] = [];
  const note: TurnStore["note"] = (what, detail, more = {}) => {
    unwritten.push({ at: clock(), what, detail, ...more });
  };
  /** Stores the record as `work` returns it, in one transaction. Does nothing and returns false if this life no longer owns the turn. */
  const write = (work: (turn: TurnRecord) => TurnRecord): boolean =>
    store.transaction(() => {
      const turn = heldTurn(store, fence);
      if (!turn) return false;
      const changed = work(turn);
      store.saveTurn({ ...changed, events: unwritten.reduce(withEvent, changed.events) });
      unwritten = [];
      return true;
    });
  /** Adds a message that waited for this turn's next tool boundary to the conversation, and ends the message's own turn. */
  const takeIn = (waiting: TurnRecord): TurnRecord => {
    store.addMessage(buildQuestion(store, waiting, turnId));
    const closing = closed(waiting, { kind: "steered" }, 0, clock());
    store.saveTurn(closing);
    return closing;
  };
  const replaceCall = ({ messageSeq, position }: CallSpot, call: ToolCall | null) => {
    const message = store.messagesInTurn(turnId).find(({ seq }) => seq === messageSeq);
    if (message) store.saveCalls(messageSeq, message.calls.with(position, call));
  };
  const ledger = createTurnLedger(store, fence, (row, current, deadlineAt) =>
    write((turn) => {
      store.putLedgerRow(row);
      return launched(turn, current, deadlineAt);
    }),
  );
  const approvals = createTurnApprovals(store, turnId, ledger, approvers);

  return {
    note,
    unwritten: () => unwritten,
    stopFlag: () => read()?.stop ?? null,
    iteration: () => read()?.iteration ?? 0,
    modelIndex: () => read()?.modelIndex ?? 0,
    toolCalls: () => read()?.toolCalls ?? 0,
    thoughts: () => read()?.thoughts ?? "",
    enrichment: () => read()?.enrichment ?? NO_ENRICHMENT,
    taint: () => read()?.taint ?? "none",
    givenAddresses() {
      const turn = read();
      return turn ? givenAddresses(turn.request) : [];
    },
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
        const usage = failed ? withStep(turn.usage, failed) : turn.usage;
        const begun = { iteration: 0, phase: "planning", checkpoint: { kind: "idle" } } as const;
        return { ...turn, ...begun, modelIndex, usage, enrichment: NO_ENRICHMENT };
      }),
    modelCallStarted(iteration, mayWarn, prepare) {
      const steered: TurnRecord[] = [];
      const isOurs = write((held) => {
        steered.push(...withRoom(held.request, store.steering(turnId)).map(takeIn));
        const turn = steered.reduce((to, { request }) => withAsked(joined(to, request), request), held);
        // Saved first, because `prepare` reads the record and offers the tools that the joining messages ask for.
        if (turn !== held) store.saveTurn(turn);
        const isSlow = mayWarn && iteration >= SOFT_WARN_ITERATION_THRESHOLD && turn.softWarnAt === null;
        const softWarnAt = isSlow ? clock() : turn.softWarnAt;
        const { ifCut, taint, call } = prepare();
        const checkpoint = { kind: "model", ifCut, call } as const;
        const level = worstTaint(turn.taint, turn.request.taint, taint);
        if (level === "full" && held.taint !== "full") note("tainted", timelineText.tainted);
        return {
          ...turn,
          ...keptTaint(level),
          phase: "streaming",
          checkpoint,
          iteration,
          softWarnAt,
          currentToolCall: null,
          toolDeadlineAt: null,
        };
      });
      for (const turn of steered) onSteered(turn);
      return isOurs;
    },
    modelAnswered(answer, thoughts) {
      let placed: NumberedCall[] = [];
      const isOurs = write((turn) => {
        const { text, details, calls, native, files, call } = answer;
        keepAnswerFiles(store, turnId, files);
        const message = { turnId, role: "assistant", text, details, calls, native, ...(call && { call }) } as const;
        const seq = store.addMessage(message);
        placed = numberCalls({ ...message, seq });
        note("model", describeAnswer(answer));
        if (calls.length > placed.length) note("limit", `${calls.length - placed.length} calls refused: too many`);
        return {
          ...turn,
          phase: "tools",
          checkpoint: { kind: "tools" },
          iteration: turn.iteration + 1,
          usage: withStep(turn.usage, answer.usage),
          toolCalls: (turn.toolCalls ?? 0) + placed.length,
          ...(thoughts !== "" && { thoughts }),
        };
      });
      return isOurs ? placed : null;
    },
    modelSaidNothing: (usage, thoughts) =>
      write((turn) => ({
        ...turn,
        checkpoint: { kind: "idle" },
        usage: withStep(turn.usage, usage),
        ...(thoughts !== "" && { thoughts }),
      })),
    // Read-only calls may simply run again, so only their results get a row.
    readsLaunched: (calls, at, deadlineAt) =>
      write((turn) => {
        const [first] = calls;
        const current = first ? { name: first.call.name, callId: first.call.id, since: at } : null;
        return launched(turn, current, deadlineAt);
      }),
    soundsHeard: (heard, microUsd) => write((turn) => withAsked(withHeard(turn, heard, microUsd), { text: "", heard })),
    callWithdrawn: ({ messageSeq, position }, { toolName, item, metadata }) =>
      write((turn) => {
        replaceCall({ messageSeq, position }, null);
        note("tool", timelineText.enriched(toolName));
        const { withdrawnTools, items } = turn.enrichment;
        const enrichment: Enrichment = {
          withdrawnTools: [...new Set([...withdrawnTools, toolName])],
          items: item ? [...items, item] : items,
          metadata: metadata || turn.enrichment.metadata,
        };
        const exposure = turn.exposure && { ...turn.exposure, enriching: [...turn.exposure.enriching, toolName] };
        return { ...turn, enrichment, ...(exposure && { exposure }) };
      }),
    // Writes only the ledger row; the current tool call and the timeline are stored with the next step.
    toolSettled(placed, { readAs, ...result }) {
      // Stores repaired arguments as they were read: otherwise the model would see an empty object as its own arguments.
      if (readAs !== undefined && heldTurn(store, fence)) replaceCall(placed, { ...placed.call, arguments: readAs });
      const { name: tool, arguments: args } = placed.call;
      note("tool", describeCall(placed.call, result));
      if (ledger.hasSettled(placed)) return heldTurn(store, fence) !== null;
      const callPlace = buildCallPlace(turnId, placed);
      return ledger.settle({ key: callPlace, callPlace, turnId, tool, args: canonicalJson(args) }, result);
    },
  };
}

/** Adds to the turn what the words that join it bring along. */
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

/** Returns a turn whose tools are running. */
const launched = (turn: TurnRecord, currentToolCall: CurrentToolCall | null, toolDeadlineAt: number): TurnRecord => ({
  ...turn,
  phase: "tools",
  currentToolCall,
  toolDeadlineAt,
});

/** Returns the messages that may join the turn now, in their order: those whose quotes and addresses still fit into the turn's row. */
function withRoom({ joinedQuotes = [], named = [] }: TurnRequest, waiting: TurnRecord[]): TurnRecord[] {
  let left = MAX_JOINED_CHARS - [...joinedQuotes, ...named].join("").length;
  return waiting.filter(({ request }) => {
    left -= [request.quoted ?? "", ...givenAddresses(request)].join("").length;
    return left >= 0;
  });
}
