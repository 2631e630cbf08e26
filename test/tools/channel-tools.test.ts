// The tools that act as the bot in its channel, against the local Discord: what they do there, and how they word refusals.
import { beforeEach, describe, expect, it } from "vitest";
import type { TurnTaint } from "../../src/core/taint/taint.ts";
import { createChannelActions } from "../../src/discord/rest/bot-actions.ts";
import { RateLimiter } from "../../src/discord/rest/rate-limiter.ts";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import type { ToolServices } from "../../src/toolkit/define/tool-services.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import type { ApprovalVerdict, CallWords } from "../../src/toolkit/run/runtime-ports.ts";
import { tools } from "../../src/tools/index.ts";
import { type TestWorld, testWorld } from "../playground/discord/world.ts";
import { createTestClock } from "../support/clock.ts";
import { unlimited } from "./unlimited.ts";

const EVERYTHING = ["ADD_REACTIONS", "READ_MESSAGE_HISTORY", "CREATE_PUBLIC_THREADS", "SEND_POLLS", "PIN_MESSAGES"];
const signal = new AbortController().signal;

let world: TestWorld;
let requests: Request[];
let message: string;
let asked: CallWords[];
beforeEach(() => {
  world = testWorld({ messageContentIntent: true });
  requests = [];
  asked = [];
  message = world.discord.speak({ as: PEOPLE.mira, channel: PLACES.general, content: "Who brings cake?" });
});

const actionsIn = (channelId: string = PLACES.general, limits = unlimited()) =>
  createChannelActions(
    {
      ...limits,
      fetch(url, init) {
        const request = new Request(url, init);
        requests.push(request.clone());
        return world.discord.fetch(request);
      },
      baseUrl: "http://discord.local/api/v10",
      userAgent: "DiscordBot (https://example.org, 1.0)",
      botToken: APPLICATION.botToken,
    },
    channelId,
    APPLICATION.id,
  );

async function call(
  name: string,
  args: object,
  { channel = PLACES.general as string, granted = EVERYTHING, verdict = "approved" as ApprovalVerdict } = {},
  taint?: TurnTaint,
) {
  const services: Partial<ToolServices> = {
    actions: actionsIn(channel),
    messageId: (reference) => (reference === "ref_1" ? message : /^\d+$/.test(reference) ? reference : null),
  };
  const availability = {
    botToken: true,
    permissions: new Set(granted),
    modelAbilities: new Set<string>(),
    settings: new Set<string>(),
  };
  const { timers } = createTestClock(0);
  const approvals = { verdict: () => verdict, ask: (_: unknown, words: CallWords) => void asked.push(words) };
  const runtime = new ToolRuntime(createToolRegistry(tools), {
    services,
    availability,
    approvals,
    after: timers.after,
  });
  const { meta: _meta, ...result } = await runtime.execute(
    { name, arguments: JSON.stringify(args) },
    { userId: "7", channelId: channel, ...(taint && { taint }) },
  );
  return result;
}
const seen = () => world.discord.messages(PLACES.general, PEOPLE.theo);
const shown = (id: string) => seen().find((one) => one.id === id);

