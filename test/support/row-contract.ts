// The part of the storage's contract (store-contract.ts) about rows that are too large or follow dropped ones, and about stored answers.
import { KEPT_ANSWERS } from "../../src/core/limits.ts";
import { type ContractCase, row, said, turnIn } from "./store-contract.ts";

/** The promises about single rows. */
export const rowContract: ContractCase[] = [
  {
    name: "files of a reply keep their bytes and their order, however large they are, until they are dropped",
    run(store) {
      const data = Uint8Array.from({ length: 2_500_000 }, (_, at) => at % 251);
      const large = { name: "a.bin", type: "application/octet-stream", bytes: data.length };
      const small = { name: "b.png", type: "image/png", bytes: 2 };
      const leftOut = { ...small, name: "c.png", leftOut: true as const };
      store.insertTurn(turnIn("running", "1"));
      store.insertTurn(turnIn("queued", "2"));
      store.transaction(() => {
        store.addFile("1", large, data);
        store.addFile("1", leftOut, null);
        // A part of a larger buffer.
        store.addFile("1", small, new Uint8Array([9, 7, 8, 9]).subarray(1, 3));
        store.addFile("2", small, new Uint8Array([5, 6]));
      });
      const [first, second] = store.files("1");
      const isWhole = first?.data.length === data.length && data.every((byte, at) => first.data[at] === byte);
      const seen = [isWhole, second?.name, [...(second?.data ?? [])], store.fileNotes("1"), store.files("1").length];
      store.dropFiles("1");
      return [
        [...seen, store.fileNotes("1"), store.files("1"), store.files("2").length],
        [true, "b.png", [7, 8], [large, leftOut, small], 2, [], [], 1],
      ];
    },
  },
  {
    name: "files are deleted with their turn, or with its words once it has ended",
    run(store) {
      const note = { name: "b.png", type: "image/png", bytes: 1 };
      for (const [state, id] of [
        ["finished", "1"],
        ["running", "2"],
        ["finished", "3"],
      ] as const) {
        store.insertTurn(turnIn(state, id));
        store.addFile(id, note, new Uint8Array([1]));
      }
      store.forgetTranscript();
      const forgotten = ["1", "2", "3"].map((id) => store.fileNotes(id).length);
      for (const id of ["1", "3"]) store.addFile(id, note, new Uint8Array([1]));
      store.expire(1, 10);
      const expired = ["1", "2", "3"].map((id) => store.fileNotes(id).length);
      store.forgetTurn("3");
      return [
        [forgotten, expired, store.fileNotes("3").length],
        [[0, 1, 0], [0, 1, 1], 0],
      ];
    },
  },
  {
    name: "a row of more than 1 MiB is refused with its name, and nothing of its transaction is kept",
    run(store) {
      const huge = "x".repeat(1024 * 1024 + 1);
      store.insertTurn(turnIn("running", "1"));
      const tooLarge = (write: () => unknown): string => {
        try {
          store.transaction(() => {
            store.addMessage(said("1", "fits"));
            write();
          });
          return "written";
        } catch (error) {
          return error instanceof Error ? error.name : "";
        }
      };
      const names = [
        tooLarge(() => store.addMessage(said("1", huge))),
        tooLarge(() => store.saveTurn({ ...turnIn("running", "1"), events: [{ at: 0, what: huge }] })),
        tooLarge(() => store.insertTurn({ ...turnIn("queued", "2"), events: [{ at: 0, what: huge }] })),
        tooLarge(() => store.putLedgerRow(row(1, 0, huge))),
        tooLarge(() => store.saveLock({ ...store.lock(), instance: huge })),
      ];
      return [
        [names, store.messagesInTurn("1"), store.turn("2")],
        [Array(5).fill("RowTooLarge"), [], null],
      ];
    },
  },
  {
    name: "an answer stored after dropped ones never finds the results of their calls as its own",
    run(store) {
      store.addMessage({ ...said("1", "question"), role: "user" });
      const dropped = store.addMessage(said("1", "of the first model"));
      store.putLedgerRow(row(dropped, 0, '"first"'));
      store.dropAnswers("1");
      const next = store.addMessage(said("1", "of the second"));
      return [store.ledgerRowsFor(next), []];
    },
  },
  {
    name: "the first answer to an interaction is kept",
    run(store) {
      store.putAnswer("1", "first");
      store.putAnswer("1", "second");
      return [
        [store.storedAnswer("1"), store.storedAnswer("2")],
        ["first", null],
      ];
    },
  },
  {
    name: "only the answers to the newest interactions are kept",
    run(store) {
      const ids = Array.from({ length: KEPT_ANSWERS }, (_, n) => String(1000 + n));
      for (const id of ["999", ...ids, "998"]) store.putAnswer(id, "{}");
      const kept = ["998", "999", ...ids].filter((id) => store.storedAnswer(id) !== null);
      return [kept, ids];
    },
  },
  {
    // Deleting a question stops each turn that asks it again, under the question's id and the turn's.
    name: "answers under longer ids are deleted with those of the same time",
    run(store) {
      const ids = Array.from({ length: KEPT_ANSWERS }, (_, n) => String(2000 + n));
      for (const id of ids) store.putAnswer(`1000:${id}`, "{}");
      for (const id of ids) store.putAnswer(id, "{}");
      const kept = [...ids, ...ids.map((id) => `1000:${id}`)].filter((id) => store.storedAnswer(id) !== null);
      return [kept, ids];
    },
  },
];
