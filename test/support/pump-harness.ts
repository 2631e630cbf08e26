// Harness: one reply on its way into the local Discord, on a clock that the test moves. The pump, its REST client, its recorded
// parts, and a network that can hold a request or lose an answer. Use it to test pace, order and failures of a single reply.
import { HEARTBEAT_MS, MAX_MESSAGES } from "../../src/core/limits.ts";
import type { DeliveredPart } from "../../src/core/state/record.ts";
import type { Delivered, PartsLedger } from "../../src/discord/delivery/parts-ledger.ts";
import { Pump } from "../../src/discord/delivery/pump.ts";
import { plainLinks } from "../../src/discord/delivery/reply-route.ts";
import { pacedRest } from "../../src/discord/rest/paced-rest.ts";
import { RateLimiter } from "../../src/discord/rest/rate-limiter.ts";
import { createDiscordRest, type DiscordRest } from "../../src/discord/rest/rest.ts";
import { createVoices } from "../../src/discord/rest/voices.ts";
import { APPLICATION, createLocalDiscord, type LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import type { Options } from "../../src/playground/discord/options.ts";
import type { LogEntry } from "../../src/playground/discord/world.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import type { Log, ReplyView } from "../../src/turn/ports.ts";
import { createTestClock, type TestClock } from "./clock.ts";

/** What the network does with a request: deliver it, lose it, lose its answer, or answer as Discord answers a bot that may not attach files. */
export type Mischief = "lose the request" | "lose the answer" | "refuse" | null;

/** A reply and everything around it. */
export interface Delivery {
  pump: Pump;
  clock: TestClock;
  discord: LocalDiscord;
  /** The deferred message's id. */
  messageId: string;
  /** What the pump has recorded about its parts. */
  ledger: DeliveredPart[];
  /** Makes the ledger belong to another life from now on. */
  fence(): void;
  errors: unknown[];
  warnings: unknown[];
  gone(): number;
  userAgents: Set<string | null>;
  /** Shows this text, with the line and pace of `view`. */
  show(text: string, view?: Partial<ReplyView>): void;
  /** Shows the last words and moves the clock second by second, until they are delivered or given up. */
  finish(text: string, line?: string | null, files?: ReplyView["files"]): Promise<Delivered>;
  /** The requests to Discord, oldest first: `ms PATCH original "text" +stop answer.md → 200`. */
  requests(): string[];
  /** The bodies of these requests. */
  bodies(): Record<string, unknown>[];
  /** What Theo reads, oldest message first. */
  reads(): string[];
  /** Sets whether only endings may be sent from now on, or everything again. */
  reserve(wanted: boolean): void;
  /** Decides what happens to every request from now on. */
  network(decide: (method: string, hasFiles: boolean) => Mischief): void;
  /** Holds every request until the returned function is called. */
  hold(): () => void;
  /** The pump of another life for the same reply. `waits`: an earlier life has already asked for a click. */
  resumed(waits?: boolean): Pump;
  /** The pump of another reply, whose messages follow this one's. */
  following(): Pump;
}

const TURN = "turn-1";
const START = Date.UTC(2030, 0, 1);
const STEP_MS = 1000;
const GIVE_UP_MS = 3_600_000;

/** Lets Theo ask, and makes the reply's pump. */
export async function delivery(
  options: Partial<Options> = {},
  parts: DeliveredPart[] = [],
  {
    byBot = false,
    forceEphemeral = false,
    privately = false,
    userInstallOnly = false,
    maxMessages = MAX_MESSAGES,
    unasked = false,
    pointing = false,
    voiced = false,
    oneEvent = false,
  } = {},
): Promise<Delivery> {
  let busy = 0;
  let held: Promise<void> | null = null;
  let decide: (method: string, hasFiles: boolean) => Mischief = () => null;
  let fenced = false;
  let gone = 0;
  let isReserved = false;
  const errors: unknown[] = [];
  const warnings: unknown[] = [];
  const userAgents = new Set<string | null>();
  // Work is done when no request is in flight, except those that the test itself holds.
  const clock = createTestClock(START, async () => {
    do await new Promise<void>((resolve) => setImmediate(resolve));
    while (busy > 0 && !held);
  });
  const dispatch = async () => Response.json({ type: 5, ...(privately && { data: { flags: 64 } }) });
  const discord = createLocalDiscord({
    now: clock.now,
    dispatch,
    options: { buckets: { limit: 5, windowMs: 2000 }, ...options },
  });
  const chat = { kind: "command", name: "chat", options: { message: "hi" } } as const;
  const { token, messageId = "" } = await discord.interact({
    as: PEOPLE.theo,
    channel: PLACES.general,
    forceEphemeral,
    userInstallOnly,
    ...chat,
  });
  const question =
    pointing && discord.speak({ as: PEOPLE.theo, channel: PLACES.general, content: "Remind us, would you?" });
  const to = {
    baseUrl: "http://discord.local/api/v10",
    userAgent: "DiscordBot (https://example.org, 1.0)",
    botToken: APPLICATION.botToken,
    applicationId: APPLICATION.id,
  };
  const log: Log = {
    info() {},
    warn: (line, detail) => warnings.push({ line, ...detail }),
    error: (line, detail) => errors.push({ line, ...detail }),
  };
  const rateLimiter = new RateLimiter(clock.now, log);
  // A heartbeat renews it, as in the object, or no event follows the one that made the reply.
  const allowance = {
    get renewals() {
      return oneEvent ? 0 : Math.floor((clock.now() - START) / HEARTBEAT_MS);
    },
    get isReserved() {
      return isReserved;
    },
  };
  const rest = counted(
    createDiscordRest({
      async fetch(url, init) {
        const request = new Request(url, init);
        userAgents.add(request.headers.get("user-agent"));
        await held;
        const hasFiles = request.headers.get("content-type")?.startsWith("multipart/") ?? false;
        const mischief = decide(request.method, hasFiles);
        if (mischief === "lose the request") throw new TypeError("fetch failed");
        if (mischief === "refuse")
          return Response.json({ code: 50_013, message: "Missing Permissions" }, { status: 403 });
        const response = await discord.fetch(request);
        if (mischief === "lose the answer") throw new TypeError("terminated");
        return response;
      },
      ...to,
    }),
    (change) => {
      busy += change;
    },
  );
  const own = { rateLimiter, clock: clock.now, timers: clock.timers };
  const voices = createVoices({ ...to, ...own, fetch: (url, init) => discord.fetch(new Request(url, init)) });
  const voice = voiced ? await voices.of(PLACES.general) : null;
  const ada = { username: "Ada", avatarUrl: "https://example.org/ada.png", threadId: PLACES.thread };
  const route = unasked ? { channelId: PLACES.general } : { applicationId: APPLICATION.id, token };
  const ledger = structuredClone(parts);
  const ledgerOver = (parts: DeliveredPart[]): PartsLedger => {
    const put = (index: number, part: DeliveredPart) => {
      if (!fenced) parts[index] = part;
      return !fenced;
    };
    return {
      parts: () => parts,
      sending: (index, isRepeat) =>
        put(index, { state: "sending", id: null, since: (isRepeat ? parts[index]?.since : null) ?? clock.now() }),
      sent: (index, { id }) => put(index, { state: "sent", id }),
      removed: (index) => {
        if (!fenced) parts.length = index;
        return !fenced;
      },
    };
  };
  /** Continues as the object does: what the deleted webhook has posted stays. */
  const revoice = async (parts: DeliveredPart[]) => {
    voices.forget(PLACES.general);
    const found = await voices.of(PLACES.general);
    for (const part of parts) if (part.state === "sent") part.frozen = true;
    return found.ok ? { webhookId: found.voice.id, webhookToken: found.voice.token, ...ada } : null;
  };
  const makePump = (parts = ledger, asFollowups = false, waits = false) =>
    new Pump({
      rest: pacedRest(rest, rateLimiter, clock.timers, clock.now),
      rateLimiter,
      endpoint: voice?.ok ? { webhookId: voice.voice.id, webhookToken: voice.voice.token, ...ada } : route,
      asFollowups,
      ...(voiced && { revoice: () => revoice(parts) }),
      repliesTo: question || null,
      maxMessages,
      waits,
      botEndpoint: byBot ? { channelId: PLACES.general } : null,
      turnId: TURN,
      clickTarget: TURN,
      links: plainLinks,
      acknowledgedAt: START,
      ledger: ledgerOver(parts),
      clock: clock.now,
      timers: clock.timers,
      random: () => 0,
      requests: allowance,
      log,
      onGone: () => {
        gone++;
      },
    });
  const pump = makePump();
  return {
    pump,
    clock,
    discord,
    messageId,
    ledger,
    errors,
    warnings,
    userAgents,
    fence: () => {
      fenced = true;
    },
    gone: () => gone,
    show: (text, view) => pump.show({ text, line: null, ...view }),
    async finish(text, line = null, files) {
      let delivered: Delivered | null = null;
      void pump.finish({ text, line, ...(files && { files }) }).then((result) => {
        delivered = result;
      });
      await clock.advance(0);
      for (let waited = 0; !delivered && waited < GIVE_UP_MS; waited += STEP_MS) await clock.advance(STEP_MS);
      if (!delivered) throw new Error("the last words were neither delivered nor given up");
      return delivered;
    },
    requests: () => discord.log.map((entry) => written(entry)),
    bodies: () => discord.log.map(({ body }) => (body ?? {}) as Record<string, unknown>),
    reads: () => discord.messages(PLACES.general, PEOPLE.theo).map(({ content }) => content),
    reserve: (wanted) => {
      isReserved = wanted;
    },
    network: (next) => {
      decide = next;
    },
    hold() {
      let release = () => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      held = gate;
      return () => {
        held = null;
        release();
      };
    },
    resumed: (waits) => makePump(ledger, false, waits),
    following: () => makePump([], true),
  };
}

/** The client, with a count of its requests in flight. */
function counted(rest: DiscordRest, count: (change: 1 | -1) => void): DiscordRest {
  const during = async <Result>(work: Promise<Result>): Promise<Result> => {
    count(1);
    try {
      return await work;
    } finally {
      count(-1);
    }
  };
  return {
    create: (...what) => during(rest.create(...what)),
    edit: (...what) => during(rest.edit(...what)),
    remove: (...what) => during(rest.remove(...what)),
    read: (...what) => during(rest.read(...what)),
  };
}

const LONGEST_SHOWN = 24;

/** `+` and the actions of the buttons; `-stop` if all are removed. */
function buttonsOf(rows: unknown[]): string {
  const ids = JSON.stringify(rows).match(/"custom_id":"\w+(?=:)/g) ?? [];
  return ids.length === 0 ? "-stop" : `+${ids.map((id) => id.split('"').at(-1)).join("+")}`;
}

function written({ at, method, path, body, files, status, code }: LogEntry): string {
  const { content, components } = (body ?? {}) as { content?: string; components?: unknown[] };
  const text =
    content === undefined ? [] : [content.length > LONGEST_SHOWN ? `${content.length}` : JSON.stringify(content)];
  const button = components === undefined ? [] : [buttonsOf(components)];
  const way = path.startsWith("/channels/") ? "bot-" : "";
  const where = method === "POST" ? (way ? "message" : "followup") : path.endsWith("@original") ? "original" : "part";
  const answer = code === null ? `${status}` : `${status}/${code}`;
  return [at - START, method, `${way}${where}`, ...text, ...button, ...files, "→", answer].join(" ");
}
