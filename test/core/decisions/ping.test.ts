// Whether an ended turn pings its asker.
import { describe, expect, it } from "vitest";
import { pingsAsker } from "../../../src/core/decisions/ping.ts";
import { PING_AFTER_MS } from "../../../src/core/limits.ts";
import type { Ending } from "../../../src/core/state/ending.ts";
import type { TurnRecord } from "../../../src/core/state/record.ts";
import type { TurnRequest } from "../../../src/core/state/turn-request.ts";
import { testRequest } from "../../support/store-contract.ts";
import { turn } from "./turns.ts";

const ended = (ending: Ending, more: Partial<TurnRecord> = {}) =>
  turn("1", "10", {
    createdAt: 1000,
    endedAt: 1000 + PING_AFTER_MS + 1,
    parts: [{ state: "sent", id: "7" }],
    checkpoint: { kind: "send", ending, chars: 5 },
    ...more,
  });
const answered = (more: Partial<TurnRecord> = {}) => ended({ kind: "completed" }, more);
const asked = (more: Partial<TurnRequest>) => answered({ request: { ...testRequest("1", "10"), ...more } });
const refused = (more: Partial<TurnRequest>) =>
  ended(
    { kind: "budget_spent", of: "server", unit: "microUsd", limit: 1, resetsAt: 9 },
    { request: { ...testRequest("1", "10"), ...more } },
  );
const scene = (index: number) => ({ id: "1", index, names: ["Ada", "Ben"], token: "", webhookChannelId: null });

describe("an answer that took longer than a minute", () => {
  it("pings, unless that is switched off", () => {
    expect([pingsAsker(answered(), "slow"), pingsAsker(answered(), "never")]).toEqual([true, false]);
  });

  it.each([
    ["that was asked for in a scene, by its last speaker", asked({ scene: scene(1) }), true],
    ["by an earlier speaker of a scene", asked({ scene: scene(0) }), false],
    ["that no one else sees", asked({ privateTo: "10" }), false],
    ["of a reminder", asked({ reminder: { text: "tea", dueAt: 1 } }), false],
    ["that speaks as a person", asked({ impersonatedUserId: "10" }), false],
    ["without a message", answered({ parts: [] }), false],
    ["whose asker stopped it", ended({ kind: "stopped", by: "10" }), false],
    ["that failed", ended({ kind: "empty" }), true],
    ["that was refused in private", refused({ guildId: "77" }), false],
    ["that was refused for all to read", refused({ guildId: null }), true],
    ["that is not sent yet", answered({ checkpoint: { kind: "tools" } }), false],
  ])("%s: %#", (_what, of, pings) => {
    expect([pingsAsker(of, "slow"), pingsAsker(of, "always")]).toEqual([pings, pings]);
  });
});

it("an answer within a minute pings only if every answer does", () => {
  const inTime = answered({ endedAt: 1000 + PING_AFTER_MS });
  const notEnded = answered({ endedAt: null });
  expect([inTime, notEnded].map((of) => pingsAsker(of, "slow"))).toEqual([false, false]);
  expect([inTime, notEnded].map((of) => pingsAsker(of, "always"))).toEqual([true, true]);
});