describe("read_recent_messages", () => {
  it("returns the newest messages, oldest first, with authors, times and files", async () => {
    world.clock.now += 60_000;
    const file = { filename: "plan.txt", text: "x" };
    const second = world.discord.speak({ as: PEOPLE.theo, channel: PLACES.general, content: "Me!", file });
    const result = await call("read_recent_messages", { limit: 2 });
    expect(result.data).toEqual({
      messages: [
        {
          id: message,
          from: "Mira",
          mention: `<@${PEOPLE.mira}>`,
          at: "2026-11-20T12:00:00.000Z",
          text: "Who brings cake?",
        },
        {
          id: second,
          from: "Theo",
          mention: `<@${PEOPLE.theo}>`,
          at: "2026-11-20T12:01:00.000Z",
          text: "Me!",
          files: ["plan.txt"],
        },
      ],
    });
    expect(await call("read_recent_messages", { before: second, limit: 1 })).toMatchObject({
      data: { messages: [{ id: message }] },
    });
  });

  it("reads the newest messages if the place to begin is an empty text", async () => {
    expect(await call("read_recent_messages", { before: " ", limit: 1 })).toEqual(
      await call("read_recent_messages", { limit: 1 }),
    );
  });

  it("says which parts are hidden without the Message Content intent", async () => {
    world.discord.configure({ messageContentIntent: false });
    expect(await call("read_recent_messages", { limit: 1 })).toMatchObject({
      ok: true,
      data: {
        messages: [{ id: message, text: "", hidden: true }],
        note: expect.stringContaining("The text and files of 1 of 1 messages are hidden from you"),
      },
    });
  });

  it("leaves the oldest out if all together are too long, and says how to read them", async () => {
    const long = (n: number) => `${n} ${'"'.repeat(590)}`;
    const ids = Array.from({ length: 49 }, (_, n) =>
      world.discord.speak({ as: PEOPLE.mira, channel: PLACES.general, content: long(n) }),
    );
    const { data } = await call("read_recent_messages", { limit: 50 });
    const { messages, note } = data as { messages: { id: string; text: string }[]; note: string };
    expect(messages.at(-1)).toMatchObject({ id: ids.at(-1), text: long(48) });
    const [first] = messages;
    expect(note).toBe(
      `The oldest ${50 - messages.length} of 50 messages are left out, because all of them together are too long; to read them, call again with before: ${first?.id}.`,
    );
    const before = await call("read_recent_messages", { limit: 1, before: first?.id });
    expect(before.data).toMatchObject({ messages: [{ text: long(48 - messages.length) }] });
  });

  it("cuts a long message without leaving part of a secret, and says that a channel that looks empty may be unreadable", async () => {
    world.discord.speak({ as: PEOPLE.mira, channel: PLACES.general, content: "x".repeat(700) });
    expect(await call("read_recent_messages", { limit: 1 })).toMatchObject({
      data: { messages: [{ text: `${"x".repeat(600)}…` }] },
    });
    world.discord.speak({
      as: PEOPLE.mira,
      channel: PLACES.general,
      content: `${"x".repeat(590)} sk-${"a1".repeat(20)}`,
    });
    expect(await call("read_recent_messages", { limit: 1 })).toMatchObject({
      data: { messages: [{ text: `${"x".repeat(590)} [secret]…` }] },
    });
    expect((await call("read_recent_messages", {}, { channel: PLACES.dmOfTheo })).data).toMatchObject({
      messages: [],
      note: "There are no messages here, or the bot may not read this channel's history.",
    });
  });
});

describe("add_reaction", () => {
  it("adds a reaction once, however often it is called", async () => {
    for (const reference of ["ref_1", message])
      expect(await call("add_reaction", { message: reference, emoji: "👍" })).toMatchObject({ ok: true });
    await call("add_reaction", { message, emoji: "👨‍👩‍👧" });
    expect(shown(message)?.reactions).toEqual([
      { emoji: "👍", count: 1 },
      { emoji: "👨‍👩‍👧", count: 1 },
    ]);
  });

  it.each([
    ["ref_9", "👍", '"ref_9" is not a message here'],
    ["1180000000000000999", "👍", "there is no such message in this channel"],
    ["ref_1", "happy", "Discord does not know this emoji"],
    ["ref_1", "<:gone:1180000000000000998>", "Discord does not know this emoji"],
  ])("says in words why it can't react to %s with %s", async (reference, emoji, error) => {
    expect(await call("add_reaction", { message: reference, emoji })).toMatchObject({ ok: false, error });
  });
});

