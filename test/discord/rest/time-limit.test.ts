// The time limit of everything that is requested from Discord, over a network that hangs and ignores the signal.
import { describe, expect, it } from "vitest";
import { createDiscordRest, ORIGINAL } from "../../../src/discord/rest/rest.ts";
import { withTimeLimit } from "../../../src/discord/rest/time-limit.ts";
import { createTestClock } from "../../support/clock.ts";

const ROUTE = { applicationId: "1", token: "t" };

/** A client over this network, and what was lost. */
function client(answer: () => Promise<Response>) {
  const clock = createTestClock(0);
  const lost: string[] = [];
  const signals: AbortSignal[] = [];
  const fetch = (_url: string, { signal }: RequestInit) => {
    if (signal) signals.push(signal);
    return answer();
  };
  const rest = createDiscordRest({
    fetch: withTimeLimit(fetch, clock.timers),
    baseUrl: "http://discord.test",
    userAgent: "test",
    botToken: null,
    onLost: (method, error) => lost.push(`${method} ${error}`),
  });
  return { rest, clock, lost, signals };
}

describe("a request that hangs", () => {
  it.each([
    ["an edit", { content: "hi" }, 20_000],
    ["an edit with a file", { content: "hi", files: [{ name: "a.md", type: "text/plain", data: "a" }] }, 30_000],
  ])("as %s counts as unreachable at its limit, and leaves no timer", async (_name, body, limitMs) => {
    const { rest, clock, lost, signals } = client(() => new Promise(() => {}));
    let result: unknown = null;
    void rest.edit(ROUTE, ORIGINAL, body).then((ended) => {
      result = ended;
    });
    await clock.advance(limitMs - 1);
    expect([result, signals[0]?.aborted]).toEqual([null, false]);
    await clock.advance(1);
    expect([result, signals[0]?.aborted]).toMatchObject([{ ok: false, kind: "unreachable" }, true]);
    expect(lost).toEqual([`PATCH TimeoutError: no answer within ${limitMs / 1000} s`]);
    expect(clock.pending()).toBe(0);
  });

  it("in the middle of its answer counts as unreachable too", async () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"id":')) });
    const { rest, clock } = client(async () => new Response(body));
    const read = rest.read(ROUTE, "5");
    await clock.advance(20_000);
    expect(await read).toMatchObject({ ok: false, kind: "unreachable" });
  });
});

describe("an answer in time", () => {
  it("comes through with its status and headers, and without a body if it has none", async () => {
    const json = { id: "5", content: "hi", flags: 64 };
    const headers = { "x-ratelimit-bucket": "b", "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "1" };
    const whole = client(async () => Response.json(json, { headers }));
    expect(await whole.rest.read(ROUTE, "5")).toEqual({
      ok: true,
      message: { id: "5", content: "hi", ephemeral: true },
      status: 200,
      bucket: { bucket: "b", remaining: 0, resetAfterMs: 1000 },
    });
    const none = client(async () => new Response(null, { status: 204 }));
    expect(await none.rest.remove(ROUTE, "5")).toMatchObject({ ok: true });
    expect(whole.clock.pending() + none.clock.pending()).toBe(0);
  });

  it.each(["[null]", "<html></html>", '{"id":7}', "", "{}"])(
    "counts as missing if %j is not a message: one may have been created or not",
    async (text) => {
      const { rest, lost } = client(async () => new Response(text));
      expect(await rest.create(ROUTE, { content: "hi" })).toMatchObject({ ok: false, kind: "unreachable" });
      expect(lost).toEqual(["POST Error: Discord answered with something that is not a message"]);
      expect(await rest.read(ROUTE, "5")).toMatchObject({ ok: false, kind: "unreachable" });
    },
  );

  it.each(["", "{}", '{"type":0}'])(
    "to an edit or a deletion may be %j, because what was asked for is done",
    async (text) => {
      const { rest, lost } = client(async () => new Response(text));
      const done = { ok: true, message: { id: "", content: "", ephemeral: false } };
      expect(await rest.edit(ROUTE, "5", { content: "hi" })).toMatchObject(done);
      expect(await rest.remove(ROUTE, "5")).toMatchObject(done);
      expect(lost).toEqual([]);
    },
  );

  it.each(["[null]", "<html></html>", '{"id":7}'])(
    "to an edit counts as missing if it is %j, which something before Discord may have said",
    async (text) => {
      const { rest } = client(async () => new Response(text));
      expect(await rest.edit(ROUTE, "5", { content: "hi" })).toMatchObject({ ok: false, kind: "unreachable" });
    },
  );
});
