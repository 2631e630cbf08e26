// How often and how long small requests are repeated: removing buttons, an additional answer, a private sentence, the line "… is typing".
import { describe, expect, it } from "vitest";
import type { ChannelPorts } from "../../../durable-objects/channel-ports.ts";
import {
  answerBeside,
  claimNotice,
  tellNoAccess,
  tellRefusal,
} from "../../../durable-objects/replies/asker-notices.ts";
import { QuestionSigns } from "../../../durable-objects/replies/question-signs.ts";
import { retried } from "../../../durable-objects/replies/retried.ts";
import { tellPrivately } from "../../../durable-objects/replies/side-messages.ts";
import { Typing } from "../../../durable-objects/replies/typing.ts";
import { BackstopTimers } from "../../../durable-objects/schedule/backstop-timers.ts";
import { NONCE_LIFE_MS } from "../../../src/core/limits.ts";
import { RateLimiter } from "../../../src/discord/rest/rate-limiter.ts";
import type { RestResult } from "../../../src/discord/rest/rest.ts";
import { createTestClock } from "../../support/clock.ts";

const HOUR_MS = 3_600_000;
const refusal = (status: number, code: number): RestResult =>
  ({
    ...{ ok: false, kind: "refused", status, code, text: "no" },
    limit: status === 429 ? { retryAfterMs: 0, global: false } : null,
  }) as RestResult;
const DOWN = refusal(500, 0);
const BUSY = refusal(429, 0);
const NO_WEBHOOK = refusal(404, 10015);
const FORBIDDEN = refusal(403, 50001);
const HIDDEN = refusal(400, 160_002);
const SENT: RestResult = { ok: true, message: { id: "9", content: "", ephemeral: false } };

/** Discord gives these answers in order, and the last one from then on. The first answer takes `slowMs`. */
function place(...answers: RestResult[]) {
  return slowPlace(0, ...answers);
}

function slowPlace(slowMs: number, ...answers: RestResult[]) {
  const clock = createTestClock(0);
  const tries: number[] = [];
  const bodies: Record<string, unknown>[] = [];
  const logged: string[] = [];
  const send = async (body: Record<string, unknown> = {}): Promise<RestResult> => {
    tries.push(clock.now());
    bodies.push(body);
    if (tries.length === 1 && slowMs > 0) await new Promise<void>((done) => clock.timers.after(slowMs, done));
    return answers[Math.min(tries.length, answers.length) - 1] ?? SENT;
  };
  const marked = new Map<string, number>();
  const ports = {
    ...{ clock: clock.now, timers: new BackstopTimers(clock.now, clock.timers), keepAlive: () => {} },
    rest: { create: (_endpoint: unknown, body: Record<string, unknown>) => send(body) },
    log: { warn: (line: string) => void logged.push(line) },
    store: { transaction: (work: () => unknown) => work() },
    marks: { at: (key: string) => marked.get(key) ?? null, put: (key: string, at: number) => marked.set(key, at) },
    config: { discord: { botToken: null } },
  } as unknown as ChannelPorts;
  return { clock, tries, bodies, logged, send, ports };
}
const seconds = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => (from + n) * 1000);

describe("a request that may be repeated", () => {
  it.each<[string, RestResult, number[]]>([
    ["is down", DOWN, seconds(0, 3)],
    ["says to wait", BUSY, seconds(0, 3)],
    ["refuses", FORBIDDEN, [0]],
  ])("is sent every second until its time is over if Discord %s", async (_, answer, times) => {
    const { clock, tries, send, ports } = place(answer);
    const result = retried(ports, 3000, send);
    await clock.advance(20_000);
    expect([tries, await result]).toEqual([times, answer]);
  });

  it("is sent for ten seconds to a webhook that Discord does not know yet", async () => {
    const { clock, tries, send, ports } = place(NO_WEBHOOK);
    const result = retried(ports, 60_000, send);
    await clock.advance(60_000);
    expect([tries, await result]).toEqual([seconds(0, 10), NO_WEBHOOK]);
  });
});

it.each<[string, (ports: ChannelPorts, send: () => Promise<RestResult>) => Promise<unknown>]>([
  ["a request that may be repeated", (ports, send) => retried(ports, 60_000, send)],
  ["a private sentence", (ports) => tellPrivately(ports, { applicationId: "1", token: "t" } as never, "words")],
])("%s is sent again if Discord did not know its webhook when it was sent, and says so late", async (_, begin) => {
  const { clock, tries, send, ports } = slowPlace(12_000, NO_WEBHOOK, SENT);
  const over = begin(ports, () => send());
  await clock.advance(20_000);
  await over;
  expect(tries).toHaveLength(2);
});

describe("an answer to a message that asks nothing", () => {
  it.each<[string, RestResult, number[]]>([
    ["is down", DOWN, seconds(0, 10)],
    ["says to wait", BUSY, seconds(0, 10)],
    ["refuses", FORBIDDEN, [0]],
  ])("is sent every second for ten seconds if Discord %s", async (_, answer, times) => {
    const { clock, tries, logged, ports } = place(answer);
    answerBeside(ports, { channelId: "2", messageId: "7" } as never, "help");
    await clock.advance(60_000);
    expect([tries, logged]).toEqual([times, ["a message was not answered"]]);
  });

  it("replies to the message until Discord forbids that", async () => {
    const { clock, tries, bodies, ports } = place(DOWN, HIDDEN, SENT);
    answerBeside(ports, { channelId: "2", messageId: "7" } as never, "help");
    await clock.advance(60_000);
    expect(tries).toEqual([0, 1000, 1000]);
    expect(bodies.map((body) => body.repliesTo)).toEqual(["7", "7", undefined]);
  });
});

