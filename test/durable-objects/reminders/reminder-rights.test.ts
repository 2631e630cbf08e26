// The rights of a reminder's turn: those that its person has when it begins, as Discord reports them, whatever Discord answers and whatever
// dies meanwhile.
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../src/config.ts";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import { readRule } from "../../../src/core/time/recurrence.ts";
import { createPoll } from "../../../src/tools/create-poll.ts";
import { setReminder } from "../../../src/tools/set-reminder.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";

const HOUR_MS = 3_600_000;
const [ANA, SERVER, MEMBER, OTHER] = [
  "118000000000000010",
  "118000000000000020",
  "118000000000000031",
  "118000000000000032",
];
const SEES = 1n << 10n;
const SEES_AND_POLLS = String(SEES | (1n << 11n) | (1n << 38n) | (1n << 49n));
const TEXT = [{ kind: "text", text: "Tea." }] satisfies ModelEvent[];
const END = { kind: "end", finishReason: "stop", calls: [], usage: null } satisfies ModelEvent;

const parsed = parseConfig({ DISCORD_PUBLIC_KEY: "a".repeat(64), DISCORD_APPLICATION_ID: "1", OPENAI_API_KEY: "test" });
if (!parsed.ok) throw new Error(parsed.problems.join("; "));
const CONFIG = parsed.config;

type Answer = { status: number; json: unknown } | "hangs" | "breaks";
const found = (json: unknown): Answer => ({ status: 200, json });
const member = (roles: string[], more = {}) => found({ roles, ...more });
const refused = (status: number, code: number) => ({ status, json: { code, message: "" } });

const GUILD = found({
  owner_id: "1",
  roles: [
    { id: SERVER, permissions: String(SEES) },
    { id: MEMBER, permissions: SEES_AND_POLLS },
    { id: OTHER, permissions: "0" },
  ],
});
const CHANNEL = found({ type: 0, guild_id: SERVER, permission_overwrites: [] });

let asked: string[];
/**
 * Makes a channel in a server, where Discord answers about this person, the server and the channel. `news`: settings of the server that the
 * channel learns only when the turn asks.
 */
function open(
  answers: {
    member: Answer;
    guild?: Answer;
    channel?: Answer;
    parent?: Answer;
    afterMs?: number;
  },
  news: Record<string, string> = {},
): ChannelHarness {
  asked = [];
  const { guild = GUILD, channel = CHANNEL, parent = CHANNEL, afterMs = 0 } = answers;
  const places: Record<string, Answer> = {
    [`/guilds/${SERVER}/members/${ANA}`]: answers.member,
    [`/guilds/${SERVER}`]: guild,
    "/channels/2": channel,
    "/channels/3": parent,
  };
  const fetch = async (url: string, { signal }: RequestInit) => {
    asked.push(url);
    if (afterMs > 0) await new Promise<void>((resolve) => opened.clock.timers.after(afterMs, resolve));
    const answer = places[url] ?? refused(404, 0);
    if (answer === "breaks") throw new Error("the connection broke");
    if (answer === "hangs")
      return new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    return new Response(JSON.stringify(answer.json), { status: answer.status });
  };
  const opened = createChannelHarness({
    config: { discord: { ...CONFIG.discord, botToken: "a token" } },
    tools: [createPoll],
    discord: () => ({ fetch, baseUrl: "", userAgent: "", botToken: "a token" }),
    scope: openScopes({
      lease: async () => ({
        kind: "granted",
        allowance: { tokens: null, microUsd: null },
        until: Number.POSITIVE_INFINITY,
        note: { settings: news, isLimited: false },
      }),
    }),
  });
  return opened;
}

const ANAS = { ...testRequest("9", ANA), guildId: SERVER, roles: [MEMBER] };

/** Sets Ana's reminder and runs the alarm at its time. */
async function due(channel: ChannelHarness, by: TurnRequest = ANAS): Promise<void> {
  channel.remindersFor(by).set({ key: "k", text: "tea", dueAt: channel.clock.now() + HOUR_MS });
  await channel.clock.advance(HOUR_MS);
  channel.runAlarm();
  await channel.drain();
}
/** The tools of each of the model's requests. */
const offered = (channel: ChannelHarness) => channel.requests.map(({ tools }) => tools.map(({ name }) => name));
const state = (channel: ChannelHarness) =>
  ["running", "finished"].flatMap((one) =>
    channel.store
      .recentTurns(9, EVERYTHING)
      .filter((turn) => turn.state === one)
      .map(() => one),
  );
