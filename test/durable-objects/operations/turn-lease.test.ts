// Limits across channels and the owners' decisions, as a channel's turns meet them: when the scope is asked, and what follows.
import { describe, expect, it } from "vitest";
import type { LeaseAnswer, LeaseRequest } from "../../../src/core/access/scope-rpc.ts";
import { accessText } from "../../../src/core/copy/access.ts";
import { spentText } from "../../../src/core/copy/budgets.ts";
import type { TurnReport } from "../../../src/core/money/report.ts";
import type { MessageBody, RestResult } from "../../../src/discord/rest/rest.ts";
import { rollDice } from "../../../src/tools/roll-dice.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import {
  type ChannelHarness,
  type ChannelHarnessOptions,
  createChannelHarness,
} from "../../support/channel-harness.ts";
import { patientDiscord } from "../../support/patient-discord.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";

const usage = { inputTokens: 900, outputTokens: 100 };
const says = (text: string): ModelEvent[] => [
  { kind: "text", text },
  { kind: "end", finishReason: "stop", calls: [], usage },
];
const rolls: ModelEvent[] = [
  { kind: "end", finishReason: "tool_calls", calls: [{ id: "c", name: "roll_dice", arguments: "{}" }], usage },
];
const LIMITED = { settings: {}, isLimited: true };
const HERE = { guildId: "77", botIsHere: true };
const FREE = { settings: {}, isLimited: false };
const spentLimit = { of: "deployment", unit: "microUsd", limit: 5_000_000, resetsAt: 2_000_000 } as const;

/** Makes a channel over a scope that answers as given and records what it is asked. */
function scoped(
  answer: (request: LeaseRequest) => LeaseAnswer | Error | "never",
  options: Pick<ChannelHarnessOptions, "price"> = {},
) {
  const asked: LeaseRequest[] = [];
  const scopes: string[] = [];
  const reports: TurnReport[] = [];
  const state = { isDown: false };
  const open = openScopes();
  const channel = createChannelHarness({
    tools: [rollDice],
    ...options,
    scope: (name) => ({
      ...open(name),
      async lease(request) {
        asked.push(request);
        scopes.push(name);
        const given = answer(request);
        if (given === "never") return new Promise<never>(() => {});
        if (given instanceof Error) throw given;
        return given;
      },
      async report(sent) {
        if (state.isDown) throw new Error("down");
        reports.push(...sent);
        return sent.map(({ turnId }) => turnId);
      },
    }),
  });
  return { channel, asked, scopes, reports, state };
}
const lends = (tokens: number, lifeMs = 600_000): LeaseAnswer => ({
  kind: "granted",
  allowance: { tokens, microUsd: null },
  until: 1_000_000 + lifeMs,
});
const submit = (c: ChannelHarness, id: string, scope = FREE, userId = "10") =>
  c.submit({ trigger: { ...testRequest(id, userId), ...HERE, receivedAt: c.clock.now() }, scope });
const shown = (c: ChannelHarness) => [...c.shown().values()].at(-1);

