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

it("a click on an earlier message renews from the moment on that the old token has ended", () => {
  const turn = runningTurn("1", { parts: ["7", "8", "9"].map((id) => ({ state: "sent", id })) });
  const click = (age: number) => renewed(turn, { token: "new", at: turn.request.receivedAt + age, messageId: "8" });
  expect(click(15 * 60_000 - 1)).toBeNull();
  expect(click(15 * 60_000)?.parts).toEqual([
    { state: "sent", id: "7", frozen: true },
    { state: "sent", id: "8" },
    { state: "sending", id: null },
  ]);
});
