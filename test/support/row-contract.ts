// What a channel's storage promises about rows that are too large, and about stored answers; a part of the contract
// (store-contract.ts).
import { type ContractCase, row, said, turnIn } from "./store-contract.ts";

/** The promises about the size of a row. */
export const rowContract: ContractCase[] = [
  {
    name: "a row of more than 1 MiB is refused by its name, and nothing of its transaction is kept",
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
    name: "the first answer to an interaction is the one that stays",
    run(store) {
      store.putAnswer("1", "first");
      store.putAnswer("1", "second");
      return [
        [store.storedAnswer("1"), store.storedAnswer("2")],
        ["first", null],
      ];
    },
  },
];