describe("a turn", () => {
  it("asks the scope nothing just after an endpoint admitted it, if no limit applies across channels", async () => {
    const { channel, asked, reports } = scoped(() => new Error("asked"));
    submit(channel, "1");
    await channel.drain();
    channel.answer(says("hi"));
    await channel.clock.advance(5000);
    expect([asked, channel.store.turn("1")?.status, reports.length]).toEqual([[], "completed", 1]);
  });

  it("asks before its first call if a limit applies, and again only when its lease would not cover the next call", async () => {
    const { channel, asked, scopes } = scoped(({ spent }) => lends(spent.tokens + 9500));
    submit(channel, "1", LIMITED);
    await channel.drain();
    for (let step = 0; step < 2; step++) {
      channel.answer(rolls);
      await channel.clock.advance(2000);
    }
    channel.answer(says("done"));
    await channel.clock.advance(5000);
    expect(asked.map(({ turnId, spent }) => [turnId, spent.tokens])).toEqual([
      ["1", 0],
      ["1", 1000],
      ["1", 2000],
    ]);
    expect([new Set(scopes), channel.store.turn("1")?.status]).toEqual([new Set(["guild:77"]), "completed"]);
    expect(asked[0]).not.toHaveProperty("person");
  });

  it.each([
    ["makes the call when it is lent enough for it", lends(1_000_000), "completed"],
    ["ends when nothing more is lent", { kind: "spent", limit: spentLimit } as const, "budget_spent"],
  ])("asks again before a more expensive model replaces one that failed, and %s", async (_, second, ending) => {
    const cheap = { input: 1, output: 1 };
    const dear = { input: 50, output: 100 };
    const { channel, asked } = scoped(
      ({ estimate }) => {
        const microUsd = estimate.microUsd;
        return microUsd === 9000 ? { ...lends(0), allowance: { tokens: null, microUsd: 3 * microUsd } } : second;
      },
      { price: [cheap, dear] },
    );
    submit(channel, "1", LIMITED);
    await channel.drain();
    channel.answer([{ kind: "failed", failure: { reason: "bad_stream", message: "cut" }, usage }]);
    await channel.clock.advance(2000);
    channel.answer(says("done"));
    await channel.clock.advance(5000);
    expect(asked.map(({ spent, estimate }) => [spent.microUsd, estimate.microUsd])).toEqual([
      [0, 9000],
      [1000, 500_000],
    ]);
    expect(channel.store.turn("1")?.checkpoint).toMatchObject({ ending: { kind: ending } });
    expect(channel.requests).toHaveLength(ending === "completed" ? 2 : 1);
  });

  it("asks again when its lease has lapsed", async () => {
    const { channel, asked } = scoped(() => lends(1_000_000, 60_000));
    submit(channel, "1", LIMITED);
    await channel.drain();
    channel.answer(rolls);
    await channel.clock.advance(2000);
    await channel.clock.advance(60_000);
    channel.answer(rolls);
    await channel.clock.advance(2000);
    expect(asked).toHaveLength(2);
  });

  it("ends when nothing is left, naming the limit and its reset, and keeps what it has said", async () => {
    const { channel } = scoped(({ spent }) => (spent.tokens === 0 ? lends(1) : { kind: "spent", limit: spentLimit }));
    submit(channel, "1", LIMITED);
    await channel.drain();
    channel.answer([{ kind: "text", text: "Let me see." }, ...rolls]);
    await channel.clock.advance(5000);
    expect(shown(channel)).toBe(`Let me see.\n\n-# ⚠️ ${spentText(spentLimit)}`);
    expect(channel.requests).toHaveLength(1);
  });

  it.each([
    ["is down", new Error("down")],
    ["never answers", "never"],
  ] as const)("ends with a sentence and Retry when its scope %s, and makes no call", async (_, answer) => {
    const { channel } = scoped(() => answer);
    submit(channel, "1", LIMITED);
    await channel.clock.advance(20_000);
    expect(shown(channel)).toBe(`-# ⚠️ ${accessText({ reason: "limit_unchecked" })}`);
    expect([channel.requests, channel.errors.length]).toEqual([[], 1]);
  });

  it.each([1, 0])("continues with what it was lent while its scope is down, for %i ms more", async (leftMs) => {
    // The answer is read at once, so no time passes between the two calls.
    const { channel } = scoped(({ spent }) => (spent.tokens === 0 ? lends(9500, leftMs) : new Error("down")));
    submit(channel, "1", LIMITED);
    await channel.drain();
    channel.answer(rolls);
    await channel.drain();
    channel.answer(says("done"));
    await channel.clock.advance(5000);
    expect(channel.store.turn("1")?.status).toBe(leftMs > 0 ? "completed" : "error");
  });

  it("ends at once when it is stopped while its scope is asked", async () => {
    const { channel } = scoped(() => "never");
    submit(channel, "1", LIMITED);
    await channel.drain();
    channel.stop({ interactionId: "2", kind: "stop", turnId: null, userId: "10", userName: "Mira", moderator: false });
    await channel.clock.advance(1000);
    expect([channel.store.turn("1")?.status, channel.errors]).toEqual(["stopped_by_user", []]);
  });
});

