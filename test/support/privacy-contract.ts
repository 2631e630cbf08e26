// The part of the storage's contract that is about people: private turns, what is deleted for one person, and what is too old.
// The same cases run wherever those of store-contract.ts run.
import type { TurnRecord } from "../../src/core/state/record.ts";
import { type ContractCase, testRequest, turnIn } from "./store-contract.ts";

/** A finished turn of a person; with `isPrivate`, one that only they can see. */
const turnBy = (userId: string, id: string, isPrivate: boolean) => ({
  ...turnIn("finished", id),
  request: { ...testRequest(id, userId), ...(isPrivate && { privateTo: userId }) },
});
const asked = (turnId: string) => ({
  turnId,
  role: "user" as const,
  text: `of ${turnId}`,
  details: "",
  calls: [],
  native: null,
});

/** The rules. */
export const privacyContract: ContractCase[] = [
  {
    name: "people are numbered from 1, once each, and a forgotten person's number is not reused",
    run(store) {
      const first = ["10", "20", "10", "30"].map((id) => store.numberSpeaker(id));
      for (const id of ["20", "30"]) store.forgetPerson(id);
      return [
        [first, ["10", "20", "40"].map((id) => store.numberSpeaker(id))],
        [
          [1, 2, 1, 3],
          [1, 4, 5],
        ],
      ];
    },
  },
  {
    name: "a question has its speaker, an answer has none",
    run(store) {
      const speaker = { id: "10", name: "Mira", number: 1, at: 5, rested: true, re: 3 } as const;
      store.insertTurn(turnBy("10", "1", false));
      store.addMessage({ ...asked("1"), speaker });
      store.addMessage({ ...asked("1"), role: "assistant" });
      const read = [store.messagesInTurn("1"), store.messagesBefore("2", 9, null)];
      return [
        read.map((rows) => rows.map((one) => one.speaker)),
        [
          [speaker, undefined],
          [speaker, undefined],
        ],
      ];
    },
  },
  {
    name: "the summary is what was last saved, and is deleted with the words of anyone in it, by age, and with the last turn",
    run(store) {
      const summary = (users: string[], at = 500) => ({
        ...{ text: "About: tea.", fromSeq: 1, toSeq: 2, messages: 2, model: "m", tokens: 3 },
        ...{ users, at },
      });
      const seen: unknown[] = [store.summary()];
      const after = (change: () => void, users: string[], at?: number) => {
        store.saveSummary(summary(users, at));
        change();
        seen.push(store.summary()?.users ?? null);
      };
      store.insertTurn(turnBy("10", "300", false));
      after(() => {}, ["9"]);
      after(() => store.forgetPerson("9"), ["9", "10"]);
      after(() => store.forgetPerson("9"), ["99", "10"]);
      after(() => store.forgetTranscript(), ["10"]);
      after(() => store.expire(200, 9), ["10"]);
      after(() => store.expire(200, 9), ["10"], 200);
      after(() => store.expire(300, 9), ["10"]);
      return [seen, [null, ["9"], null, ["99", "10"], null, ["10"], null, null]];
    },
  },
  {
    name: "a private turn's messages belong to one person's transcript and to no other",
    run(store) {
      for (const [userId, id, isPrivate] of [
        ["10", "1", false],
        ["10", "2", true],
        ["20", "3", true],
        ["10", "4", true],
      ] as const) {
        store.insertTurn(turnBy(userId, id, isPrivate));
        store.addMessage(asked(id));
      }
      const texts = (turnId: string, privateTo: string | null) =>
        store.messagesBefore(turnId, 9, privateTo).map(({ text }) => text);
      return [
        [texts("9", null), texts("4", "10"), texts("9", "20"), texts("9", "30")],
        [["of 1"], ["of 2"], ["of 3"], []],
      ];
    },
  },
  {
    name: "a person's questions since a time come newest first, without refused ones, those that joined a turn, and reminders",
    run(store) {
      const at = (id: string, createdAt: number, more: Partial<TurnRecord> = {}) =>
        store.insertTurn({ ...turnIn("finished", id), createdAt, ...more });
      at("1", 100);
      at("2", 101);
      at("3", 300, { state: "queued" });
      at("4", 200, { state: "refused" });
      at("5", 201, { steers: "1" });
      at("6", 202, { request: { ...testRequest("6"), reminder: { text: "tea", dueAt: 1 } } });
      at("7", 203, { request: testRequest("7", "11") });
      return [store.askedSince("10", 100), [300, 101]];
    },
  },
  {
    name: "a turn reads other earlier messages as soon as it has become private",
    run(store) {
      store.insertTurn(turnBy("10", "1", false));
      store.insertTurn(turnBy("10", "2", true));
      for (const id of ["1", "2"]) store.addMessage(asked(id));
      const looks = [null, "10", null].map((owner) => store.messagesBefore("3", 9, owner).map(({ text }) => text));
      return [looks, [["of 1"], ["of 2"], ["of 1"]]];
    },
  },
  {
    name: "people find their own turns, moderators all except those private to another person",
    run(store) {
      store.insertTurn(turnBy("10", "1", false));
      store.insertTurn(turnBy("10", "2", true));
      store.insertTurn(turnBy("20", "3", false));
      store.insertTurn(turnBy("20", "4", true));
      const ids = (userId: string, moderator: boolean) =>
        store.recentTurns(9, { userId, moderator }).map(({ id }) => id);
      return [
        [ids("10", false), ids("10", true), ids("30", true), ids("30", false)],
        [["2", "1"], ["3", "2", "1"], ["3", "1"], []],
      ];
    },
  },
  {
    name: "forgetting the transcript leaves no words, names, files or tokens in the records of finished turns",
    run(store) {
      const secret = (state: TurnRecord["state"], id: string): TurnRecord => ({
        ...turnIn(state, id),
        request: {
          ...testRequest(id),
          userName: "SECRET name",
          text: "SECRET text",
          token: "SECRET token",
          attachments: [{ ...FILE, url: "https://SECRET/", proxyUrl: "https://SECRET/" }],
          heard: [{ id: FILE.id, name: FILE.filename, text: "SECRET" }],
        },
        approval: { ...ASKED, args: '{"SECRET":1}', summary: "SECRET" },
        voice: { kind: "webhook", id: "1", token: "SECRET" },
        enrichment: { withdrawnTools: [], items: [{ text: "SECRET", images: [] }], metadata: false },
        stop: { kind: "stop", by: "10", byName: "SECRET", at: 1 },
        events: [{ at: 1, what: "tool", detail: "SECRET" }],
      });
      store.insertTurn(secret("finished", "1"));
      store.insertTurn(secret("running", "2"));
      store.forgetTranscript();
      const [over, running] = ["1", "2"].map((id) => JSON.stringify(store.turn(id)));
      const kept = store.turn("1");
      return [
        [over?.includes("SECRET"), running?.includes("SECRET"), kept?.request.userId, kept?.events, kept?.createdAt],
        [false, true, "10", [{ at: 1, what: "tool" }], 1],
      ];
    },
  },
  {
    name: "forgetting one turn deletes its messages, files and results, but keeps its record and every other turn",
    run(store) {
      for (const id of ["1", "2"]) {
        store.insertTurn(turnBy("10", id, false));
        const messageSeq = store.addMessage(asked(id));
        const call = { tool: "count", args: "{}", modelIndex: 0, instance: "life", result: "{}", key: null };
        store.putLedgerRow({ messageSeq, position: 0, turnId: id, ...call });
        store.addFile(id, { name: "a.png", type: "image/png", bytes: 1 }, new Uint8Array([1]));
      }
      store.forgetTurn("1");
      store.forgetTurn("1");
      const left = (id: string) => [
        store.messagesInTurn(id).length,
        store.files(id).length,
        store.settledCalls(id),
        store.turn(id) !== null,
      ];
      return [
        [left("1"), left("2")],
        [
          [0, 0, 0, true],
          [1, 1, 1, true],
        ],
      ];
    },
  },
  {
    name: "forgetting a person deletes their finished turns with everything that belongs to them, and nobody else's",
    run(store) {
      for (const [userId, id, state] of [
        ["10", "1", "finished"],
        ["10", "2", "refused"],
        ["10", "3", "running"],
        ["20", "4", "finished"],
      ] as const) {
        store.insertTurn({ ...turnBy(userId, id, false), state });
        const messageSeq = store.addMessage(asked(id));
        const call = { tool: "count", args: "{}", modelIndex: 0, instance: "life", result: "{}", key: null };
        store.putLedgerRow({ messageSeq, position: 0, turnId: id, ...call });
      }
      store.putAnswer("5", '{"result":"stopped","ofUserId":"10"}');
      store.putAnswer("6", '{"result":"stopped","ofUserId":"20"}');
      const forgotten = [store.forgetPerson("10"), store.forgetPerson("10")];
      const ids = ["1", "2", "3", "4"].filter((id) => store.turn(id) !== null);
      const heard = ["1", "2", "3", "4"].flatMap((id) => store.messagesInTurn(id).map(({ text }) => text));
      const rows = [1, 2, 3, 4].map((seq) => store.ledgerRowsFor(seq).length);
      return [
        [forgotten, ids, heard, rows, store.storedAnswer("5"), store.storedAnswer("6") !== null],
        [[2, 0], ["3", "4"], ["of 3", "of 4"], [0, 0, 1, 1], null, true],
      ];
    },
  },
  {
    name: "forgetting a person removes their name from other people's turns that they have stopped",
    run(store) {
      const byTheo = { kind: "stop", by: "10", byName: "THEO", at: 1 } as const;
      const byMira = { kind: "kill", by: "20", byName: "MIRA", at: 2 } as const;
      const [theos, miras] = [
        { at: 1, what: "stop", detail: "by THEO", by: "10" },
        { at: 2, what: "kill", detail: "by MIRA", by: "20" },
      ];
      const tool = { at: 1, what: "tool", detail: "roll_dice" };
      store.insertTurn({ ...turnBy("30", "1", false), stop: byTheo, events: [tool, theos] });
      store.insertTurn({ ...turnBy("30", "2", false), stop: byMira, events: [theos, miras] });
      // In rows of an older program no entry says whose name it contains.
      const { by: _by, ...old } = theos;
      store.insertTurn({ ...turnBy("30", "3", false), stop: byTheo, events: [tool, old] });
      store.forgetPerson("10");
      const kept = ["1", "2", "3"].map((id) => store.turn(id));
      return [
        [JSON.stringify(kept).includes("THEO"), kept.map((turn) => turn?.events)],
        [
          false,
          [
            [tool, { at: 1, what: "stop" }],
            [{ at: 1, what: "stop" }, miras],
            [tool, { at: 1, what: "stop" }],
          ],
        ],
      ];
    },
  },
  {
    name: "forgetting a person removes their id from what they did in other people's finished turns",
    run(store) {
      const checkpoint = { kind: "send", ending: { kind: "stopped", by: "10" }, chars: 0 } as const;
      const stop = { kind: "stop", by: "10", byName: "THEO", at: 1 } as const;
      const decision = { kind: "approved", by: "10" } as const;
      const asked = { callPlace: 0, tool: "roll", args: "{}", summary: "", askedAt: 1, expiresAt: 2, leftMs: 3 };
      const approval = { ...asked, shown: true, decision } as unknown as NonNullable<TurnRecord["approval"]>;
      const events = [{ at: 1, what: "approved", detail: "10" }];
      for (const [id, state] of [
        ["1", "finished"],
        ["2", "closing"],
      ] as const)
        store.insertTurn({ ...turnBy("30", id, false), state, checkpoint, stop, approval, events });
      store.forgetPerson("10");
      const [over, closing] = ["1", "2"].map((id) => store.turn(id));
      return [
        [JSON.stringify(over).includes('"10"'), over?.request.userId, over?.events, closing?.checkpoint],
        // The last edit of an unfinished turn still shows it.
        [false, "30", [{ at: 1, what: "approved" }], checkpoint],
      ];
    },
  },
  {
    name: "turns made before a time are deleted with their messages, a batch at a time, but never an unfinished one",
    run(store) {
      for (const [id, state] of [
        ["1", "finished"],
        ["2", "running"],
        ["3", "refused"],
        ["4", "finished"],
        ["5", "finished"],
      ] as const) {
        store.insertTurn(turnIn(state, id));
        const messageSeq = store.addMessage(asked(id));
        const call = { tool: "count", args: "{}", modelIndex: 0, instance: "life", result: "{}", key: null };
        store.putLedgerRow({ messageSeq, position: 0, turnId: id, ...call });
      }
      store.putAnswer("6", "{}");
      const rows = [store.oldestTurn(), store.expire(4, 2), store.expire(4, 2), store.expire(4, 2), store.oldestTurn()];
      const ids = ["1", "2", "3", "4", "5"].filter((id) => store.turn(id) !== null);
      const heard = ["1", "2", "3", "4", "5"].flatMap((id) => store.messagesInTurn(id).map(({ text }) => text));
      const kept = [1, 2, 3, 4, 5].map((seq) => store.ledgerRowsFor(seq).length);
      return [
        [rows, ids, heard, kept, store.storedAnswer("6")],
        [[1, 2, 1, 0, 2], ["2", "5"], ["of 2", "of 5"], [0, 1, 0, 0, 1], "{}"],
      ];
    },
  },
  {
    name: "words said after everything summarized is gone count as newer than the summary",
    run(store) {
      store.insertTurn(turnIn("finished", "1"));
      for (const text of ["a", "b", "c"]) store.addMessage({ ...asked("1"), text });
      // A refused question has no words; it keeps the summary from being deleted here.
      store.insertTurn(turnIn("refused", "5"));
      const summary = { text: "About: tea.", messages: 3, model: "m", tokens: 3, users: ["10"], at: 5 };
      store.saveSummary({ ...summary, fromSeq: 1, toSeq: 3 });
      store.expire(4, 9);
      store.insertTurn(turnIn("running", "6"));
      const seq = store.addMessage(asked("6"));
      return [
        [store.messagesInTurn("1"), store.summary()?.toSeq, seq > 3],
        [[], 3, true],
      ];
    },
  },
  {
    name: "deleting the last turn deletes the stored answers too",
    run(store) {
      const before = store.oldestTurn();
      store.insertTurn(turnIn("finished", "1"));
      store.putAnswer("2", "{}");
      return [
        [before, store.expire(9, 9), store.oldestTurn(), store.storedAnswer("2")],
        [null, 1, null, null],
      ];
    },
  },
];

const FILE = { id: "1", filename: "a.png", contentType: "image/png", size: 1 };
const ASKED = { callPlace: "1:1.0", tool: "purge", askedAt: 1, expiresAt: 2, leftMs: 1, shown: true, decision: null };
