// The time from the first token until Discord has accepted its text (`npm run bench:delivery`): the pump with real timers in
// front of the local Discord in this process. Most of the time is the grace period in which the start of a sentence is
// gathered.
import type { DeliveredPart } from "../../src/core/state/record.ts";
import { acceptNoFlags } from "./no-flags.ts";

acceptNoFlags(
  "bench:delivery",
  "Prints the time from the first token to the moment when Discord has accepted its text.",
);

// Loaded only now, because the usage needs none of it.
const { FIRST_EDIT_GRACE_MS, MAX_MESSAGES } = await import("../../src/core/limits.ts");
const { Pump } = await import("../../src/discord/delivery/pump.ts");
const { plainLinks } = await import("../../src/discord/delivery/reply-route.ts");
const { RateLimiter } = await import("../../src/discord/rest/rate-limiter.ts");
const { createDiscordRest } = await import("../../src/discord/rest/rest.ts");
const { APPLICATION, createLocalDiscord } = await import("../../src/playground/discord/local-discord.ts");
const { PEOPLE, PLACES } = await import("../../src/playground/discord/world.ts");

const REPLIES = 60;
const WARM_UP = 10;
const TARGET_MS = 200;

const now = () => Date.now();
const silent = { info() {}, warn() {}, error() {} };
const discord = createLocalDiscord({
  now,
  dispatch: async () => Response.json({ type: 5 }),
  options: { buckets: { limit: 5, windowMs: 2000 } },
});
const rest = createDiscordRest({
  fetch: (url, init) => discord.fetch(new Request(url, init)),
  baseUrl: "http://discord.local/api/v10",
  userAgent: "DiscordBot (https://example.org, 1.0)",
  botToken: null,
});

/** One reply: milliseconds from its first token to the first accepted text. */
async function firstText(): Promise<number> {
  const asked = { kind: "command", name: "chat", options: { message: "hi" } } as const;
  const { token } = await discord.interact({ as: PEOPLE.theo, channel: PLACES.general, ...asked });
  const parts: DeliveredPart[] = [];
  const put = (index: number, part: DeliveredPart) => {
    parts[index] = part;
    return true;
  };
  const pump = new Pump({
    rest,
    rateLimiter: new RateLimiter(now, silent),
    endpoint: { applicationId: APPLICATION.id, token },
    botEndpoint: null,
    turnId: "turn",
    clickTarget: "turn",
    acknowledgedAt: now(),
    repliesTo: null,
    maxMessages: MAX_MESSAGES,
    links: plainLinks,
    waits: false,
    ledger: {
      parts: () => parts,
      sending: (index) => put(index, { state: "sending", id: null }),
      sent: (index, { id }) => put(index, { state: "sent", id }),
      removed: (index) => {
        parts.length = index;
        return true;
      },
    },
    clock: now,
    timers: {
      after(ms, callback) {
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
    },
    random: Math.random,
    requests: { renewals: 0, isReserved: false },
    log: silent,
    onGone: () => {},
  });
  const accepted = new Promise<number>((resolve) => pump.onAccepted(() => resolve(performance.now())));
  const begunAt = performance.now();
  pump.show({ text: "Hello", line: null });
  const ms = (await accepted) - begunAt;
  pump.abandon();
  return ms;
}

for (let n = 0; n < WARM_UP; n++) await firstText();
const times: number[] = [];
for (let n = 0; n < REPLIES; n++) times.push(await firstText());
times.sort((a, b) => a - b);
const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1);
console.log(`first token → text accepted, ${REPLIES} replies, of it ${FIRST_EDIT_GRACE_MS} ms grace:`);
console.log(`p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms; the target is ${TARGET_MS} ms`);
