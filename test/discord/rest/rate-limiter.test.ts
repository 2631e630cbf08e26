// What the rate limiter knows of Discord's limits and who must wait for them: buckets as the headers give them, 429s of every
// scope, and the count of invalid requests for which Discord bans an address.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_SENDS_PER_WINDOW, SEND_WINDOW_MS } from "../../../src/core/limits.ts";
import { RateLimiter } from "../../../src/discord/rest/rate-limiter.ts";
import { type Limit, readLimit } from "../../../src/discord/rest/rate-limits.ts";
import type { RestResult } from "../../../src/discord/rest/rest.ts";

const mine = { applicationId: "1", token: "mine" };
const theirs = { applicationId: "1", token: "theirs" };
const byBot = { channelId: "5" };
const otherChannel = { channelId: "6" };
const message = { id: "9", content: "", ephemeral: false };
const TEN_MINUTES = 600_000;

function scene() {
  let now = 1000;
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const rateLimiter = new RateLimiter(() => now, { info: note, warn: note, error: note });
  const waits = (route: Parameters<RateLimiter["readyAt"]>[0], kind: Parameters<RateLimiter["readyAt"]>[1] = "edit") =>
    Math.max(0, rateLimiter.readyAt(route, kind) - now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { rateLimiter, lines, waits, pass, now: () => now };
}

const withBucket = (bucket: string, remaining: number, resetAfterMs: number): RestResult => ({
  ok: true,
  message,
  bucket: { bucket, remaining, resetAfterMs },
});
const refused = (status: number, limit: Limit | null = null): RestResult => ({
  ok: false,
  kind: "refused",
  status,
  code: 0,
  limit,
  text: "",
});

describe("a bucket", () => {
  it("lets the next request out at once while it has room, and otherwise when it is full again", () => {
    const { rateLimiter, waits, pass } = scene();
    rateLimiter.saw(mine, "edit", withBucket("abc", 1, 1500));
    expect(waits(mine)).toBe(0);
    rateLimiter.saw(mine, "edit", withBucket("abc", 0, 1500));
    expect(waits(mine)).toBe(1500);
    pass(1500);
    expect(waits(mine)).toBe(0);
  });

  it("applies only to its token, and to all kinds of requests that share it", () => {
    const { rateLimiter, waits } = scene();
    rateLimiter.saw(mine, "create", withBucket("abc", 3, 2000));
    rateLimiter.saw(mine, "edit", withBucket("abc", 0, 2000));
    expect([waits(mine, "create"), waits(mine, "delete"), waits(theirs, "edit")]).toEqual([2000, 0, 0]);
  });
});

describe("a 429", () => {
  const after = (scope: Limit["scope"], retryAfterMs: number | null, of: typeof mine | typeof byBot) => {
    const { rateLimiter, waits } = scene();
    rateLimiter.saw(of, "edit", refused(429, { scope, retryAfterMs }));
    return { mine: waits(mine), theirs: waits(theirs), byBot: waits(byBot), other: waits(otherChannel) };
  };

  it.each([
    ["of a token makes that token wait", "user", 3000, mine, { mine: 3000, theirs: 0, byBot: 0, other: 0 }],
    ["of a channel makes that channel wait", "shared", 5000, byBot, { mine: 0, theirs: 0, byBot: 5000, other: 0 }],
    ["of the bot leaves interactions alone", "global", 4000, byBot, { mine: 0, theirs: 0, byBot: 4000, other: 4000 }],
    ["of the address leaves the bot alone", "global", 4000, mine, { mine: 4000, theirs: 4000, byBot: 0, other: 0 }],
    [
      "of the proxy makes everything wait for a minute",
      "proxy",
      7000,
      mine,
      { mine: 60_000, theirs: 60_000, byBot: 60_000, other: 60_000 },
    ],
    [
      "of the proxy makes everything wait longer when it says so",
      "proxy",
      90_000,
      mine,
      { mine: 90_000, theirs: 90_000, byBot: 90_000, other: 90_000 },
    ],
    ["without a time makes its token wait 5 s", "user", null, mine, { mine: 5000, theirs: 0, byBot: 0, other: 0 }],
  ] as const)("%s", (_, scope, ms, of, waits) => {
    expect(after(scope, ms, of)).toEqual(waits);
  });

  it("of the bot still applies after an answer that was under way at the time, and does not mark the token as refused", () => {
    const { rateLimiter, waits } = scene();
    rateLimiter.saw(byBot, "edit", refused(429, { scope: "global", retryAfterMs: 4000 }));
    rateLimiter.saw(otherChannel, "edit", withBucket("abc", 4, 1000));
    expect([waits(byBot), waits(otherChannel), rateLimiter.isTokenRefused]).toEqual([4000, 4000, false]);
  });
});

describe("requests that Discord counts as invalid", () => {
  it("slow the object down at 20 in ten minutes and silence it at 60, each logged once, until they expire", () => {
    const { rateLimiter, lines, waits, pass } = scene();
    for (let count = 0; count < 19; count++) rateLimiter.saw(theirs, "edit", refused(401));
    rateLimiter.sending(theirs, "edit");
    expect([waits(mine), lines]).toEqual([0, []]);
    rateLimiter.saw(theirs, "edit", refused(403));
    expect(waits(mine)).toBe(5000);
    for (let count = 20; count < 60; count++)
      rateLimiter.saw(theirs, "edit", refused(429, { scope: "user", retryAfterMs: 0 }));
    expect(waits(mine)).toBe(TEN_MINUTES);
    expect(lines).toEqual([
      "Discord refuses many requests: sending slowly",
      "Discord refuses too many requests: sending nothing for now",
    ]);
    pass(TEN_MINUTES);
    expect(waits(mine)).toBe(0);
  });

  it("are each forgotten after ten minutes, so the oldest decides when sending resumes", () => {
    const { rateLimiter, waits, pass } = scene();
    for (let count = 0; count < 60; count++) {
      rateLimiter.saw(theirs, "edit", refused(401));
      pass(1000);
    }
    expect(waits(mine)).toBe(TEN_MINUTES - 60_000);
    rateLimiter.saw(theirs, "edit", refused(401));
    expect(waits(mine)).toBe(TEN_MINUTES - 59_000);
    pass(TEN_MINUTES - 59_000 - 1);
    expect(waits(mine)).toBe(1);
    pass(1);
    expect(waits(mine)).toBe(0);
  });

  it("are not logged while there were fewer than 20 within ten minutes", () => {
    const { rateLimiter, lines, pass } = scene();
    rateLimiter.saw(theirs, "edit", refused(401));
    pass(1);
    for (let count = 1; count < 19; count++) rateLimiter.saw(theirs, "edit", refused(401));
    pass(TEN_MINUTES - 1);
    rateLimiter.saw(theirs, "edit", refused(401));
    expect(lines).toEqual([]);
    rateLimiter.saw(theirs, "edit", refused(401));
    expect(lines).toEqual(["Discord refuses many requests: sending slowly"]);
  });

  it("slow the object down again only because of those of the last ten minutes", () => {
    const { rateLimiter, waits, pass } = scene();
    rateLimiter.saw(theirs, "edit", refused(401));
    pass(1);
    for (let count = 1; count < 20; count++) rateLimiter.saw(theirs, "edit", refused(401));
    pass(TEN_MINUTES - 2);
    rateLimiter.sending(theirs, "edit");
    expect(waits(mine)).toBe(5000);
    pass(1);
    expect(waits(mine)).toBe(0);
  });

  it("don't include limits that others used up, missing messages or our own mistakes", () => {
    const { rateLimiter, waits } = scene();
    for (let count = 0; count < 100; count++) {
      rateLimiter.sending(theirs, "edit");
      rateLimiter.saw(theirs, "edit", refused(429, { scope: "shared", retryAfterMs: 0 }));
      rateLimiter.saw(theirs, "edit", refused(404));
      rateLimiter.saw(theirs, "edit", refused(400));
    }
    expect(waits(mine)).toBe(0);
  });
});

it("forgets the buckets of tokens that were used long ago, and keeps those in use", () => {
  const { rateLimiter, waits } = scene();
  for (const route of [mine, byBot]) rateLimiter.saw(route, "edit", withBucket("b", 0, 60_000));
  for (let turn = 0; turn < 300; turn++) {
    rateLimiter.saw({ applicationId: "1", token: `token ${turn}` }, "edit", withBucket("b", 4, 1000));
    rateLimiter.saw(byBot, "edit", withBucket("b", 4, 1000));
  }
  expect([waits(mine), waits(byBot)]).toEqual([0, 60_000]);
});

it("however its replies are paced, a token never sends more than five requests in two seconds", () => {
  const wishes = fc.array(fc.record({ wait: fc.integer({ min: 0, max: 600 }), mine: fc.boolean() }), { maxLength: 60 });
  fc.assert(
    fc.property(wishes, (steps) => {
      const { rateLimiter, pass, waits, now } = scene();
      const sent: number[] = [];
      for (const step of steps) {
        pass(step.wait);
        const route = step.mine ? mine : theirs;
        pass(waits(route));
        rateLimiter.sending(route, "edit");
        if (step.mine) sent.push(now());
      }
      for (const [index, at] of sent.slice(MAX_SENDS_PER_WINDOW).entries())
        expect(at - (sent[index] ?? 0)).toBeGreaterThan(SEND_WINDOW_MS);
    }),
  );
});

it("reactions and edits in a channel don't hold up new messages there, while a token's requests all share one window", () => {
  const { rateLimiter, waits } = scene();
  for (let count = 0; count < MAX_SENDS_PER_WINDOW; count++) {
    for (const kind of ["react", "edit"] as const) rateLimiter.sending(byBot, kind);
    rateLimiter.sending(mine, "edit");
  }
  expect([waits(byBot, "react"), waits(byBot, "edit"), waits(byBot, "create")]).toEqual([2001, 2001, 0]);
  expect([waits(mine, "edit"), waits(mine, "create")]).toEqual([2001, 2001]);
});

describe("the wait that a 429 names", () => {
  it.each([
    [0.35, 350],
    [0, 0],
    [7200, 3_600_000],
    [1e300, 3_600_000],
    [-1, 5000],
    ["soon", 5000],
  ])("%s s delays the next request by %i ms, at most an hour", (retryAfter, waitMs) => {
    const { rateLimiter, waits } = scene();
    rateLimiter.saw(byBot, "edit", refused(429, readLimit(new Headers(), { retry_after: retryAfter })));
    expect(waits(byBot)).toBe(waitMs);
  });
});
