// A cache over the store for one life of the object, so that a long turn does not read the same rows before every step.
// All writes of this life go through it, so it can be wrong only when another life has written. Code that acts on a
// cached record first checks the stored lock, which is never cached.
import type { StoredSettings } from "../../src/channel/settings.ts";
import type { AskedWith, ChannelStore, StoredMessage } from "../../src/channel/store.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { ScopeNote } from "../../src/core/state/rpc.ts";

/** As many turns as a request has messages, and the same again: a summary reads further back. */
const MAX_ASKED = 120;

/** Wraps a store with a cache of the settings and of the running turn: its record, its messages, and those before it. */
export function remembering<Store extends ChannelStore>(store: Store): Store {
  const running = new Map<string, TurnRecord>();
  const asked = new Map<string, AskedWith>();
  let own: { turnId: string; messages: StoredMessage[] } | null = null;
  let unsteered: string | null = null;
  let before: { turnId: string; rows: number; privateTo: string | null; messages: StoredMessage[] } | null = null;
  let settings: StoredSettings | null = null;
  let parentSettings: StoredSettings | null = null;
  let scopeNote: { value: ScopeNote | null } | null = null;
  let hasReports: boolean | null = null;
  const forget = () => {
    running.clear();
    asked.clear();
    scopeNote = null;
    hasReports = null;
    settings = null;
    parentSettings = null;
    own = null;
    before = null;
    unsteered = null;
  };
  const keep = (turn: TurnRecord) => {
    asked.delete(turn.id);
    if (turn.state === "running") running.set(turn.id, turn);
    else running.delete(turn.id);
  };
  const keepWritten = (turn: TurnRecord) => {
    keep(turn);
    // When another turn ends, it joins the messages before this one.
    if (before?.turnId !== turn.id) before = null;
    if (turn.steers === unsteered) unsteered = null;
  };
  return {
    ...store,
    transaction(work) {
      try {
        return store.transaction(work);
      } catch (error) {
        forget();
        throw error;
      }
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
      // A whole request has the question's words and files, which are in memory as a message.
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
    steering(turnId) {
      if (unsteered === turnId) return [];
      const waiting = store.steering(turnId);
      if (waiting.length === 0) unsteered = turnId;
      return waiting;
    },
    insertTurn(turn) {
      store.insertTurn(turn);
      keepWritten(turn);
    },
    saveTurn(turn) {
      store.saveTurn(turn);
      keepWritten(turn);
    },
    addMessage(message) {
      const seq = store.addMessage(message);
      if (own?.turnId === message.turnId)
        own = { turnId: own.turnId, messages: [...own.messages, { ...message, seq }] };
      if (before?.turnId !== message.turnId) before = null;
      return seq;
    },
    messagesInTurn(turnId) {
      if (own?.turnId !== turnId) own = { turnId, messages: store.messagesInTurn(turnId) };
      return own.messages;
    },
    messagesBefore(turnId, rows, privateTo) {
      if (before?.turnId !== turnId || before.rows !== rows || before.privateTo !== privateTo)
        before = { turnId, rows, privateTo, messages: store.messagesBefore(turnId, rows, privateTo) };
      return before.messages;
    },
    saveCalls(seq, calls) {
      forget();
      store.saveCalls(seq, calls);
    },
    dropAnswers(turnId) {
      forget();
      store.dropAnswers(turnId);
    },
    settings() {
      settings ??= store.settings();
      return settings;
    },
    putSetting(key, value) {
      settings = null;
      store.putSetting(key, value);
    },
    parentSettings() {
      parentSettings ??= store.parentSettings();
      return parentSettings;
    },
    saveParentSettings(changed) {
      parentSettings = null;
      store.saveParentSettings(changed);
    },
    scopeNote() {
      scopeNote ??= { value: store.scopeNote() };
      return scopeNote.value;
    },
    saveScopeNote(note) {
      scopeNote = null;
      store.saveScopeNote(note);
    },
    hasReports() {
      hasReports ??= store.hasReports();
      return hasReports;
    },
    putReport(report) {
      hasReports = null;
      store.putReport(report);
    },
    dropReport(turnId) {
      hasReports = null;
      store.dropReport(turnId);
    },
    forgetTranscript() {
      forget();
      return store.forgetTranscript();
    },
    forgetTurn(turnId) {
      forget();
      store.forgetTurn(turnId);
    },
    forgetPerson(userId) {
      forget();
      return store.forgetPerson(userId);
    },
    expire(before, batch) {
      forget();
      return store.expire(before, batch);
    },
    prune(retention, batch) {
      forget();
      return store.prune(retention, batch);
    },
  };
}
