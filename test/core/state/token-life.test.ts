// What a click with a new token does to a turn.
import { expect, it } from "vitest";
import { renewed } from "../../../src/core/state/token-life.ts";
import { runningTurn } from "./turns.ts";

it("a click renews a turn that shows no message of its own yet", () => {
  const click = { token: "new", at: 1000, messageId: "7" };
  expect(renewed(runningTurn("1"), click)).toMatchObject({ request: { token: "new", receivedAt: 1000 }, parts: [] });
});

it("a click on a message that is none of the turn's renews nothing", () => {
  const click = { token: "new", at: 1000, messageId: "7" };
  expect(renewed(runningTurn("1", { parts: [{ state: "sent", id: "8" }] }), click)).toBeNull();
});
