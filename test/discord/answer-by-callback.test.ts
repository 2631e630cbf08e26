// Interactions that come over the gateway. The local Discord judges their answers.
import { describe, expect, it } from "vitest";
import { createAnswerByCallback } from "../../src/discord/answer-by-callback.ts";
import { createGate } from "../../src/discord/answers/gate.ts";
import type { Interact } from "../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { login } from "../playground/gateway/client.ts";
import { createTestClock } from "../support/clock.ts";
import { NOW, type Scene, scene } from "../support/endpoint-harness.ts";
import { openScopes } from "../support/scopes.ts";

const { theo } = PEOPLE;
const asks: Interact = {
  kind: "command",
  as: theo,
  channel: PLACES.general,
  name: "chat",
  options: { message: "hello" },
};

const unknown = { kind: "raw", type: 2, data: { id: "5", name: "gone", type: 1 } } as const;

/** A scene whose application has no endpoint URL, and what answers its interactions. `isSilent`: Discord never answers. */
function laptop({ isSilent = false } = {}) {
  const clock = createTestClock(NOW);
  const world = scene({ now: clock.now });
  world.discord.configure({ interactionsEndpoint: false });
  const headers: Headers[] = [];
  const logError = (line: string, detail: object) => world.errors.push({ line, ...detail });
  const gatePorts = { now: clock.now, after: clock.timers.after, logError, countRefused: null };
  const scope = openScopes();
  const nextLife = () =>
    createAnswerByCallback({
      entry: {
        channel: world.channel,
        scope,
        gate: createGate({ ...gatePorts, scope }),
        origin: null,
        connectsServers: false,
        mcpAdd: "owner",
        policy: { servers: "open", visitors: "anyone", ownerIds: null, allowedServers: [], allowedUsers: [] },
        models: [],
        modelHosts: [],
        hasBotToken: true,
        botId: "900",
        gateway: async () => "connected",
        now: clock.now,
        after: clock.timers.after,
        logError,
      },
      rest: {
        baseUrl: "http://discord.test/api/v10",
        userAgent: "DiscordBot (https://example.org, 1)",
        fetch: async (url, init) => {
          headers.push(new Headers(init.headers));
          if (isSilent) return new Promise<never>(() => {});
          return world.discord.fetch(new Request(url, init));
        },
      },
      timers: clock.timers,
      now: clock.now,
      logError,
    });
  const client = login(world.discord);
  /** A person does something, and Discord sends it over the gateway. */
  const send = (act: Interact) => {
    const seen = world.discord.interact(act);
    return { seen, json: client.last("INTERACTION_CREATE") };
  };
  return { ...world, clock, headers, answer: nextLife(), nextLife, send };
}

const callbacks = ({ discord }: Scene) =>
  discord.log.flatMap(({ route, status, code }) => (route.endsWith("/callback") ? [code ?? status] : []));