describe("a turn that waited", () => {
  const refused: LeaseAnswer = { kind: "refused", refusal: { reason: "paused" } };

  it("is judged again when it starts, and ends with the reason", async () => {
    const { channel, asked } = scoped(() => refused);
    submit(channel, "1");
    submit(channel, "2", FREE, "11");
    await channel.drain();
    channel.answer(says("hi"));
    await channel.clock.advance(5000);
    expect(asked.map(({ turnId, person }) => [turnId, person])).toEqual([
      ["2", { userId: "11", guildId: "77", isServerInstall: true }],
    ]);
    expect([channel.store.turn("1")?.status, shown(channel)]).toEqual(["completed", accessText({ reason: "paused" })]);
  });

  it("and whose life ended before the scope answered is judged by the next life", async () => {
    let lives = 0;
    const { channel } = scoped(() => (lives++ === 0 ? "never" : refused));
    submit(channel, "1");
    submit(channel, "2", FREE, "11");
    await channel.drain();
    channel.answer(says("hi"));
    await channel.clock.advance(5000);
    channel.crash();
    channel.runAlarm();
    await channel.clock.advance(20_000);
    expect([lives, channel.requests.length]).toEqual([2, 1]);
    expect(shown(channel)).toContain(accessText({ reason: "paused" }));
  });

  it("starts by the last decision if its scope is down and there is no limit", async () => {
    const { channel } = scoped(() => new Error("down"));
    submit(channel, "1");
    submit(channel, "2", FREE, "11");
    await channel.drain();
    channel.answer(says("one"));
    await channel.clock.advance(5000);
    channel.answer(says("two"));
    await channel.clock.advance(5000);
    expect(channel.store.turn("2")?.status).toBe("completed");
  });

  it("learns what applies in its server now, and stays within a limit that its channel did not know", async () => {
    const note = { settings: { server_usd_per_day: "1" }, isLimited: false };
    const { channel, asked } = scoped(
      ({ person, spent }) => ({ ...lends(spent.tokens + 1), ...(person && { note }) }) as LeaseAnswer,
    );
    submit(channel, "1");
    submit(channel, "2", FREE, "11");
    await channel.drain();
    channel.answer(says("one"));
    await channel.clock.advance(5000);
    channel.answer(rolls);
    await channel.clock.advance(5000);
    channel.answer(says("two"));
    await channel.clock.advance(5000);
    expect(asked.map(({ turnId, limits }) => [turnId, limits.serverMicroUsd])).toEqual([
      ["2", 0],
      ["2", 1_000_000],
    ]);
    expect(channel.store.scopeNote()).toEqual(note);
  });

  it("as a due reminder says nothing if its person may no longer use the bot", async () => {
    const { channel } = scoped(() => refused);
    channel.remindersFor(testRequest("9")).set({ key: "k", text: "tea", dueAt: channel.clock.now() + 3_600_000 });
    await channel.clock.advance(3_600_000);
    channel.runAlarm();
    await channel.clock.advance(20_000);
    expect([[...channel.shown()], channel.store.state().closing]).toEqual([[], []]);
  });

  it("as a due reminder whose line is already shown, because the scope was slow, loses its button", async () => {
    const buttons: string[] = [];
    const late = (ms: number) => new Promise<void>((resolve) => channel.clock.timers.after(ms, resolve));
    const channel: ChannelHarness = createChannelHarness({
      scope: openScopes({ lease: () => late(3000).then(() => refused) }),
      rest(_, isAlive) {
        const discord = patientDiscord(new Map(), isAlive);
        const noting = ({ components = [] }: MessageBody, sent: Promise<RestResult>) => {
          buttons.push(components.length > 0 ? "Stop" : "none");
          return sent;
        };
        return {
          ...discord,
          create: (...what) => noting(what[1], discord.create(...what)),
          edit: (...what) => noting(what[2], discord.edit(...what)),
        };
      },
    });
    channel.remindersFor(testRequest("9")).set({ key: "k", text: "tea", dueAt: channel.clock.now() + 3_600_000 });
    await channel.clock.advance(3_600_000);
    channel.runAlarm();
    await channel.clock.advance(20_000);
    expect([buttons, channel.store.state().closing]).toEqual([["Stop", "none"], []]);
  });
});

