// The contract of every channel storage. The same cases run over the in-memory store (node lane) and over SQLite inside the
// runtime (workers lane), so that the fake can't drift from the real one.

import type { ChannelStore } from "../../src/channel/store.ts";
import { newTurn, type TurnRecord, type TurnRequest } from "../../src/core/state/record.ts";

/** A turn request with this interaction id. */
export const testRequest = (id: string, userId = "10"): TurnRequest => ({
  interactionId: id,
  token: `token-${id}`,
  applicationId: "1",
  receivedAt: 1000,
  channelId: "2",
  guildId: null,
  userId,
  userName: `user ${userId}`,
  moderator: false,
  locale: "en-US",
  text: `text of ${id}`,
});

/** A turn in this state. Each has a creation time of its own, so that the order is the order of ids. */
export const turnIn = (state: TurnRecord["state"], id: string, queuePosition = 0): TurnRecord =>
  newTurn(testRequest(id), state, queuePosition, Number(id));

/** One rule of the port: its name, and a run that returns the actual and the expected value. */
export interface ContractCase {
  name: string;
  run: (store: ChannelStore) => [seen: unknown, wanted: unknown];
}

/** An answer of a turn. */
export const said = (turnId: string, text: string) => ({
  turnId,
  role: "assistant" as const,
  text,
  details: "",
  calls: [],
  native: null,
});
/** A call's row. */
export const row = (messageSeq: number, position: number, result: string | null) => ({
  messageSeq,
  position,
  turnId: "1",
  tool: "count",
  args: "{}",
  modelIndex: 0,
  instance: "life",
  result,
  key: null,
});

