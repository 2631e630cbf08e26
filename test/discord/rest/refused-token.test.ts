// What follows when Discord does not know the bot's token: nothing is sent with it for longer and longer, then one request at a time, and
// whoever can't wait is refused at once. Requests that need no token continue.
import { expect, it } from "vitest";
import { botRequest, lacksToken } from "../../../src/discord/rest/bot-request.ts";
import { pacedRest } from "../../../src/discord/rest/paced-rest.ts";
import { RateLimiter } from "../../../src/discord/rest/rate-limiter.ts";
import { isTokenRefused, TOKEN_REFUSED } from "../../../src/discord/rest/refusal.ts";
import { createDiscordRest, type RestResult } from "../../../src/discord/rest/rest.ts";
import { decideSendFailure } from "../../../src/discord/rest/send-failure.ts";

const MINUTE_MS = 60_000;
const byBot = { channelId: "5" };
const byToken = { applicationId: "1", token: "t" };
const refused = (status: number, code = 0) => ({ ...TOKEN_REFUSED, status, code });
const ok: RestResult = { ok: true, message: { id: "9", content: "", ephemeral: false } };

function scene() {
  let now = 1000;
  const errors: string[] = [];
  const log = { info() {}, warn() {}, error: (line: string) => void errors.push(line) };
  const limiter = new RateLimiter(() => now, log);
  const waits = (endpoint: Parameters<RateLimiter["readyAt"]>[0] = byBot) =>
    Math.max(0, limiter.readyAt(endpoint, "create") - now);
  return {
    limiter,
    errors,
    waits,
    clock: () => now,
    pass: (ms: number) => {
      now += ms;
    },
    answer(result: RestResult) {
      limiter.sending(byBot, "create");
      limiter.saw(byBot, "create", result);
    },
  };
}

it("waits longer after each refusal, at most an hour, and says so once", () => {
  const { answer, waits, pass, errors } = scene();
  const waited: number[] = [];
  for (let tries = 0; tries < 8; tries++) {
    answer(refused(401));
    waited.push(waits() / MINUTE_MS);
    pass(waits());
  }
  expect([waited, errors.length]).toEqual([[2, 4, 8, 16, 32, 60, 60, 60], 1]);
});

it("counts requests that were under way together as one refusal", () => {
  const { limiter, waits } = scene();
  for (const _ of [1, 2, 3]) limiter.sending(byBot, "create");
  for (const _ of [1, 2, 3]) limiter.saw(byBot, "create", refused(401));
  expect(waits()).toBe(2 * MINUTE_MS);
});

it("lets one request try, and all others follow if Discord takes the token or refuses something else", () => {
  const limited = { ...refused(429), limit: { scope: "user", retryAfterMs: 0 } } as const;
  for (const taken of [ok, refused(403, 50013), limited]) {
    const { limiter, answer, waits, pass } = scene();
    answer(refused(401));
    pass(2 * MINUTE_MS);
    expect([waits(), limiter.isTokenRefused]).toEqual([0, false]);
    limiter.sending(byBot, "create");
    expect([waits(), limiter.isTokenRefused]).toEqual([4 * MINUTE_MS, true]);
    limiter.saw(byBot, "create", taken);
    expect([waits(), limiter.isTokenRefused]).toEqual([0, false]);
  }
});

it.each<[string, RestResult]>([
  ["an outage", refused(503)],
  ["no answer", { ok: false, kind: "unreachable", text: "" }],
  ["a ban of our address", { ...refused(429), limit: { scope: "proxy", retryAfterMs: null } }],
])("keeps waiting after %s", (_, result) => {
  const { answer, waits, pass } = scene();
  answer(refused(401));
  pass(2 * MINUTE_MS);
  answer(result);
  expect(waits()).toBe(4 * MINUTE_MS);
});

it("does not hold back what is sent with an interaction's own token, nor treat that token's end as a refusal of the bot's", () => {
  const { limiter, answer, waits } = scene();
  answer(refused(401));
  expect(waits(byToken)).toBe(0);
  const { limiter: other, waits: waitsThere } = scene();
  other.saw(byToken, "edit", refused(401, 50027));
  other.saw(byBot, "edit", refused(401, 60003));
  expect([waitsThere(), limiter.isTokenRefused, other.isTokenRefused]).toEqual([0, true, false]);
});

it("is a separate kind of failure, unless the code means another token", () => {
  expect([401, 403].map((status) => decideSendFailure(refused(status)))).toEqual(["unauthorized", "refused"]);
  expect([50027, 50014, 40001, 60003].map((code) => decideSendFailure(refused(401, code)))).toEqual([
    "token_expired",
    "unauthorized",
    "unauthorized",
    "refused",
  ]);
  expect(isTokenRefused(TOKEN_REFUSED)).toBe(true);
});

it("is reported at once, without a request, to whoever sends something in the meantime", async () => {
  const { limiter, clock, answer } = scene();
  answer(refused(401));
  let sent = 0;
  const fetch = async () => {
    sent++;
    return new Response(null, { status: 500 });
  };
  const ports = { fetch, baseUrl: "", userAgent: "", botToken: "b" };
  const never = { after: () => () => {}, wait: () => new Promise<void>(() => {}) };
  const paced = pacedRest(createDiscordRest(ports), limiter, never, clock);
  expect(await paced.edit(byBot, "7", {})).toEqual(TOKEN_REFUSED);
  const { signal } = new AbortController();
  const wanted = { method: "GET", kind: "read", path: "/channels/5", signal } as const;
  const asked = await botRequest({ ...ports, rateLimiter: limiter, clock }, "5", wanted);
  expect([asked, !asked.ok && lacksToken(asked), sent]).toEqual([
    { ok: false, error: "Discord does not accept the bot's token; the bot's owner can set a new one" },
    true,
    0,
  ]);
  expect(await createDiscordRest({ ...ports, botToken: null }).create(byBot, {})).toEqual(TOKEN_REFUSED);
  expect([await paced.edit(byToken, "7", {}), sent]).toEqual([expect.objectContaining({ status: 500 }), 1]);
});