it.each([
  ["is set", {}, ["tea"]],
  ["is not set in a private turn", { privateTo: ANA }, []],
])("a reminder whose model asks for %s", async (_, more, texts) => {
  const channel = createChannelHarness({
    config: { discord: { ...CONFIG.discord, botToken: "a token" } },
    tools: [setReminder],
  });
  const call = { id: "a", name: "set_reminder", arguments: '{"text":"tea","when":"in 2 hours"}' };
  channel.submit({ trigger: { ...ANAS, botIsHere: true, ...more } });
  await channel.drain();
  channel.answer([{ ...END, finishReason: "tool_calls", calls: [call] }]);
  await channel.clock.advance(5000);
  const listed = await channel.port.reminders(EVERYTHING);
  expect(listed.map(({ text }) => text)).toEqual(texts);
});

const EVERYTHING = { userId: ANA, moderator: true };
const line = (channel: ChannelHarness) => [...channel.shown().values()];

describe("the turn of a reminder", () => {
  it("has its person's current permissions, in a thread those in its channel", async () => {
    const channel = open({ member: member([MEMBER]) });
    await due(channel);
    expect(offered(channel)).toEqual([["create_poll"]]);
    expect(asked.sort()).toEqual(["/channels/2", `/guilds/${SERVER}`, `/guilds/${SERVER}/members/${ANA}`]);
    const thread = open({
      member: member([MEMBER]),
      channel: found({ type: 11, guild_id: SERVER, parent_id: "3" }),
    });
    await due(thread);
    expect(offered(thread)).toEqual([["create_poll"]]);
  });

  it.each<[string, Parameters<typeof open>[0]]>([
    ["has lost the role that allowed them", { member: member([OTHER]) }],
    ["is timed out", { member: member([MEMBER], { communication_disabled_until: "1970-02-01T00:00:00Z" }) }],
    ["may not see the channel's overwrites", { member: member([MEMBER]), channel: refused(403, 50001) }],
    ["is somebody about whom Discord says nothing", { member: refused(500, 0) }],
    ["can't be looked up", { member: "breaks", guild: "breaks", channel: "breaks" }],
    ["is in a server that tells nothing", { member: member([MEMBER]), guild: refused(403, 50001) }],
    ["is described by nonsense", { member: found([]), guild: found(7), channel: found(null) }],
  ])("has no permissions if its person %s, but comes", async (_, answers) => {
    const channel = open(answers);
    await due(channel);
    expect(offered(channel)).toEqual([[]]);
    channel.answer([...TEXT, END]);
    await channel.clock.advance(2000);
    expect(line(channel)[0]).toContain("Tea.");
  });

  it("has every permission in a direct message, as a command there has, and asks nobody", async () => {
    const channel = open({ member: "breaks" });
    await due(channel, { ...ANAS, guildId: null });
    expect([offered(channel), asked]).toEqual([[["create_poll"]], []]);
  });

  it("waits no longer than two seconds for an answer", async () => {
    const channel = open({ member: "hangs", guild: "hangs", channel: "hangs" });
    await due(channel);
    await channel.clock.advance(1999);
    expect(offered(channel)).toEqual([]);
    await channel.clock.advance(1);
    await channel.drain();
    expect(offered(channel)).toEqual([[]]);
  });

  it.each<[string, Answer, Record<string, string>]>([
    ["has left the server", refused(404, 10007), {}],
    ["no longer has an account", refused(404, 10013), {}],
    ["was given a denied role", member([OTHER]), { deny_roles: OTHER }],
    ["has lost the allowed role", member([]), { allow_roles: MEMBER }],
    ["had a denied role, as far as anyone knows", refused(500, 0), { deny_roles: MEMBER }],
  ])("ends silently and without a model if its person %s", async (_, answer, settings) => {
    const channel = open({ member: answer });
    for (const [key, value] of Object.entries(settings)) channel.store.putSetting(key, value);
    await due(channel);
    await channel.clock.advance(5000);
    expect([channel.requests.length, line(channel), state(channel), channel.alarmAt()]).toEqual([
      0,
      [],
      ["finished"],
      null,
    ]);
  });

  it.each([
    ["a channel", { type: 0 }, "channel"],
    ["a thread, by its channel", { type: 11, parent_id: "3" }, "parent"],
  ])("ends silently if its person can't see %s any more", async (_, place, hides) => {
    const overwrites = [{ id: ANA, type: 1, allow: "0", deny: String(SEES) }];
    const channel = open({
      member: member([MEMBER]),
      channel: found({ guild_id: SERVER, permission_overwrites: [], ...place }),
      [hides]: found({ guild_id: SERVER, ...place, permission_overwrites: overwrites }),
    });
    await due(channel);
    await channel.clock.advance(5000);
    expect([channel.requests.length, line(channel), state(channel)]).toEqual([0, [], ["finished"]]);
  });

  it("shows nothing before Discord has said who its person is", async () => {
    const channel = open({ member: refused(404, 10007), afterMs: 1000 });
    await due(channel);
    await channel.clock.advance(5000);
    expect([line(channel), state(channel)]).toEqual([[], ["finished"]]);
    const other = open({ member: member([MEMBER]), afterMs: 500 });
    await due(other);
    await other.clock.advance(5000);
    expect([line(other)[0], offered(other)]).toEqual([expect.stringMatching(/^-# ⏰ Reminder/), [["create_poll"]]]);
  });

  it.each<[string, Record<string, string>, Answer]>([
    ["no longer has the denied role", { deny_roles: MEMBER }, member([])],
    ["was given an allowed role", { allow_roles: OTHER }, member([OTHER])],
    ["had an allowed role, as far as anyone knows", { allow_roles: MEMBER }, refused(500, 0)],
  ])("comes if its person %s", async (_, settings, answer) => {
    const channel = open({ member: answer });
    for (const [key, value] of Object.entries(settings)) channel.store.putSetting(key, value);
    await due(channel);
    expect(channel.requests.length).toBe(1);
  });

  it.each<[string, Record<string, string>, Answer, number]>([
    ["ends if they deny a role that its person has now", { deny_roles: OTHER }, member([OTHER]), 0],
    ["ends if they allow only a role that its person had", { allow_roles: MEMBER }, member([]), 0],
    ["comes if they deny a role that its person had", { deny_roles: MEMBER }, member([]), 1],
    ["comes if they allow a role that its person has now", { allow_roles: OTHER }, member([OTHER]), 1],
    ["uses the earlier roles if the current ones are unknown", { deny_roles: MEMBER }, refused(500, 0), 0],
  ])("learns its server's new lists, and %s", async (_, news, answer, calls) => {
    const channel = open({ member: answer }, news);
    await due(channel);
    await channel.clock.advance(5000);
    expect(channel.requests.length).toBe(calls);
  });

  it("asks again in a life that takes it over, and comes once", async () => {
    const channel = open({ member: "hangs" });
    await due(channel);
    channel.crash();
    channel.runAlarm();
    await channel.drain();
    expect([offered(channel), state(channel)]).toEqual([[], ["running"]]);
    await channel.clock.advance(2000);
    await channel.drain();
    channel.crash();
    channel.runAlarm();
    await channel.clock.advance(2000);
    await channel.drain();
    channel.answer([...TEXT, END]);
    await channel.clock.advance(2000);
    expect([state(channel), channel.streams(), channel.alarmAt()]).toEqual([["finished"], 0, null]);
    expect(line(channel).at(-1)).toMatch(/^Tea\.\n\n-# ⏰ Reminder/);
    expect(asked.filter((url) => url.includes("/members/")).length).toBe(3);
  });

  it("counts as a failure of its task, which pauses after three", async () => {
    const channel = open({ member: refused(404, 10007) });
    const read = readRule("every hour", channel.clock.now(), "UTC");
    if (!read.ok) throw new Error(read.problem);
    const repeats = { rule: read.rule, every: "every hour" };
    channel.remindersFor(ANAS).set({ key: "k", text: "tea", dueAt: channel.clock.now() + HOUR_MS, repeats });
    for (let hour = 0; hour < 4; hour++) {
      await channel.clock.advance(HOUR_MS);
      channel.runAlarm();
      await channel.clock.advance(5000);
    }
    expect(
      channel
        .remindersFor(ANAS)
        .pending()
        .map(({ isPaused }) => isPaused),
    ).toEqual([true]);
    expect([channel.requests.length, state(channel), channel.alarmAt()]).toEqual([
      0,
      ["finished", "finished", "finished"],
      null,
    ]);
  });

  it("ends as stopped if it is stopped while Discord is asked", async () => {
    const channel = open({ member: "hangs" });
    await due(channel);
    const turnId = channel.store.state().running?.id ?? "";
    channel.stop({ interactionId: "s", kind: "stop", turnId, userId: ANA, userName: "Ana", moderator: false });
    await channel.clock.advance(5000);
    expect([channel.requests.length, state(channel)]).toEqual([0, ["finished"]]);
    expect(channel.store.recentTurns(1, EVERYTHING)[0]?.status).toBe("stopped_by_user");
  });
});
