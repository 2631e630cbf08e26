// What the inspector shows of turns among others: the history that their models saw, nothing that was forgotten, and when the words were delivered.
import { describe, expect, it } from "vitest";
import { object } from "zod";
import type { InspectedTurn, InspectedTurns } from "../../../src/core/state/inspected.ts";
import type { TurnRecord, TurnRequest, TurnStatus } from "../../../src/core/state/record.ts";
import type { DiscordRest } from "../../../src/discord/rest/rest.ts";
import { buildWaterfall } from "../../../src/inspector/waterfall.ts";
import { defineTool } from "../../../src/toolkit/define/tool.ts";
import { rollDice } from "../../../src/tools/roll-dice.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import {
  type ChannelHarness,
  type ChannelHarnessOptions,
  createChannelHarness,
} from "../../support/channel-harness.ts";
import type { TestClock } from "../../support/clock.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { patientDiscord } from "../../support/patient-discord.ts";
import { testRequest } from "../../support/store-contract.ts";

const open = (options: ChannelHarnessOptions = {}) => createChannelHarness({ database: nodeSqlite(), ...options });
const ask = (c: ChannelHarness, id: string, more: Partial<TurnRequest> = {}) =>
  c.submit({ trigger: { ...testRequest(id), guildId: "9", receivedAt: c.clock.now(), ...more } });
const says = (text: string): ModelEvent[] => [
  { kind: "text", text },
  { kind: "end", finishReason: "stop", calls: [], usage: { inputTokens: 40, outputTokens: 4 } },
];
const rolls: ModelEvent[] = [
  {
    kind: "end",
    finishReason: "tool_calls",
    calls: [{ id: "c", name: "roll_dice", arguments: "{}" }],
    usage: { inputTokens: 40, outputTokens: 4 },
  },
];
const fail = (): never => {
  throw new Error("there is no such turn");
};
const turnOf = (c: ChannelHarness, turnId: string) => c.inspect({ kind: "turn", turnId }) as InspectedTurn;
const turnsOf = (c: ChannelHarness) =>
  c.inspect({ kind: "turns", filter: { userId: null, status: null }, before: null }) as InspectedTurns;

it("a reply counts as delivered when Discord has its last words, however long it takes to remove an older answer's buttons", async () => {
  const shown = new Map<string, string>();
  const rest = (clock: TestClock, isAlive: () => boolean): DiscordRest => {
    const discord = patientDiscord(shown, isAlive);
    return {
      ...discord,
      async edit(...given) {
        const isOfAnother = given[2].content === undefined;
        if (isOfAnother) await new Promise<void>((resolve) => void clock.timers.after(3000, resolve));
        return discord.edit(...given);
      },
    };
  };
  const c = open({ rest });
  for (const id of ["100", "101"]) {
    ask(c, id);
    await c.drain();
    c.answer(says("Done."));
    await c.clock.advance(10_000);
  }
  const { deliveredAt, endedAt, events, state } = turnOf(c, "101");
  expect([state, events.at(-1)?.what]).toEqual(["finished", "delivered"]);
  expect((deliveredAt ?? 0) - (endedAt ?? 0)).toBeLessThan(3000);
});

it("a turn that its asker's next message interrupts has a mark where it was stopped", async () => {
  const c = open();
  ask(c, "100");
  await c.drain();
  await c.clock.advance(2000);
  ask(c, "101");
  await c.clock.advance(5000);
  const { stops, lanes } = buildWaterfall(turnOf(c, "100"));
  expect([turnOf(c, "100").status, stops]).toEqual(["follow_up_interrupt", [1_002_000]]);
  expect(lanes.filter(({ subject }) => subject.of === "event")).toMatchObject([{ note: "by their next message" }]);
});

describe("a turn that ends before it began", () => {
  type Case = [status: TurnStatus, setting: [string, string], asker: string, act: (c: ChannelHarness) => void];
  it.each<Case>([
    ["steered", ["follow_up", "steer"], "10", (c) => c.answer(rolls)],
    ["superseded", ["follow_up", "interrupt"], "10", (c) => ask(c, "102")],
    ["error", ["channel_tokens_per_day", "40"], "11", (c) => c.answer(says("One."))],
  ])("waited exactly until then: %s", async (status, [key, value], userId, act) => {
    const c = open({ tools: [rollDice] });
    c.store.putSetting(key, value);
    ask(c, "100");
    await c.drain();
    ask(c, "101", { userId });
    if (status !== "superseded") await c.clock.advance(3000);
    const endedAt = c.clock.now();
    act(c);
    await c.clock.advance(60_000);
    const turn = turnOf(c, "101");
    expect([turn.status, turn.startedAt, turn.endedAt]).toEqual([status, null, endedAt]);
    expect(turn.waits).toEqual([{ kind: "queue", at: 1_000_000, ms: endedAt - 1_000_000 }]);
    expect(buildWaterfall(turn).to).toBeLessThan(1_010_000);
  });
});