it("a person is notified only once in the given time", () => {
  const { clock, ports } = place();
  const claims = [0, 999, 1, 1].map((ms) => {
    clock.jump(ms);
    return claimNotice(ports, "key", 1000);
  });
  expect(claims).toEqual([true, false, true, false]);
});

it("people are notified once a day that the bot can't write in a channel", () => {
  const { clock, ports } = place();
  const told: number[] = [];
  const asker = { channelId: "2", messageId: "7", guildId: "9", userId: "10", token: null };
  for (let hour = 0; hour < 25; hour++) {
    const untold = { ...ports, discord: { botToken: null } as never, keepAlive: () => void told.push(hour) };
    tellNoAccess(untold, asker as never, "no access");
    clock.jump(HOUR_MS);
  }
  expect(told).toEqual([0, 24]);
});

it.each<[string, RestResult, number]>([
  ["does not know its webhook yet", NO_WEBHOOK, 21],
  ["says to wait", BUSY, 21],
  ["refuses it", FORBIDDEN, 1],
  ["may have posted it", DOWN, 1],
])("a private sentence is sent every half second for ten seconds if Discord %s", async (_, answer, times) => {
  const { clock, tries, ports } = place(answer);
  const told = tellPrivately(ports, { applicationId: "1", token: "t" } as never, "words");
  await clock.advance(60_000);
  await told;
  expect(tries).toHaveLength(times);
});

/** A request that needs the bot's token. Discord answers with this status, and a refusal with this code. */
function withToken(status: number, code = 0) {
  const clock = createTestClock(0);
  const requests: number[] = [];
  const logged: string[] = [];
  const log = { info() {}, warn: (line: string) => void logged.push(line), error() {} };
  const fetch = async () => {
    requests.push(clock.now());
    return new Response(status < 400 ? null : JSON.stringify({ code }), { status });
  };
  const marked = new Map<string, number>();
  const limits = { rateLimiter: new RateLimiter(clock.now, log), clock: clock.now };
  const ports = {
    discord: { fetch, baseUrl: "http://127.0.0.1", userAgent: "test", botToken: "b", ...limits },
    ...{
      ...limits,
      timers: new BackstopTimers(clock.now, clock.timers),
      log,
    },
    ...{ keepAlive: () => {}, config: { discord: { botToken: "b" } } },
    store: { transaction: (work: () => unknown) => work() },
    marks: { at: (key: string) => marked.get(key) ?? null, put: (key: string, at: number) => marked.set(key, at) },
  } as unknown as ChannelPorts;
  return { clock, requests, logged, ports };
}

describe("a reaction on a question", () => {
  const place = { channelId: "2", messageId: "7" };

  it.each<[string, number, number[]]>([
    [
      "is tried again after 1, 2, 4 and 4 seconds if Discord is down, and then given up",
      500,
      [0, 1000, 3000, 7000, 11_000],
    ],
    ["is not tried again if Discord refuses it", 403, [0]],
  ])("%s", async (_, status, times) => {
    const { clock, requests, logged, ports } = withToken(status);
    new QuestionSigns(ports).refused(place);
    await clock.advance(60_000);
    expect([requests, logged]).toEqual([times, ["a reaction was not set"]]);
  });

  it.each([
    ["is left out for ten minutes if the bot may not react", 403, 50_013, [0, 600_000]],
    ["is tried on the next question if one was deleted", 404, 10_008, [0, 1000, 600_000]],
    ["is tried on the next question if one has no room for it", 400, 30_010, [0, 1000, 600_000]],
    ["is tried on the next question if the author has blocked the bot", 403, 90_001, [0, 1000, 600_000]],
  ])("%s", async (_, status, code, times) => {
    const { clock, requests, ports } = withToken(status, code);
    const signs = new QuestionSigns(ports);
    for (const ms of [1000, 599_000, 1000]) {
      signs.refused(place);
      await clock.advance(ms);
    }
    expect(requests).toEqual(times);
  });
});

it("the reason for a refusal is sent privately for as long as Discord drops a repetition", async () => {
  const { clock, requests, ports } = withToken(500);
  const asker = { userId: "10", channelId: "2", guildId: "5", messageId: "7" };
  tellRefusal(ports, new QuestionSigns(withToken(204).ports), asker, "no");
  await clock.advance(60 * 60_000);
  expect(requests).toEqual(Array.from({ length: NONCE_LIFE_MS / 15_000 }, (_, n) => n * 15_000));
});

describe("the line that says that the bot is typing", () => {
  function typing(status = 204) {
    const { clock, requests: shown, ports } = withToken(status);
    return { clock, shown, line: new Typing(ports) };
  }

  it("is shown every eight seconds until nobody needs it any more, and at once when somebody new needs it", async () => {
    const { clock, shown, line } = typing();
    const first = line.hold("2");
    const second = line.hold("2");
    await clock.advance(9000);
    first();
    first();
    await clock.advance(8000);
    second();
    await clock.advance(1000);
    first();
    line.hold("2");
    await clock.advance(1000);
    expect(shown).toEqual([0, 8000, 16_000, 18_000]);
  });

  it("is not sent for a minute after Discord has refused it", async () => {
    const { clock, shown, line } = typing(403);
    line.show("2");
    for (const ms of [59_999, 1]) {
      await clock.advance(ms);
      line.show("2");
    }
    await clock.advance(1000);
    expect(shown).toEqual([0, 60_000]);
  });
});
