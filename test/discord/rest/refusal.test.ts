import { describe, expect, it } from "vitest";
import { refusalFrom } from "../../../src/discord/rest/refusal.ts";
import { delivery } from "../../support/pump-harness.ts";

describe("a proxy's page in place of Discord's answer", () => {
  const page = (status: number) =>
    new Response("<html>Attention required!</html>", {
      status,
      headers: { "Content-Type": "text/html; charset=UTF-8" },
    });

  it.each([401, 403, 404])("with status %i is waited out like an outage", async (status) => {
    const reply = await delivery();
    reply.discord.failNext(3, page(status));
    expect(await reply.finish("Hi")).toEqual({ ok: true });
    expect(reply.reads()).toEqual(["Hi"]);
  });

  it("in plain text is also waited out like an outage", async () => {
    const reply = await delivery();
    reply.discord.failNext(5, new Response("error code: 1020", { status: 403 }));
    expect(await reply.finish("Hi")).toEqual({ ok: true });
    expect(reply.reads()).toEqual(["Hi"]);
  });

  it("counts as a server fault only for statuses with which Discord itself would say that something is gone or forbidden", () => {
    expect([400, 401, 403, 404, 413, 500].map((status) => refusalFrom(page(status), "").status)).toEqual([
      400, 502, 502, 502, 413, 500,
    ]);
    const own = Response.json({ code: 10008, message: "Unknown Message" }, { status: 404 });
    expect(refusalFrom(own, '{"code":10008}')).toMatchObject({ status: 404, code: 10008 });
  });
});

describe("a block by the proxy, which comes with a code", () => {
  it.each([
    ["the token", {}],
    ["the bot", { unasked: true }],
    ["a webhook, whose message is not there", { voiced: true }],
  ])("is waited out for a minute by %s", async (_, how) => {
    const reply = await delivery({}, [], how);
    const before = reply.clock.now();
    reply.discord.failNext(5, Response.json({ code: 40333, message: "internal network error" }, { status: 403 }));
    expect(await reply.finish("Hi")).toEqual({ ok: true });
    expect(reply.requests().at(-1)).toMatch(/"Hi".* → 200$/);
    expect(reply.clock.now() - before).toBe(300_000);
  });
});

describe("a ban of our address, which names neither a limit nor an end", () => {
  const told = "You are being blocked from accessing our API temporarily due to exceeding global rate limits.";
  const ban = (more: object = {}) => Response.json({ code: 0, message: told, ...more }, { status: 429 });

  it("is waited out like a block by the proxy, because each request would prolong it", async () => {
    const reply = await delivery();
    const before = reply.clock.now();
    reply.discord.failNext(5, ban());
    expect(await reply.finish("Hi")).toEqual({ ok: true });
    expect(reply.clock.now() - before).toBe(300_000);
  });

  it.each([
    ["a limit that says how long to wait", { retry_after: 0.5 }, "user"],
    ["a limit that has its own code", { code: 30_046 }, "user"],
    ["nothing of that", {}, "proxy"],
  ])("is told apart from a limit of Discord's by %s", async (_what, more, scope) => {
    expect(refusalFrom(ban(), await ban(more).text()).limit?.scope).toBe(scope);
  });

  it.each(["user", "shared", "global"])(
    "is told apart from a limit of Discord's whose headers name its scope, %s",
    (scope) => {
      const limit = Response.json(
        { message: "You are being rate limited." },
        { status: 429, headers: { "Retry-After": "2", "X-RateLimit-Scope": scope } },
      );
      expect(refusalFrom(limit, "{}").limit).toEqual({ scope, retryAfterMs: 2000 });
    },
  );
});

it("the text of a refusal, which is logged, contains no token or part of one from an address that a proxy repeats", () => {
  const token = "aW50ZXJhY3Rpb24_6MTU3-".repeat(8).slice(0, 68);
  const page = `Cannot PATCH /api/v10/webhooks/1300000000000000001/${token}/messages/@original`;
  const words = (text: string) => refusalFrom(new Response(text, { status: 404 }), text).text;
  expect(words(page)).toBe("Cannot PATCH /api/v10/webhooks/1300000000000000001/\u2026/messages/@original");
  const code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2";
  expect(words(code)).toBe(code);
  expect(words(JSON.stringify({ path: encodeURIComponent(page) }))).not.toContain("aW50");
  for (let before = 380; before < 500; before++) expect(words(" ".repeat(before) + page)).not.toContain("aW50");
});
