// The part of the storage's contract that is about people: private turns, what is deleted for one person, and what is too old.
// The same cases run wherever those of store-contract.ts run.
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
    name: "the earlier messages are others as soon as the turn has become private",
    run(store) {
      store.insertTurn(turnBy("10", "1", false));
      store.insertTurn(turnBy("10", "2", true));
      for (const id of ["1", "2"]) store.addMessage(asked(id));
      const looks = [null, "10", null].map((owner) => store.messagesBefore("3", 9, owner).map(({ text }) => text));
      return [looks, [["of 1"], ["of 2"], ["of 1"]]];
    },
  },
  {
    name: "people find their own turns, moderators all that are not private to another person",
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
];