describe("a message that waits to join a running turn", () => {
  /** Makes a turn that calls a tool, and a second message of the same person that joins after the tool's result. */
  async function joining(answer: (request: LeaseRequest) => LeaseAnswer | Error, scope = FREE) {
    const h = scoped(answer);
    await h.channel.change({
      interactionId: "s",
      key: "follow_up",
      value: "steer",
      by: { userId: "10", guildId: "77" },
    });
    submit(h.channel, "1", scope);
    await h.channel.drain();
    submit(h.channel, "2", scope);
    h.channel.answer(rolls);
    await h.channel.clock.advance(2000);
    const lastHeard = h.channel.requests.at(-1)?.messages.at(-1);
    h.channel.answer(says("done"));
    await h.channel.clock.advance(5000);
    const ends = ["1", "2"].map((id) => h.channel.store.turn(id)?.checkpoint);
    return { ...h, lastHeard, ends };
  }

  it("is judged again before it is taken in", async () => {
    const { asked, lastHeard, ends } = await joining(() => lends(1));
    expect(asked.map(({ turnId, person }) => [turnId, person?.userId])).toEqual([["1", "10"]]);
    expect([lastHeard?.role, ends]).toMatchObject([
      "user",
      [{ ending: { kind: "completed" } }, { ending: { kind: "steered" } }],
    ]);
  });

  it("ends with the reason if its person may no longer use the bot, and the running turn continues without it", async () => {
    const refused: LeaseAnswer = { kind: "refused", refusal: { reason: "blocked" } };
    const { channel, asked, lastHeard, ends } = await joining(
      (request) => (request.person ? refused : lends(1_000_000)),
      LIMITED,
    );
    expect(asked.map(({ person }) => person !== undefined)).toEqual([false, true]);
    expect([lastHeard?.role, ends]).toMatchObject([
      "tool",
      [{ ending: { kind: "completed" } }, { ending: { kind: "access_refused", refusal: { reason: "blocked" } } }],
    ]);
    expect(channel.store.turn("2")?.state).toBe("finished");
  });

  it("is taken in by the last decision if its scope is down and there is no limit", async () => {
    const { ends } = await joining(() => new Error("down"));
    expect(ends).toMatchObject([{ ending: { kind: "completed" } }, { ending: { kind: "steered" } }]);
  });
});

describe("the usage of a turn", () => {
  it("is reported once with exact figures, in the scope where the turn was asked", async () => {
    const { channel, reports } = scoped(() => lends(1));
    submit(channel, "1");
    await channel.drain();
    channel.answer(rolls);
    await channel.clock.advance(2000);
    channel.answer(says("done"));
    await channel.clock.advance(5000);
    const turn = channel.store.turn("1");
    expect(reports).toEqual([
      {
        ...{ turnId: "1", userId: "10" },
        channelId: turn?.request.channelId,
        guildId: "77",
        at: turn?.startedAt,
        endedAt: turn?.endedAt,
        usage: turn?.usage,
      },
    ]);
    expect(turn?.usage).toMatchObject({ inputTokens: 1800, outputTokens: 200, modelCalls: 2 });
    expect([channel.store.hasReports(), channel.alarmAt()]).toEqual([false, null]);
  });

  it("is sent again by the alarm, later each time, until the scope takes it, even by a new life", async () => {
    const { channel, reports, state } = scoped(() => lends(1));
    state.isDown = true;
    submit(channel, "1");
    await channel.drain();
    channel.answer(says("hi"));
    await channel.clock.advance(1000);
    expect(channel.alarmAt()).not.toBeNull();
    channel.crash();
    const gaps: number[] = [];
    for (let n = 0; n < 4; n++) {
      const before = channel.clock.now();
      await channel.clock.advance((channel.alarmAt() ?? before) - before);
      gaps.push(channel.clock.now() - before);
      channel.runAlarm();
      await channel.drain();
    }
    // A new life sends the reports that it finds first.
    expect(gaps.map((ms) => ms / 1000)).toEqual([1, 15, 30, 60]);
    state.isDown = false;
    await channel.clock.advance(240_000);
    channel.runAlarm();
    await channel.drain();
    expect([reports.map(({ turnId }) => turnId), channel.store.hasReports(), channel.alarmAt()]).toEqual([
      ["1"],
      false,
      null,
    ]);
  });

  it("of a turn that never began is not reported", async () => {
    const { channel, reports } = scoped(() => lends(1));
    submit(channel, "1");
    submit(channel, "2", FREE, "11");
    await channel.drain();
    channel.stop({ interactionId: "3", kind: "kill", turnId: null, userId: "10", userName: "Theo", moderator: true });
    await channel.clock.advance(5000);
    expect(reports.map(({ turnId }) => turnId)).toEqual(["1"]);
  });
});