/** Every rule of the port. */
export const storeContract: ContractCase[] = [
  {
    name: "a fresh channel has a free lock and nothing to do",
    run: (store) => [store.state(), { lock: store.lock(), running: null, queue: [], parked: [], closing: [] }],
  },
  {
    name: "the lock is what was last saved, its epoch included",
    run(store) {
      const lock = { ...store.lock(), turnId: "1", instance: "life", epoch: 7, followUps: { userId: "10", count: 2 } };
      store.saveLock({ ...lock, epoch: 6 });
      store.saveLock(lock);
      return [store.lock(), lock];
    },
  },
  {
    name: "turns are found by state, queued ones in the order of their place and then their age, and ended ones not at all",
    run(store) {
      for (const turn of [
        turnIn("queued", "5", 2),
        turnIn("queued", "4", 1),
        turnIn("queued", "3", 1),
        turnIn("queued", "9", -1),
        turnIn("running", "2"),
        turnIn("parked", "6"),
        turnIn("closing", "7"),
        turnIn("finished", "1"),
        turnIn("refused", "8"),
      ])
        store.insertTurn(turn);
      const { running, queue, parked, closing } = store.state();
      const ids = (turns: (TurnRecord | null)[]) => turns.map((turn) => turn?.id);
      return [
        [ids([running]), ids(queue), ids(parked), ids(closing)],
        [["2"], ["9", "3", "4", "5"], ["6"], ["7"]],
      ];
    },
  },
  {
    name: "a turn is read as it was saved, snowflakes to the last digit",
    run(store) {
      const turn = { ...turnIn("queued", "1180000000000000123"), events: [{ at: 1, what: "admitted" }] };
      store.insertTurn(turn);
      const events = [...turn.events, { at: 2, what: "started", detail: 'after "1 s"' }];
      const changed: TurnRecord = { ...turn, state: "running", epoch: 3, parts: [{ state: "sent", id: "9" }], events };
      store.saveTurn(changed);
      return [store.turn("1180000000000000123"), changed];
    },
  },
  {
    name: "the newest turns come first, without the refused ones",
    run(store) {
      const at = (id: string, createdAt: number, state: TurnRecord["state"] = "finished") =>
        store.insertTurn({ ...turnIn(state, id), createdAt });
      at("1", 100);
      at("2", 300, "running");
      at("3", 200);
      at("4", 400, "refused");
      at("5", 300);
      return [store.recentTurns(3, { userId: "99", moderator: true }).map(({ id }) => id), ["5", "2", "3"]];
    },
  },
  {
    name: "a turn can be inserted only once",
    run(store) {
      store.insertTurn(turnIn("queued", "1"));
      return [throws(() => store.insertTurn(turnIn("queued", "1"))), true];
    },
  },
  {
    name: "a transaction that throws leaves nothing behind, and the next one works",
    run(store) {
      const failed = throws(() =>
        store.transaction(() => {
          store.insertTurn(turnIn("queued", "1"));
          store.saveLock({ ...store.lock(), epoch: 9 });
          store.addMessage(said("1", "never"));
          throw new Error("in the middle");
        }),
      );
      store.transaction(() => store.insertTurn(turnIn("queued", "2")));
      const seen = [failed, store.turn("1"), store.lock().epoch, store.messagesInTurn("1"), store.turn("2")?.id];
      return [seen, [true, null, 0, [], "2"]];
    },
  },
  {
    name: "messages keep their order, and the earlier ones are those of other turns that have ended with an answer",
    run(store) {
      store.insertTurn(turnIn("finished", "1"));
      store.insertTurn(turnIn("closing", "2"));
      store.insertTurn(turnIn("parked", "3"));
      store.insertTurn(turnIn("running", "4"));
      const checkpoint = { kind: "send", ending: { kind: "completed", silent: true }, chars: 0 } as const;
      store.insertTurn({ ...turnIn("finished", "5"), checkpoint });
      for (const id of ["1", "3", "2", "5", "4", "1"]) store.addMessage(said(id, `of ${id}`));
      const texts = (messages: { text: string }[]) => messages.map(({ text }) => text);
      return [
        [
          texts(store.messagesInTurn("1")),
          texts(store.messagesBefore("4", 10, null)),
          texts(store.messagesBefore("4", 2, null)),
        ],
        [
          ["of 1", "of 1"],
          ["of 1", "of 2", "of 1"],
          ["of 2", "of 1"],
        ],
      ];
    },
  },
  {
    name: "a read between two writes finds what was last written, and never what a failed transaction wrote",
    run(store) {
      const turn = turnIn("running", "1");
      store.insertTurn(turn);
      const looks = [store.recall("1")?.iteration, store.recall("2")];
      store.saveTurn({ ...turn, iteration: 1 });
      looks.push(store.recall("1")?.iteration);
      throws(() =>
        store.transaction(() => {
          store.saveTurn({ ...turn, iteration: 2 });
          store.addMessage(said("1", "never"));
          throw new Error("in the middle");
        }),
      );
      looks.push(store.recall("1")?.iteration, store.messagesInTurn("1").length);
      store.saveTurn({ ...turn, state: "finished", iteration: 3 });
      looks.push(store.recall("1")?.iteration);
      return [looks, [0, null, 1, 1, 0, 3]];
    },
  },
  {
    name: "turns that wait to join a running one are listed in their order for as long as they wait",
    run(store) {
      const waiting = (id: string, place: number) => ({ ...turnIn("queued", id, place), steers: "1" });
      store.insertTurn(turnIn("running", "1"));
      const looks: string[][] = [];
      const look = () => looks.push(store.steering("1").map(({ id }) => id));
      look();
      store.insertTurn(turnIn("queued", "2"));
      look();
      store.insertTurn(waiting("3", 2));
      store.insertTurn(waiting("4", 1));
      look();
      store.saveTurn({ ...waiting("4", 1), state: "closing" });
      look();
      store.saveTurn({ ...waiting("3", 2), steers: null });
      look();
      store.saveTurn(waiting("2", 0));
      look();
      return [looks, [[], [], ["4", "3"], ["3"], [], ["2"]]];
    },
  },
  {
    name: "messages that were read once are read again when they have changed",
    run(store) {
      const calls = [{ id: "a", name: "count", arguments: "{}" }];
      store.insertTurn(turnIn("running", "2"));
      store.insertTurn(turnIn("parked", "1"));
      store.addMessage(said("1", "parked"));
      const looks: unknown[] = [];
      const look = () => {
        const texts = [...store.messagesBefore("2", 9, null), ...store.messagesInTurn("2")].map(
          ({ text, calls }) => `${text}${calls.length > 0 ? JSON.stringify(calls.map((call) => call?.id)) : ""}`,
        );
        looks.push(texts.join(" "));
      };
      look();
      const seq = store.addMessage({ ...said("2", "own"), calls });
      look();
      store.saveTurn({ ...turnIn("parked", "1"), state: "finished" });
      look();
      store.saveCalls(seq, [null]);
      look();
      store.dropAnswers("2");
      look();
      store.forgetTranscript();
      look();
      return [looks, ["", 'own["a"]', 'parked own["a"]', "parked own[null]", "parked", ""]];
    },
  },
  {
    name: "the calls of an answer come back as the model wrote them",
    run(store) {
      const calls = [{ id: "a", name: "count", arguments: '{"n":1}' }];
      const seq = store.addMessage({ ...said("1", ""), details: "aside", calls, native: { signature: "x" } });
      const before = store.messagesInTurn("1");
      store.saveCalls(seq, [null]);
      return [
        [before, store.messagesInTurn("1")],
        [
          [{ seq, ...said("1", ""), details: "aside", calls, native: { signature: "x" } }],
          [{ seq, ...said("1", ""), details: "aside", calls: [null], native: { signature: "x" } }],
        ],
      ];
    },
  },
  {
    name: "an attempt's answers can be dropped; its results and its launches without a result stay for an equal call of a later attempt",
    run(store) {
      store.addMessage({ ...said("1", "question"), role: "user" });
      store.addMessage(said("1", "answer"));
      store.addMessage(said("2", "of another turn"));
      store.putLedgerRow(row(5, 0, '"first"'));
      store.putLedgerRow(row(6, 0, '"second"'));
      store.putLedgerRow(row(7, 0, null));
      store.putLedgerRow({ ...row(8, 0, '"of now"'), modelIndex: 1 });
      store.putLedgerRow({ ...row(9, 0, '"other"'), args: "[]" });
      store.dropAnswers("1");
      return [
        [
          store.messagesInTurn("1").map(({ text }) => text),
          store.messagesInTurn("2").length,
          store.resultsFor("1", "count", "{}").map(({ modelIndex, result }) => `${modelIndex} ${result}`),
          store.resultsFor("2", "count", "{}"),
        ],
        [["question"], 1, ['0 "first"', '0 "second"', "0 null", '1 "of now"'], []],
      ];
    },
  },
  {
    name: "a call is launched, then settled, and keeps the life that settled it",
    run(store) {
      store.putLedgerRow(row(5, 1, null));
      store.putLedgerRow(row(5, 0, '{"ok":true}'));
      store.putLedgerRow({ ...row(5, 1, '{"ok":false}'), instance: "next life" });
      const rows = [row(5, 0, '{"ok":true}'), { ...row(5, 1, '{"ok":false}'), instance: "next life" }];
      return [
        [store.ledgerRowsFor(5), store.ledgerRow(5, 1), store.ledgerRow(5, 2), store.ledgerRowsFor(6)],
        [rows, rows[1], null, []],
      ];
    },
  },
  {
    name: "a named effect is found by its name, the newest of any turn, and keeps the name when it is settled",
    run(store) {
      store.putLedgerRow({ ...row(5, 0, "{}"), key: "a" });
      store.putLedgerRow({ ...row(7, 0, null), turnId: "2", key: "a" });
      store.putLedgerRow({ ...row(7, 0, "{}"), turnId: "2", key: "a" });
      store.putLedgerRow(row(8, 0, "{}"));
      return [
        [store.ledgerRowByKey("a"), store.ledgerRowByKey("b")],
        [{ ...row(7, 0, "{}"), turnId: "2", key: "a" }, null],
      ];
    },
  },
  {
    name: "a turn's settled calls are counted, without launched ones and other turns', and its successes by tool",
    run(store) {
      store.putLedgerRow(row(5, 0, '{"ok":true}'));
      store.putLedgerRow(row(5, 1, null));
      store.putLedgerRow({ ...row(6, 0, '{"ok":false,"data":{"ok":true}}'), tool: "look" });
      store.putLedgerRow({ ...row(7, 0, '{"ok":true}'), turnId: "2" });
      return [
        [store.settledCalls("1"), store.settledCalls("2"), store.settledCalls("3"), store.succeededCalls("1")],
        [2, 1, 0, { count: 1 }],
      ];
    },
  },
  {
    name: "a setting is set, replaced and cleared",
    run(store) {
      store.putSetting("follow_up", "queue");
      store.putSetting("follow_up", "steer");
      store.putSetting("kill_policy", "anyone");
      store.putSetting("kill_policy", null);
      return [store.settings(), { follow_up: "steer" }];
    },
  },
  {
    name: "the parent's settings are those saved last",
    run(store) {
      const before = store.parentSettings();
      store.saveParentSettings({ follow_up: "queue", private: "true" });
      store.saveParentSettings({ follow_up: "steer" });
      return [
        [before, store.parentSettings(), store.settings()],
        [{}, { follow_up: "steer" }, {}],
      ];
    },
  },
  {
    name: "forgetting the transcript keeps unfinished turns",
    run(store) {
      store.insertTurn(turnIn("finished", "1"));
      store.insertTurn(turnIn("running", "2"));
      const seq = store.addMessage(said("1", "old"));
      store.putLedgerRow(row(seq, 0, "{}"));
      store.addMessage(said("2", "now"));
      const seen = [
        store.forgetTranscript(),
        store.messagesInTurn("1"),
        store.messagesInTurn("2").length,
        store.ledgerRowsFor(seq),
      ];
      return [seen, [1, [], 1, []]];
    },
  },
  {
    name: "pruning deletes the oldest turns beyond the limit, refused ones separately, a batch at a time, and nothing of an unfinished turn",
    run(store) {
      for (const id of ["6", "7"]) store.insertTurn(turnIn("refused", id));
      store.insertTurn(turnIn("queued", "1"));
      store.addMessage(said("1", "waits"));
      for (const id of ["2", "3", "4", "5"]) {
        store.insertTurn(turnIn("finished", id));
        const seq = store.addMessage(said(id, `of ${id}`));
        store.putLedgerRow({ ...row(seq, 0, "{}"), turnId: id });
      }
      const seen = [1, 10, 10].map((batch) => store.prune({ turns: 2, refused: 1, messages: 2 }, batch));
      const ids = ["1", "2", "3", "4", "5", "6", "7"];
      const kept = ids.map((id) => [store.turn(id) !== null, store.messagesInTurn(id).length]);
      return [
        [seen, kept, store.sizes()],
        [
          [4, 3, 0],
          [
            [true, 1],
            [false, 0],
            [false, 0],
            [true, 1],
            [true, 1],
            [false, 0],
            [true, 0],
          ],
          { turns: 4, messages: 3 },
        ],
      ];
    },
  },
];

function throws(work: () => void): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