describe("create_poll", () => {
  it("posts the poll, pings no one and ends the turn", async () => {
    const poll = { question: "Tea or coffee, @everyone?", answers: ["Tea", "Coffee"], hours: 2, multiple: true };
    const result = await call("create_poll", poll);
    expect(result).toMatchObject({ ok: true, endTurn: true, data: { responseDelivered: true } });
    expect(shown((result.data as { message: string }).message)?.poll).toEqual({
      question: "Tea or coffee, @everyone?",
      answers: ["Tea", "Coffee"],
      expiresAt: world.clock.now + 7_200_000,
      mayChooseSeveral: true,
    });
    expect(world.discord.pinged()).toEqual([]);
  });

  it.each([
    [{ question: "", answers: ["a", "b"] }],
    [{ question: "x".repeat(301), answers: ["a", "b"] }],
    [{ question: "q", answers: ["a"] }],
    [{ question: "q", answers: Array.from({ length: 11 }, (_, n) => `${n}`) }],
    [{ question: "q", answers: ["a", "x".repeat(56)] }],
    [{ question: "q", answers: ["a", "b"], hours: 769 }],
  ])("checks Discord's limits before it sends a request (case %#)", async (poll) => {
    expect((await call("create_poll", poll)).status).toBe("invalid_input");
    expect(requests).toEqual([]);
  });
});

describe("create_thread", () => {
  it("opens a thread on a message or by itself, with the reason in the audit log", async () => {
    const on = await call("create_thread", { name: "Cake", message: "ref_1", archiveAfter: "week" });
    expect(on.data).toEqual({ thread: message, mention: `<#${message}>` });
    const alone = await call("create_thread", { name: "Drinks", message: "" });
    const threads = world.discord.channels(PEOPLE.theo).filter(({ type }) => type === 11);
    expect(threads.map(({ name }) => name).slice(-2)).toEqual(["Cake", "Drinks"]);
    expect((alone.data as { thread: string }).thread).toBe(threads.at(-1)?.id);
    const posted = requests.filter(({ method }) => method === "POST");
    expect(posted.map(({ headers }) => headers.get("x-audit-log-reason"))).toEqual(
      Array(2).fill("asked%20by%20user%207"),
    );
    expect(await posted[0]?.json()).toEqual({ name: "Cake", auto_archive_duration: 10_080 });
    expect(await posted[1]?.json()).toEqual({ name: "Drinks", auto_archive_duration: 1440, type: 11 });
  });

  it("says why there can be no thread", async () => {
    await call("create_thread", { name: "Cake", message: "ref_1" });
    expect((await call("create_thread", { name: "Cake", message: "ref_1" })).error).toBe(
      "this message already has a thread",
    );
    expect((await call("create_thread", { name: "Cake" }, { channel: PLACES.dmOfTheo })).error).toBe(
      "this can't be done in this kind of channel",
    );
  });
});

describe("pin_message", () => {
  it("pins a message once", async () => {
    for (let n = 0; n < 2; n++) expect(await call("pin_message", { message: "ref_1" })).toMatchObject({ ok: true });
    expect([shown(message)?.pinned, seen().filter(({ deed }) => deed !== undefined).length]).toEqual([true, 1]);
  });
});

describe("a person who is asked to approve", () => {
  const about = () => message;
  it.each([
    ["pin_message", { message: "ref_1" }, 'pin_message with message = "ref_1"', about],
    ["add_reaction", { message: "ref_1", emoji: "👍" }, 'add_reaction with message = "ref_1", emoji = "👍"', about],
    ["create_thread", { name: "n", message: "ref_1" }, 'create_thread with name = "n", message = "ref_1"', about],
    ["create_thread", { name: "n" }, 'create_thread with name = "n"', null],
  ])("sees the call and a link to its message: %s with %j", async (name, args, summary, expected) => {
    const taint: TurnTaint = { level: "full", isAskedFor: () => false, isKnown: () => false };
    expect((await call(name, args, { verdict: "open" }, taint)).status).toBe("needs_approval");
    expect([asked, requests]).toEqual([[{ summary, isSuspect: true, ...(expected && { messageId: expected() }) }], []]);
  });
});

