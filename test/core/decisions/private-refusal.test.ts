// Which refused turns are shown only to the person who asked.
import { describe, expect, it } from "vitest";
import { isRefusedAlone, shouldNotifyPrivately } from "../../../src/core/decisions/private-refusal.ts";
import type { SpentBudget } from "../../../src/core/money/limit.ts";
import type { Ending } from "../../../src/core/state/ending.ts";
import type { TurnRecord } from "../../../src/core/state/record.ts";
import type { TurnRequest } from "../../../src/core/state/turn-request.ts";
import { testRequest } from "../../support/store-contract.ts";
import { turn } from "./turns.ts";

const limit: SpentBudget = { of: "server", unit: "microUsd", limit: 1, resetsAt: 9 };
const ended = (ending: Ending, more: Partial<TurnRecord> = {}) =>
  turn("1", "10", {
    request: { ...testRequest("1", "10"), guildId: "77" },
    checkpoint: { kind: "send", ending, chars: 0 },
    ...more,
  });
const spent = (more: Partial<TurnRecord> = {}) => ended({ kind: "budget_spent", ...limit }, more);
const asked = (more: Partial<TurnRequest>) => spent({ request: { ...testRequest("1", "10"), guildId: "77", ...more } });
const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
const scene = { id: "1", index: 0, names: ["Ada"], token: "", webhookChannelId: null };

describe("the refusal of a turn is shown to its asker alone if the turn was refused", () => {
  it.each([
    ["by a limit", spent(), true],
    ["because its person is shut out", ended({ kind: "access_refused", refusal: { reason: "blocked" } }), true],
    ["by a limit that Retry may get past", ended({ kind: "budget_spent", ...limit, isHeld: true }), false],
    ["by a limit of a day that is over", ended({ kind: "budget_spent", ...limit, hasReset: true }), false],
    ["as its limit is unknown", ended({ kind: "access_refused", refusal: { reason: "limit_unchecked" } }), false],
    ["after a call", spent({ usage: { ...usage, modelCalls: 1 } }), false],
    ["after a sound was paid for", spent({ usage: { ...usage, microUsd: 1 } }), false],
    ["and is forgotten", spent({ forgotten: true }), false],
    ["before it ended", spent({ checkpoint: { kind: "model" } }), false],
    ["but failed otherwise", ended({ kind: "empty" }), false],
    ["in a direct message", asked({ guildId: null }), false],
    ["in a conversation between people", asked({ guildId: null, broughtBy: "10" }), true],
    ["and nobody else sees it", asked({ privateTo: "10" }), false],
    ["and its person brought the bot along", asked({ privateTo: "10", broughtBy: "10" }), true],
    ["by /catch-up there", asked({ broughtBy: "10", catchUp: { hours: null } }), false],
    ["in a scene", asked({ scene: { ...scene, names: ["Ada", "Ben"] } }), false],
    ["as a persona", asked({ scene }), true],
    ["in a new thread", asked({ beginsThread: true }), false],
    ["as a reminder", asked({ reminder: { text: "tea", dueAt: 1 } }), false],
    ["as another person", asked({ impersonatedUserId: "10" }), false],
  ])("%s: %s", (_what, of, isAlone) => {
    expect(isRefusedAlone(of)).toBe(isAlone);
    // A request that came by an interaction already has its reply.
    expect(shouldNotifyPrivately(of)).toBe(false);
    const byMessage = { ...of, request: { ...of.request, messageId: "1" } };
    expect(shouldNotifyPrivately(byMessage)).toBe(isAlone);
    expect(shouldNotifyPrivately({ ...byMessage, parts: [{ state: "sending", id: null }] })).toBe(false);
  });
});
