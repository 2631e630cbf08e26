// When the end of a token needs attention, and what a click with a new token does to a turn.
import { expect, it } from "vitest";
import { withoutTokens } from "../../../src/core/decisions/forgotten.ts";
import { renewalsDue, renewed, tokenRenewalAt } from "../../../src/core/decisions/token-life.ts";
import { TOKEN_LIFE_MS, TOKEN_RENEWAL_MS } from "../../../src/core/limits.ts";
import { testRequest } from "../../support/store-contract.ts";
import { channel, runningTurn, turn } from "./turns.ts";

it("a click renews a turn that shows no message of its own yet", () => {
  const click = { token: "new", at: 1000, messageId: "7" };
  expect(renewed(runningTurn("1"), click)).toMatchObject({ request: { token: "new", receivedAt: 1000 }, parts: [] });
});

it("a click on a message that doesn't belong to the turn renews nothing", () => {
  const click = { token: "new", at: 1000, messageId: "7" };
  expect(renewed(runningTurn("1", { parts: [{ state: "sent", id: "8" }] }), click)).toBeNull();
});

it("a click on an earlier message renews a turn only once the old token has ended; what follows that message is then sent again", () => {
  const parts = ["7", "8", "9"].map((id) => ({ state: "sent" as const, id }));
  const of = runningTurn("1", { parts });
  const end = of.request.receivedAt + TOKEN_LIFE_MS;
  const clicked = (messageId: string, at: number) => renewed(of, { token: "new", at, messageId })?.parts ?? null;
  const [first, second] = parts;
  const anew = { state: "sending", id: null };
  expect(clicked("8", end - 1)).toBeNull();
  expect(clicked("8", end)).toEqual([{ ...first, frozen: true }, second, anew]);
  expect(clicked("9", 0)).toEqual([{ ...first, frozen: true }, { ...second, frozen: true }, parts[2]]);
});

it("a click on an earlier message brings the rest of an answer whose token ended before Continue could be shown", () => {
  const parts = ["7", "8"].map((id) => ({ state: "sent" as const, id }));
  const of = runningTurn("1", { parts, state: "finished", undelivered: true });
  const click = { token: "new", at: of.request.receivedAt, messageId: "7" };
  expect(renewed(of, click)).toMatchObject({ state: "closing", parts: [parts[0], { state: "sending", id: null }] });
  // Continue is on the last message.
  expect(renewed({ ...of, renewal: "asked" }, click)).toBeNull();
});

it("the end of the oldest token needs attention, among turns that show something and have a token", () => {
  const asked = (id: string, receivedAt: number, token: string | null = "t") => ({
    request: { ...testRequest(id, "10"), receivedAt, token },
  });
  const running = runningTurn("10", asked("1", 5000));
  const due = (state: Parameters<typeof tokenRenewalAt>[0], now: number) => renewalsDue(state, now).map(({ id }) => id);
  const queue = [turn("2", "10", asked("2", 3000)), turn("3", "10", asked("3", 1000, null))];
  const state = channel({ running, queue });
  expect(tokenRenewalAt(channel())).toBeNull();
  expect(tokenRenewalAt(channel({ running }))).toBe(5000 + TOKEN_RENEWAL_MS);
  expect(tokenRenewalAt(state)).toBe(3000 + TOKEN_RENEWAL_MS);
  expect([2999, 3000, 5000].map((age) => due(state, age + TOKEN_RENEWAL_MS))).toEqual([[], ["2"], ["1", "2"]]);
  expect(tokenRenewalAt(channel({ running: { ...running, renewal: "asked" } }))).toBeNull();
});

it("a turn that sends nothing more keeps neither its interaction's token nor its webhook's", () => {
  const webhook = { kind: "webhook" as const, id: "5", token: "w" };
  const plain = runningTurn("1", { request: { ...testRequest("1", "10"), token: "t" } });
  const kept = withoutTokens({ ...plain, voice: webhook });
  expect([kept.request.token, kept.voice]).toEqual([null, { ...webhook, token: "" }]);
  const bot = { ...plain, voice: { kind: "bot" as const } };
  expect(withoutTokens(bot)).toEqual({ ...bot, request: { ...bot.request, token: null } });
});