describe("a permission that the person lacks", () => {
  it.each([
    ["read_recent_messages", {}, "READ_MESSAGE_HISTORY", "Read Message History"],
    ["add_reaction", { message: "ref_1", emoji: "👍" }, "ADD_REACTIONS", "Add Reactions"],
    ["create_poll", { question: "q", answers: ["a", "b"] }, "SEND_POLLS", "Send Polls"],
    ["create_thread", { name: "n" }, "CREATE_PUBLIC_THREADS", "Create Public Threads"],
    ["pin_message", { message: "ref_1" }, "PIN_MESSAGES", "Pin Messages"],
  ])("keeps %s from acting for them", async (name, args, permission, words) => {
    const granted = EVERYTHING.filter((one) => one !== permission);
    expect(await call(name, args, { granted })).toMatchObject({
      status: "denied",
      error: `${name} needs the ${words} permission`,
    });
    expect(requests).toEqual([]);
  });
});

it("reads the stickers of a message, what it forwards, and the words of the components that it consists of", async () => {
  const said = {
    id: "1",
    type: 0,
    content: "",
    timestamp: "2026-11-22T10:00:00Z",
    author: { id: "2", username: "mira" },
  };
  const map = { filename: "map.png", url: "https://cdn.discordapp.com/map.png" };
  const forwarded = { content: "the plan\nof the harbour", attachments: [map, { ...map, filename: "tide.mp4" }] };
  const messages = [
    { ...said, message_snapshots: [{ message: { ...forwarded, embeds: [{ title: "Tide" }] } }] },
    { ...said, sticker_items: [{ name: "Wave" }] },
    { ...said, components: [{ type: 10, content: "Release 3" }] },
  ];
  world.discord.failNext(1, Response.json(messages));
  expect(await actionsIn().recentMessages(3, null, signal)).toMatchObject({
    ok: true,
    value: [
      { text: "Release 3", isHidden: false },
      { text: "Sticker: Wave", isHidden: false },
      { text: "Forwarded: the plan\nof the harbour\nTide", files: ["map.png", "tide.mp4"], pictures: [map] },
    ],
  });
});

it("reads a poll, and which message is replied to", async () => {
  const author = { id: "2", username: "mira" };
  const said = { id: "1", type: 19, content: "", timestamp: "2026-11-22T10:00:00Z", author };
  const poll = { question: { text: "Which?" }, answers: [{ poll_media: { text: "Tea" } }] };
  const more = { poll, message_reference: { message_id: "5" } };
  world.discord.failNext(1, Response.json([{ ...said, ...more }]));
  expect(await actionsIn().recentMessages(1, null, signal)).toMatchObject({
    value: [{ text: "Poll: Which? (Tea)", repliesTo: "5", isHidden: false }],
  });
});

it.each<[string, object, boolean]>([
  ["nothing", {}, true],
  ["nothing, as an answer to a command or a menu,", { type: 20 }, true],
  ["nothing, as a line of Discord's own,", { type: 7 }, false],
  ["files and embeds", { attachments: [{ filename: "a" }], embeds: [{}] }, false],
  ["embeds and buttons", { embeds: [{}], components: [{}] }, false],
  ["buttons and stickers", { components: [{}], sticker_items: [{ name: "Wave" }] }, false],
])("a message with %s and without words is hidden: %s", async (_, more, isHidden) => {
  const author = { id: "2", username: "mira" };
  const said = { id: "1", type: 0, content: "", timestamp: "2026-11-22T10:00:00Z", author, ...more };
  world.discord.failNext(1, Response.json([said]));
  expect(await actionsIn().recentMessages(1, null, signal)).toMatchObject({ ok: true, value: [{ isHidden }] });
});

