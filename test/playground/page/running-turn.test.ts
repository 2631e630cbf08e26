// Which turn the trace next to the messages shows.
import { expect, it } from "vitest";
import { runningTurn } from "../../../src/playground/page/panel/running-turn.ts";

const message = (...ids: string[]) => ({
  components: [{ type: 1, components: ids.map((custom_id) => ({ type: 2, custom_id })) }],
});

it.each([
  ["the running one", [message("stop:1:a"), message()], "1"],
  ["the newer of two", [message("stop:1:a"), message("stop:2:a")], "2"],
  [
    "not one that waits for a click on Approve, which may be long ago",
    [message("approve:1", "deny:1", "stop:1")],
    null,
  ],
  ["not that of an answer that has ended", [message("again:1", "delete:1")], null],
])("is %s", (_, messages, turn) => {
  expect(runningTurn(messages)).toBe(turn);
});
