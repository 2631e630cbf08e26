// Harness: the channel's object without its runtime, behind the Worker's application and the local Discord, all on one clock that
// the test moves. Use it to test what people see over time (token life, deaths between requests): fifteen minutes pass in a
// moment, and Discord's log has every request with its time. For admission and queueing without Discord, use channel-harness; for
// one reply's delivery, pump-harness; for what the endpoint answers, endpoint-harness; for the real runtime, workerd-harness.
import { createApp } from "../../src/app.ts";
import type { StoredSettings } from "../../src/channel/settings.ts";
import { parseConfig } from "../../src/config.ts";
import type { Receipt, Submission } from "../../src/core/state/rpc.ts";
import type { ScopePort } from "../../src/discord/answers/scope-port.ts";
import type { SeeChannel } from "../../src/discord/rest/channel-access.ts";
import { createDiscordRest, type DiscordRest } from "../../src/discord/rest/rest.ts";
import type { Outcome } from "../../src/playground/discord/acts.ts";
import { APPLICATION, createLocalDiscord, type LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../../src/playground/key.ts";
import type { Tool } from "../../src/toolkit/define/tool.ts";
import { type ChannelHarness, type ChannelHarnessOptions, createChannelHarness } from "./channel-harness.ts";
import { notInspected, openScopes } from "./scopes.ts";
import { openButtons } from "./shown-answer.ts";

/** The channel, its Discord, and what people do. */
export interface AppHarness {
  channel: ChannelHarness;
  discord: LocalDiscord;
  ask(as: string, message: string, how?: { forceEphemeral?: boolean }): Promise<Outcome>;
  /** Clicks the button with this label; if several messages have it, on the last one. */
  click(as: string, label: string): Promise<Outcome>;
  /** The ids of all buttons that this person can see, without Regenerate and Delete. */
  buttons(as?: string): string[];
  use(as: string, command: string): Promise<Outcome>;
  /** Moves the clock and runs the alarms at their times. */
  pass(ms: number): Promise<void>;
  /** What this person reads of the bot, oldest first, without Regenerate and Delete: `text [Stop Continue] answer.md`. */
  reads(as?: string): string[];
  /** The requests to Discord since the last call: `seconds METHOD where → answer`. */
  requests(): string[];
}

const HOUR_MS = 60 * 60_000;
const LATE_MS = 4000;
const BASE_URL = "http://127.0.0.1:1/api/v10";

/** How a channel differs from the default, which has no bot token. */
export interface AppHarnessOptions {
  bot?: boolean;
  isMember?: boolean;
  turnDeadlineMs?: number;
  tools?: readonly Tool[];
  seeChannel?: SeeChannel;
  media?: ChannelHarnessOptions["media"];
  /** What the scope lends; by default whatever is asked for. */
  lease?: ScopePort["lease"];
  /** Changes the body of every interaction, which is then signed again. */
  bend?: (body: string) => string;
  /** Called with every answer to an interaction. */
  heard?: (status: number, body: string) => void;
  /** Whether the Worker may log errors, which otherwise fail the test. */
  logsErrors?: boolean;
  /** The channel's settings. By default nothing is added to an answer's own words, and nothing is overheard. */
  settings?: StoredSettings;
  /** What a thread's object answers; by default it takes every turn. */
  submitTo?: (channelId: string, submission: Submission) => Promise<Receipt>;
  /**
   * The life that sends this request (counted from 1) ends right before or after Discord gets it. Late: the life ends at once, and Discord gets
   * the request seconds later, after another life has sent others.
   */
  death?: { request: number; when: "before" | "after" | "late" };
}

/** Where the clock begins. */
export const START = Date.UTC(2030, 0, 1);

/** Makes a channel. */
export function createAppHarness({
  bot = false,
  isMember = true,
  turnDeadlineMs = HOUR_MS,
  tools = [],
  seeChannel,
  submitTo = async () => ({ kind: "accepted" }),
  settings = { show_question: "false", ping_when_done: "never", channel_context: "0" },
  media = {},
  death,
  lease,
  bend,
  heard,
  logsErrors = false,
}: AppHarnessOptions = {}): AppHarness {
  let busy = 0;
  let sent = 0;
  const botToken = bot ? APPLICATION.botToken : null;
  const config = parseConfig({
    DISCORD_PUBLIC_KEY: DEVELOPMENT_PUBLIC_KEY_HEX,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_API_BASE_URL: BASE_URL,
    OPENAI_API_KEY: "test",
    ...(bot && { DISCORD_BOT_TOKEN: APPLICATION.botToken }),
  });
  if (!config.ok) throw new Error(config.problems.join("; "));
  const client = { baseUrl: BASE_URL, userAgent: "DiscordBot (https://example.org, 1.0)", botToken };
  /** Sends a life's requests. Once that life has ended, they get no answer. */
  const sendIn = (isAlive: () => boolean) => async (url: string, init: RequestInit) => {
    if (!isAlive()) return new Promise<Response>(() => {});
    busy++;
    const dies = death?.request === ++sent ? death.when : null;
    try {
      if (dies === "before" || dies === "late") channel.crash();
      if (dies === "late") channel.clock.timers.after(LATE_MS, () => void discord.fetch(new Request(url, init)));
      const response = isAlive() ? await discord.fetch(new Request(url, init)) : new Response();
      if (dies === "after") channel.crash();
      return isAlive() ? response : new Promise<Response>(() => {});
    } finally {
      busy--;
    }
  };
  const channel = createChannelHarness({
    tools,
    media,
    ...(lease && { scope: openScopes({ lease }) }),
    ...(seeChannel && { seeChannel }),
    // In this harness a model may be silent for as long as a turn may last.
    config: { ...config.config, ...patient(turnDeadlineMs) },
    startsAt: START,
    async settle() {
      do await new Promise<void>((resolve) => setImmediate(resolve));
      while (busy > 0);
    },
    submitTo,
    discord: (isAlive) => ({ ...client, fetch: (url, init) => sendIn(isAlive)(url, init) }),
    rest: (_, isAlive) => counted(createDiscordRest({ ...client, fetch: sendIn(isAlive) }), isAlive),
  });
  for (const [key, value] of Object.entries(settings)) channel.store.putSetting(key, value);
  const app = createApp({
    fetch: async () => new Response(null, { status: 404 }),
    config,
    variables: {},
    now: channel.clock.now,
    logError: (line, detail) => {
      if (logsErrors || (bend && line === "unreadable interaction")) return;
      throw new Error(`${line} ${JSON.stringify(detail)}`);
    },
    channel: () => channel.port,
    scope: openScopes(),
    inspected: notInspected,
    gatewayStatus: async () => "off",
    countRefused: null,
    after: () => () => {},
  });
  const discord = createLocalDiscord({
    now: channel.clock.now,
    async dispatch(request) {
      const response = await app.fetch(bend ? await discord.sign(bend(await request.text())) : request);
      heard?.(response.status, await response.clone().text());
      return response;
    },
    options: { botIsMember: isMember, buckets: { limit: 5, windowMs: 2000 } },
  });
  let looked = 0;
  const settled = async (outcome: Promise<Outcome>) => {
    const result = await outcome;
    await channel.clock.advance(0);
    return result;
  };
  const shown = (as: string) => discord.messages(PLACES.general, as).filter(({ author }) => author.bot);
  return {
    channel,
    discord,
    ask: (as, message, how = {}) =>
      settled(
        discord.interact({ kind: "command", name: "chat", channel: PLACES.general, as, options: { message }, ...how }),
      ),
    use: (as, name) => settled(discord.interact({ kind: "command", name, channel: PLACES.general, as })),
    click(as, label) {
      const message = shown(as).findLast(({ components }) => labelsOf(components).includes(label));
      const customId = idOf(message?.components ?? [], label);
      return settled(
        discord.interact({ kind: "click", channel: PLACES.general, as, messageId: message?.id ?? "", customId }),
      );
    },
    buttons: (as = PEOPLE.theo) =>
      shown(as).flatMap(({ components }) => openButtons(components).map(({ custom_id = "" }) => custom_id)),
    async pass(ms) {
      const end = channel.clock.now() + ms;
      for (;;) {
        const alarm = channel.alarmAt();
        if (alarm === null || alarm > end) break;
        await channel.clock.advance(Math.max(0, alarm - channel.clock.now()));
        if (channel.alarmAt() === alarm) channel.runAlarm();
      }
      await channel.clock.advance(Math.max(0, end - channel.clock.now()));
    },
    reads: (as = PEOPLE.theo) =>
      shown(as).map(({ content, components, attachments, loading }) =>
        [
          loading ? "…" : content,
          ...(openButtons(components).length > 0
            ? [
                `[${openButtons(components)
                  .map(({ label }) => label)
                  .join(" ")}]`,
              ]
            : []),
          ...attachments.map(({ filename }) => filename),
        ].join(" "),
      ),
    requests() {
      const entries = discord.log.slice(looked);
      looked = discord.log.length;
      return entries.map(({ at, method, path, status, code }) => {
        const where = path.startsWith("/channels/") ? "bot" : path.endsWith("@original") ? "original" : "token";
        return `${(at - START) / 1000} ${method} ${where} → ${code ?? status}`;
      });
    },
  };
}

const patient = (ms: number) => ({ turnDeadlineMs: ms, firstTokenTimeoutMs: ms * 2, streamTimeoutMs: ms * 2 });

/** The client of one life. Once that life has ended, its requests get no answer. */
function counted(rest: DiscordRest, isAlive: () => boolean): DiscordRest {
  const heard = async <Result>(work: Promise<Result>): Promise<Result> => {
    const result = await work;
    return isAlive() ? result : new Promise(() => {});
  };
  return {
    create: (...what) => heard(rest.create(...what)),
    edit: (...what) => heard(rest.edit(...what)),
    remove: (...what) => heard(rest.remove(...what)),
    read: (...what) => heard(rest.read(...what)),
  };
}

type Row = { components?: { label?: string; custom_id?: string }[] };
const buttonsOf = (rows: unknown[]) => (rows as Row[]).flatMap(({ components = [] }) => components);
const labelsOf = (rows: unknown[]) => buttonsOf(rows).map(({ label = "" }) => label);
const idOf = (rows: unknown[], label: string) =>
  buttonsOf(rows).find((button) => button.label === label)?.custom_id ?? `no button ${label}`;