describe("an error from Discord", () => {
  const trouble = (status: number, code: number, more: object = {}) =>
    world.discord.failNext(1, Response.json({ code, message: "no", ...more }, { status }));

  it.each([
    [403, 50001, "the bot is not a member here or may not see this channel"],
    [403, 50013, "the bot lacks the permission for this here; somebody with Manage Roles can grant it"],
    [400, 30003, "this channel already has the maximum number of pinned messages"],
    [403, 77, 'Discord refused this: {"code":77,"message":"no"}'],
  ])("is put into words: %i with code %i", async (status, code, error) => {
    trouble(status, code);
    expect(await actionsIn().pinMessage(message, "why", signal)).toEqual({ ok: false, error });
  });

  it.each([
    [499, undefined],
    [500, true],
  ])("is temporary from 500 on: %i", async (status, retryable) => {
    trouble(status, 0);
    const answer = await actionsIn().pinMessage(message, "why", signal);
    expect(answer.ok ? answer : answer.retryable).toBe(retryable);
  });

  it("is marked as retryable if it is temporary, with the time if Discord names one", async () => {
    trouble(429, 0, { retry_after: 1.5 });
    expect(await actionsIn().pinMessage(message, "why", signal)).toEqual({
      ok: false,
      error: "Discord is limiting our requests",
      retryable: true,
      retryAfterMs: 1500,
    });
    trouble(502, 0);
    const unreachable = { ok: false, error: "Discord could not be reached", retryable: true };
    expect(await actionsIn().pinMessage(message, "why", signal)).toEqual(unreachable);
    world.discord.failNext(1, new Response("<html>", { status: 200 }));
    expect(await actionsIn().recentMessages(1, null, signal)).toEqual(unreachable);
  });

  it.each([
    ["a failure of Discord", Response.json({ code: 0, message: "no" }, { status: 502 })],
    ["an answer that nobody can read", new Response("<html>", { status: 200 })],
    ["an answer without an id", Response.json({})],
  ])("warns the model that an action that must not happen twice may have happened: %s", async (_, answer) => {
    const poll = { question: "Tea?", answers: ["yes", "no"], hours: 1, mayChooseSeveral: false };
    world.discord.failNext(1, answer.clone());
    const error = expect.stringMatching(/; whether it did anything is unknown$/);
    expect(await actionsIn().createPoll(poll, "1-v", signal)).toMatchObject({ ok: false, error });
    world.discord.failNext(1, answer.clone());
    const thread = { name: "tea", messageId: message, archiveAfterMinutes: 60 } as const;
    expect(await actionsIn().createThread(thread, "why", signal)).toMatchObject({ ok: false, error });
  });

  it("about too many requests holds back everything that the object sends: the next request does not go out", async () => {
    const rateLimiter = new RateLimiter(() => 0, { info() {}, warn() {}, error() {} });
    const actions = actionsIn(PLACES.general, { clock: () => 0, rateLimiter });
    trouble(429, 0, { retry_after: 2, global: true });
    const limited = { ok: false, error: "Discord is limiting our requests", retryable: true, retryAfterMs: 2000 };
    expect(await actions.pinMessage(message, "why", signal)).toEqual(limited);
    expect(await actions.addReaction(message, "👍", signal)).toEqual(limited);
    expect(requests.length).toBe(1);
    expect(rateLimiter.readyAt({ channelId: PLACES.general }, "create")).toBe(2000);
  });

  it("does not matter to a call that has ended", async () => {
    const ended = AbortSignal.abort();
    const stopped = createChannelActions(
      { ...unlimited(), fetch: () => Promise.reject(new Error("aborted")), baseUrl: "", userAgent: "", botToken: "t" },
      "1",
      "2",
    );
    expect(await stopped.addReaction(message, "👍", ended)).toEqual({ ok: false, error: "the request was ended" });
  });
});
