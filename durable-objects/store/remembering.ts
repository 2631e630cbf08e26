// A cache over the store for one life of the object, so that a long turn does not read the same rows before every step.
// All writes of this life go through it, so it can be wrong only when another life has written. Code that acts on a
// cached record first checks the stored lock, which is never cached.
import type { AskedWith, ChannelStore, StoredMessage } from "../../src/channel/store.ts";
import { transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { Lock, TurnRecord } from "../../src/core/state/record.ts";
import { isOver, unfinishedTurns } from "../../src/core/state/unfinished.ts";
import { channelState } from "./sqlite.ts";

/** Twice as many turns as a model request has messages, because a summary reads further back. */
const MAX_ASKED = 120;
/** How many more rows are read than a reader wants, so that enough are left without the messages of one turn. */
const SPARE_ROWS = 20;

/** The unfinished turns, in their order. Valid while the stored lock is this one. */
interface Open {
  lock: Lock;
  turns: TurnRecord[];
}

/** All messages of one turn. */
interface Own {
  turnId: string;
  messages: StoredMessage[];
}

/** The newest messages of a transcript. */
interface Ended {
  privateTo: string | null;
  rows: number;
  messages: StoredMessage[];
}

/** Values that the store is asked for only once, until one of them changes. */
type Kept = "settings" | "parentSettings" | "scopeNote" | "hasReports" | "summary";

/** Wraps a store with a cache of the settings, the unfinished turns, the running turn's messages, and the messages before it. */
export function remembering<Store extends ChannelStore>(store: Store): Store {
  const running = new Map<string, TurnRecord>();
  const asked = new Map<string, AskedWith>();
  const values = new Map<Kept, unknown>();
  let own: Own | null = null;
  let open: Open | null = null;
  let ended: Ended | null = null;
  const forget = () => {
    for (const cache of [running, asked, values]) cache.clear();
    [own, open, ended] = [null, null, null];
  };
  /** Makes a method that asks the store only once. */
  const kept = <Name extends Kept>(name: Name) =>
    (() => {
      if (!values.has(name)) values.set(name, store[name]());
      return values.get(name);
    }) as ChannelStore[Name];
  /** Makes a method that drops this value, or everything, from the cache before it changes the store. */
  const changes = <Name extends keyof ChannelStore>(value: Kept | "anything", name: Name) =>
    ((...args: unknown[]) => {
      if (value === "anything") forget();
      else values.delete(value);
      return (store[name] as (...args: unknown[]) => unknown)(...args);
    }) as ChannelStore[Name];
  const openTurn = (id: string) => open?.turns.find((turn) => turn.id === id);
  const keep = (turn: TurnRecord) => {
    asked.delete(turn.id);
    if (turn.state === "running") running.set(turn.id, turn);
    else running.delete(turn.id);
  };
  const keepWritten = (turn: TurnRecord, isNew = false) => {
    keep(turn);
    const before = openTurn(turn.id);
    // A turn that had ended may be open again.
    if (!before && !isNew) open = null;
    if (open)
      open.turns = [...open.turns.filter((one) => one !== before), turn].filter((one) => !isOver(one)).sort(inOrder);
    const transcript = before ? transcriptOf(before) : isNew ? null : undefined;
    if (transcript !== transcriptOf(turn)) ended = transcript === null ? withEnd(ended, turn, own) : null;
  };
  return {
    ...store,
    settings: kept("settings"),
    putSetting: changes("settings", "putSetting"),
    parentSettings: kept("parentSettings"),
    saveParentSettings: changes("parentSettings", "saveParentSettings"),
    scopeNote: kept("scopeNote"),
    saveScopeNote: changes("scopeNote", "saveScopeNote"),
    hasReports: kept("hasReports"),
    putReport: changes("hasReports", "putReport"),
    dropReport: changes("hasReports", "dropReport"),
    summary: kept("summary"),
    saveSummary: changes("summary", "saveSummary"),
    saveCalls: changes("anything", "saveCalls"),
    dropAnswers: changes("anything", "dropAnswers"),
    forgetTranscript: changes("anything", "forgetTranscript"),
    forgetTurn: changes("anything", "forgetTurn"),
    forgetPerson: changes("anything", "forgetPerson"),
    expire: changes("anything", "expire"),
    prune: changes("anything", "prune"),
    transaction(work) {
      try {
        return store.transaction(work);
      } catch (error) {
        forget();
        throw error;
      }
    },
    state() {
      const lock = store.lock();
      if (open?.lock !== lock) open = { lock, turns: unfinishedTurns(store.state()).sort(inOrder) };
      return channelState(lock, open.turns);
    },
    saveLock(lock) {
      store.saveLock(lock);
      // Read back at once, so that a later write by another life is not mistaken for this one.
      if (open) open.lock = store.lock();
    },
    recall(id) {
      const known = running.get(id);
      if (known) return known;
      const turn = store.turn(id);
      if (turn) keep(turn);
      return turn;
    },
    recallAsked(id) {
      const known = running.get(id)?.request ?? asked.get(id);
      if (known) return known;
      const request = store.recallAsked(id);
      if (!request) return null;
      // Keeps only these fields: the question's text and files are already in memory as a message.
      const { taint, quoted, joinedQuotes, heard, persona } = request;
      const kept: AskedWith = {
        ...(taint && { taint }),
        ...(quoted !== undefined && { quoted }),
        ...(joinedQuotes && { joinedQuotes }),
        ...(heard && { heard }),
        ...(persona && { persona }),
      };
      asked.set(id, kept);
      const [oldest] = asked.keys();
      if (asked.size > MAX_ASKED && oldest !== undefined) asked.delete(oldest);
      return kept;
    },
    steering: (turnId) =>
      open ? open.turns.filter(({ state, steers }) => state === "queued" && steers === turnId) : store.steering(turnId),
    insertTurn(turn) {
      store.insertTurn(turn);
      keepWritten(turn, true);
    },
    saveTurn(turn) {
      store.saveTurn(turn);
      keepWritten(turn);
    },
    addMessage(message) {
      const seq = store.addMessage(message);
      if (own?.turnId === message.turnId)
        own = { turnId: own.turnId, messages: [...own.messages, { ...message, seq }] };
      const turn = openTurn(message.turnId) ?? store.turn(message.turnId);
      if (turn && transcriptOf(turn) !== null) ended = null;
      return seq;
    },
    messagesInTurn(turnId) {
      if (own?.turnId !== turnId) own = { turnId, messages: store.messagesInTurn(turnId) };
      return own.messages;
    },
    messagesBefore(turnId, rows, privateTo) {
      if (!ended || ended.privateTo !== privateTo || ended.rows < rows) {
        const read = rows + SPARE_ROWS;
        ended = { privateTo, rows: read, messages: store.messagesBefore("", read, privateTo) };
      }
      const others = ended.messages.filter((message) => message.turnId !== turnId);
      const hasEnough = others.length >= rows || ended.messages.length < ended.rows;
      return hasEnough
        ? others.slice(Math.max(0, others.length - rows))
        : store.messagesBefore(turnId, rows, privateTo);
    },
  };
}

/** The order in which the store returns turns. */
const inOrder = (a: TurnRecord, b: TurnRecord): number =>
  a.queuePosition - b.queuePosition || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

/** Returns a text that names the transcript with the messages of this turn; null if no transcript has them, or not yet. */
function transcriptOf({ state, checkpoint, request, forgotten }: TurnRecord): string | null {
  const isSilent = checkpoint.kind === "send" && "silent" in checkpoint.ending;
  if ((state !== "closing" && state !== "finished") || isSilent || request.catchUp || forgotten) return null;
  return `of ${transcriptOwner(request)}`;
}

/** Returns the transcript with this turn added; null if it has to be read from the store. */
function withEnd(ended: Ended | null, { id, request }: TurnRecord, own: Own | null): Ended | null {
  if (!ended || own?.turnId !== id || ended.privateTo !== transcriptOwner(request)) return null;
  const messages = [...ended.messages, ...own.messages].sort((one, other) => one.seq - other.seq);
  return { ...ended, messages: messages.slice(-ended.rows) };
}