describe("a turn that was stopped", () => {
  const stop = {
    interactionId: "s",
    kind: "stop",
    userId: "10",
    userName: "Mira",
    moderator: true,
    turnId: "100",
  } as const;

  it("shows the tools that were running, up to its end, as it shows them while they run", async () => {
    const hanging = defineTool({
      name: "hanging",
      description: "Test tool.",
      input: object({}),
      category: "safe",
      hints: { readOnly: true, idempotent: true, destructive: false, openWorld: true },
      execute: () => new Promise(() => {}),
    });
    const c = open({ tools: [hanging] });
    ask(c, "100");
    await c.clock.advance(300);
    c.answer([
      {
        kind: "end",
        finishReason: "tool_calls",
        calls: [{ id: "a", name: "hanging", arguments: '{"a":1}' }],
        usage: { inputTokens: 40, outputTokens: 4 },
      },
    ]);
    await c.clock.advance(2000);
    const running = { tool: "hanging", status: null, at: 1_000_300, arguments: '{"a":1}', result: null };
    expect(turnOf(c, "100").toolCallList).toMatchObject([{ ...running, ms: null }]);
    c.stop(stop as never);
    await c.clock.advance(60_000);
    const turn = turnOf(c, "100");
    expect([turn.status, turn.toolCallList]).toMatchObject(["stopped_by_user", [{ ...running, ms: 2000 }]]);
    expect(buildWaterfall(turn).to).toBeLessThan(1_010_000);
  });

  it("has the stop in its timeline, even if it waited in the queue", async () => {
    const c = open();
    ask(c, "99", { userId: "11" });
    await c.drain();
    ask(c, "100");
    await c.clock.advance(2000);
    c.stop(stop as never);
    await c.clock.advance(2000);
    const turn = turnOf(c, "100");
    expect(buildWaterfall(turn).stops).toEqual([1_002_000]);
  });

  it("waited for an approval until its end, and no longer", async () => {
    const c = open();
    ask(c, "100");
    await c.drain();
    const turn = c.store.turn("100") ?? fail();
    const events = [...turn.events, { at: 1_001_000, what: "parked", detail: "create_thread" }];
    c.store.saveTurn({ ...turn, state: "finished", status: "stopped_by_user", events, endedAt: 1_005_000 });
    await c.clock.advance(60_000);
    expect(turnOf(c, "100").waits).toEqual([{ kind: "approval", at: 1_001_000, ms: 4000 }]);
  });
});

describe("the history that a turn shows", () => {
  it("is that of the smaller request if the first was too long for the model, and says so", async () => {
    const c = open();
    for (const id of ["100", "101", "102", "103"]) {
      ask(c, id);
      await c.drain();
      if (id !== "103") c.answer(says(`Answer ${id}.`));
      else c.answer([{ kind: "failed", failure: { reason: "context_too_long", message: "6 tokens too many" } }]);
      await c.clock.advance(5000);
    }
    c.answer(says("Short."));
    await c.clock.advance(5000);
    const saw = JSON.stringify(c.requests.at(-1)?.messages);
    expect([saw.includes("Answer 100."), saw.includes("Answer 102.")]).toEqual([false, true]);
    const { modelCalls, events } = turnOf(c, "103");
    const [{ contents, retries } = fail()] = modelCalls;
    expect(contents).toMatchObject({ fromSeq: 5, leftOutRows: 4 });
    expect(retries).toMatchObject([{ reason: "context_too_long", waitMs: 0 }]);
    expect(events.find(({ what }) => what === "retry")).toMatchObject({ forModerators: "6 tokens too many" });
    expect(c.errors).toEqual(["model call failed"]);
  });

  const nothing = { kind: "send", ending: { kind: "completed", silent: true }, chars: 0 } as const;
  const parked = { state: "parked", endedAt: null } as const;
  it.each<[string, Partial<TurnRecord>, (now: number) => Partial<TurnRecord>]>([
    ["had nothing to report", { checkpoint: nothing }, () => ({})],
    ["waits for an approval", parked, () => ({})],
    ["waited for an approval meanwhile", parked, (now) => ({ state: "finished", endedAt: now })],
  ])("has no messages of a turn that %s, because no model saw them", async (_, then, later) => {
    const c = open();
    for (const id of ["100", "101", "102"]) {
      ask(c, id);
      await c.drain();
      c.answer(says(`Answer ${id}.`));
      await c.clock.advance(5000);
      const turn = c.store.turn("101");
      if (turn) c.store.saveTurn({ ...turn, ...(id === "101" ? then : later(c.clock.now())) });
    }
    const saw = JSON.stringify(c.requests.at(-1)?.messages);
    expect([saw.includes("Answer 100."), saw.includes("Answer 101.")]).toEqual([true, false]);
    expect(turnOf(c, "102").rows.map(({ turnId }) => turnId)).toEqual(["100", "100", "102", "102"]);
  });
});

describe("what was forgotten", () => {
  it.each([
    ["is reset", (c: ChannelHarness) => c.reset()],
    ["has forgotten its asker", (c: ChannelHarness) => c.forgetPerson("10")],
  ])("shows no words if the conversation %s, not even while the last edit is on its way", async (_, forget) => {
    const shown = new Map<string, string>();
    const rest = (_clock: unknown, isAlive: () => boolean): DiscordRest => ({
      ...patientDiscord(shown, isAlive),
      edit: () => new Promise(() => {}),
    });
    const c = open({ rest });
    ask(c, "100", { text: "my diagnosis", userName: "Patience" });
    await c.drain();
    c.answer(says("my diagnosis is fine"));
    await c.drain();
    ask(c, "101", { userId: "11" });
    await c.drain();
    expect(c.store.turn("100")?.state).toBe("closing");
    expect(JSON.stringify([turnOf(c, "100"), turnsOf(c), turnOf(c, "101")])).toContain("diagnosis");
    forget(c);
    const told = JSON.stringify([turnOf(c, "100"), turnsOf(c), turnOf(c, "101")]);
    expect(told).not.toMatch(/diagnosis|Patience/);
    expect(turnOf(c, "100")).toMatchObject({ isPrivate: true, question: null, rows: [] });
  });

  it("keeps the asker's id, without an empty name", async () => {
    const c = open();
    ask(c, "100");
    await c.drain();
    c.answer(says("One."));
    await c.clock.advance(5000);
    c.reset();
    expect(turnsOf(c).turns).toMatchObject([{ userId: "10", userName: null, question: "" }]);
  });
});