describe("an interaction that comes over the gateway", () => {
  it("reaches the channel's object and is answered by the callback, with no authority except its token", async () => {
    const world = laptop();
    const { seen, json } = world.send(asks);
    await world.answer(json);
    expect(await seen).toMatchObject({ ok: true, seen: "thinking" });
    expect([world.calls.length, callbacks(world), world.errors]).toEqual([1, [204], []]);
    expect(world.headers.map((one) => one.has("authorization"))).toEqual([false]);
  });

  it.each<[string, Interact, string]>([
    ["a form", { kind: "command", as: theo, channel: PLACES.general, name: "ask-long" }, "modal"],
    [
      "choices while typing",
      {
        kind: "autocomplete",
        as: theo,
        channel: PLACES.general,
        name: "chat",
        options: { persona: "A" },
        focused: "persona",
      },
      "choices",
    ],
    ["a private sentence about an unknown command", { ...unknown, as: theo, channel: PLACES.general }, "message"],
  ])("can be answered with %s", async (_what, act, expected) => {
    const world = laptop();
    const { seen, json } = world.send(act);
    await world.answer(json);
    expect([(await seen).seen, callbacks(world), world.errors]).toEqual([expected, [204], []]);
  });

  it("brings no half of a surrogate pair to the object", async () => {
    const world = laptop();
    await world.answer(world.send({ ...asks, options: { message: "a\ud83d" } }).json);
    expect(JSON.stringify(world.calls)).toContain('"a\ufffd"');
  });

  it("is answered once if one life receives it twice", async () => {
    const world = laptop();
    const { json } = world.send(asks);
    await Promise.all([world.answer(json), world.answer(json)]);
    await world.answer(json);
    expect([world.calls.length, callbacks(world), world.errors]).toEqual([1, [204], []]);
  });

  it("changes nothing, and is not an error, if another life has already answered it", async () => {
    const world = laptop();
    const { json } = world.send(asks);
    await world.answer(json);
    await world.nextLife()(json);
    expect([callbacks(world), world.errors]).toEqual([[204, 40060], []]);
    expect(world.calls[1]).toEqual(world.calls[0]);
  });

  it("is answered at the second try if Discord fails at the first", async () => {
    const world = laptop();
    world.discord.brew("outage", 1, ({ route }) => route.endsWith("/callback"));
    const { seen, json } = world.send(asks);
    const answered = world.answer(json);
    await world.clock.advance(1000);
    await answered;
    expect(await seen).toMatchObject({ ok: true, seen: "thinking" });
    expect([callbacks(world).length, callbacks(world).at(-1), world.errors]).toEqual([2, 204, []]);
  });

  it.each([
    [499, 1],
    [500, 2],
  ])("that Discord answers with %i is tried %i times: from 500 on it is Discord's fault", async (status, tries) => {
    const world = laptop();
    world.discord.failNext(1, new Response("no", { status }), ({ route }) => route.endsWith("/callback"));
    const answered = world.answer(world.send(asks).json);
    await world.clock.advance(1000);
    await answered;
    expect(callbacks(world)).toHaveLength(tries);
  });

  it("is answered again after a 429, if Discord accepts the answer while it still waits for it", async () => {
    const world = laptop();
    const limited = (seconds: number) => Response.json({ message: "slow", retry_after: seconds }, { status: 429 });
    world.discord.failNext(1, limited(1.5), ({ route }) => route.endsWith("/callback"));
    const { seen, json } = world.send(asks);
    const answered = world.answer(json);
    await world.clock.advance(1400);
    expect(callbacks(world)).toEqual([429]);
    await world.clock.advance(200);
    await answered;
    expect([callbacks(world), world.errors]).toEqual([[429, 204], []]);
    expect((await seen).seen).toBe("thinking");
    world.discord.failNext(1, limited(5), ({ route }) => route.endsWith("/callback"));
    await world.answer(world.send(asks).json);
    expect([callbacks(world).length, world.clock.pending()]).toEqual([3, 0]);
    expect(world.errors).toMatchObject([{ line: "the answer to an interaction was not delivered", status: 429 }]);
  });

  it("is logged once if Discord never takes the answer, and the tries end within the 3 s", async () => {
    const world = laptop();
    world.discord.brew("outage", 1000, ({ route }) => route.endsWith("/callback"));
    const { json } = world.send(asks);
    const answered = world.answer(json);
    await world.clock.advance(3000);
    await answered;
    expect(world.clock.pending()).toBe(0);
    expect(world.errors).toMatchObject([{ line: "the answer to an interaction was not delivered", kind: "lost" }]);
  });

  it("is given up after 3 s if Discord gives no answer at all", async () => {
    const world = laptop({ isSilent: true });
    const answered = world.answer(world.send(asks).json);
    await world.clock.advance(2999);
    expect(world.errors).toEqual([]);
    await world.clock.advance(1);
    expect(world.errors).toMatchObject([{ line: "the answer to an interaction was not delivered", kind: "lost" }]);
    expect(world.clock.pending()).toBe(0);
    await answered;
  });

  it("is logged if Discord no longer knows it", async () => {
    const world = laptop();
    const { json } = world.send(asks);
    await world.clock.advance(4000);
    await world.answer(json);
    expect(world.errors).toMatchObject([{ line: "the answer to an interaction was not delivered", kind: "late" }]);
  });

  it("starts nothing if it is from before the computer slept", async () => {
    const world = laptop();
    const { json } = world.send(asks);
    world.clock.jump(10 * 60_000);
    await world.answer(json);
    expect([world.calls, callbacks(world)]).toEqual([[], []]);
    expect(world.errors).toEqual([
      { line: "an interaction was too old to answer, or this clock is ahead", ageMs: 10 * 60_000 },
    ]);
  });

  it.each([
    [59_999, false],
    [60_000, false],
    [60_001, true],
  ])("may be a minute old, because clocks differ; after %i ms, is too old: %s", async (ageMs, isTooOld) => {
    const world = laptop();
    const { json } = world.send(asks);
    world.clock.jump(ageMs);
    await world.answer(json);
    expect(JSON.stringify(world.errors).includes("an interaction was too old to answer, or this clock is ahead")).toBe(
      isTooOld,
    );
  });

  it("is remembered as answered until 500 others have been", async () => {
    const world = laptop();
    const first = world.send(asks).json as { id: string };
    const nth = (n: number) => ({ ...first, id: String(BigInt(first.id) + BigInt(n)) });
    for (let n = 0; n < 500; n++) await world.answer(nth(n));
    await world.answer(nth(0));
    expect(world.calls).toHaveLength(500);
    await world.answer(nth(500));
    await world.answer(nth(0));
    expect(world.calls).toHaveLength(502);
  });

  it.each([
    [2799, 2],
    [2800, 1],
    [2801, 1],
  ])(
    "that fails %i ms after it came is tried %i times: again only if that is within the 3 s",
    async (lateMs, tries) => {
      const world = laptop();
      world.discord.brew("outage", 1, ({ route }) => route.endsWith("/callback"));
      const { json } = world.send(asks);
      const answered = world.answer(json);
      world.clock.jump(lateMs);
      await world.clock.advance(200);
      await answered;
      expect(callbacks(world)).toHaveLength(tries);
    },
  );

  it.each([
    ["nothing", undefined, "the body is not a JSON object"],
    ["not an object", 7, "the body is not a JSON object"],
    ["not an interaction", { id: "1", token: "t", type: 2 }, "not an interaction: application_id"],
    ["no token", { type: 1 }, "not an interaction: id, token"],
  ])("is logged with the reason alone if it can't be read (%s)", async (_what, json, reason) => {
    const world = laptop();
    await world.answer(json);
    expect([world.errors, world.calls]).toEqual([[{ line: "unreadable interaction", reason }], []]);
  });
});
