// The local Discord: a strict stand-in, written from Discord's documentation, that runs in workerd and in Node. It has no timer,
// reads no clock except the one that it is given, and never uses the network.
import type { Interact, Outcome } from "./acts.ts";
import { answerIn, type Forecast } from "./forecast.ts";
import { expire, interact } from "./interact.ts";
import { createMessage, deleteMessage, storeAttachment, textFile } from "./messages.ts";
import { DEFAULT_OPTIONS, type Options } from "./options.ts";
import { canSee } from "./permissions.ts";
import { answerRest, type Weather } from "./rest.ts";
import { seed, snowflakes } from "./seed.ts";
import type { Channel, Server } from "./servers.ts";
import { type Signing, signedRequest } from "./sign.ts";
import { type LocalMessage, type LocalPerson, messagesFor, viewPeople } from "./view.ts";
import { findChannel, findPerson, type LogEntry, type Violation, type World } from "./world.ts";

/** The application of the playground, unless another is named. */
export const APPLICATION = { id: "1180000000000000002", botToken: "local.bot.token" } as const;

/** What a local Discord is made of. */
export interface LocalDiscordParts {
  /** Milliseconds of the Unix clock. Every time limit uses it. */
  now: () => number;
  /** The clock of signatures, if it is not `now`: the application checks them with a clock of its own. */
  signatureClock?: () => number;
  /** Sends an interaction to the application under test, as if to its endpoint URL. */
  dispatch: (request: Request) => Promise<Response>;
  applicationId?: string;
  botToken?: string;
  /** Root of attachment URLs, without a trailing slash. Discord's own CDN by default. */
  cdnUrl?: string;
  options?: Partial<Options>;
}

/** The two sides of the local Discord: REST for the application, everything else for people and tests. */
export interface LocalDiscord {
  /** Discord's REST API under `/api/v10`, and the files of its CDN. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** A person uses the application. Resolves when the endpoint has answered. */
  interact(input: Interact): Promise<Outcome>;
  /**
   * Makes a signed `POST /interactions` without sending it: tests change it and dispatch it themselves. By default it is signed
   * at the clock's time.
   */
  sign(body: string, signing?: Partial<Signing>): Promise<Request>;
  /** A person writes a message of their own. Returns its id. */
  speak(words: { as: string; channel: string; content: string; file?: { filename: string; text: string } }): string;
  /** A person deletes a message. False if it does not exist. */
  delete(messageId: string): boolean;
  /** A channel is deleted, with all its messages. */
  deleteChannel(channelId: string): void;
  messages(channelId: string, personId: string): LocalMessage[];
  /** The channels that a person sees, in their servers and elsewhere. */
  channels(personId: string): Channel[];
  servers(): Server[];
  people(): LocalPerson[];
  /** The form that is open on a person's screen. */
  openModal(personId: string): unknown;
  /** Registered commands of a scope: "global", or a server's id. */
  commands(scope?: string): readonly Record<string, unknown>[];
  readonly log: readonly LogEntry[];
  readonly violations: readonly Violation[];
  /** Everyone whom any message so far would have notified. */
  pinged(): string[];
  /** Changes options from now on. */
  configure(options: Partial<Options>): void;
  /** Answers the next `count` requests that match with copies of `response`, before Discord sees them. */
  failNext(count: number, response: Response, matches?: (request: Readonly<LogEntry>) => boolean): void;
  /** Bad weather for the next `count` requests that match. */
  brew(forecast: Forecast, count: number, matches?: (request: Readonly<LogEntry>) => boolean): void;
  /** Adds a rule that may answer in place of Discord. Returns a function that removes it. */
  addWeather(rule: Weather): () => void;
  /** Calls `listener` after every change. Returns a function that stops this. */
  onChange(listener: () => void): () => void;
  /** Resets to the first people and channels, clear weather and the original options. */
  reset(): void;
}

/** Makes a local Discord with its servers, people and channels. */
export function createLocalDiscord(parts: LocalDiscordParts): LocalDiscord {
  const listeners = new Set<() => void>();
  const weather = new Set<Weather>();
  const firstOptions = { ...DEFAULT_OPTIONS, ...parts.options };
  const world = createWorld(parts, { ...firstOptions }, () => {
    for (const listener of listeners) listener();
  });
  const addWeather = (rule: Weather) => {
    weather.add(rule);
    return () => void weather.delete(rule);
  };
  const signatureClock = parts.signatureClock ?? parts.now;
  const sign = (body: string, signing: Partial<Signing> = {}) =>
    signedRequest(body, { timestamp: String(Math.floor(signatureClock() / 1000)), ...signing });
  return {
    fetch: (request) => serveFile(world, request) ?? answerRest(world, weather, request),
    interact: (input) => interact(world, { dispatch: parts.dispatch, sign }, input),
    sign,
    ...deeds(world),
    ...views(world),
    configure: (options) => void Object.assign(world.options, options),
    failNext: (count, response, matches = () => true) => void addWeather(failures(count, response, matches)),
    brew: (forecast, count, matches = () => true) => void addWeather(brewed(forecast, count, matches)),
    addWeather,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reset: () => {
      weather.clear();
      Object.assign(world.options, firstOptions);
      seed(world);
      world.changed();
    },
  };
}

function deeds(world: World): Pick<LocalDiscord, "speak" | "delete" | "deleteChannel"> {
  return {
    speak: (words) => speak(world, words),
    delete: (id) => deleteMessage(world, id),
    deleteChannel: (id) => deleteChannel(world, id),
  };
}

type Views =
  | "messages"
  | "channels"
  | "servers"
  | "people"
  | "openModal"
  | "commands"
  | "log"
  | "violations"
  | "pinged";

function views(world: World): Pick<LocalDiscord, Views> {
  return {
    messages: (channelId, personId) => {
      expire(world);
      return messagesFor(world, channelId, personId);
    },
    channels: (personId) => [...world.channels.values()].filter((channel) => canSee(world, channel, personId)),
    servers: () => [...world.servers.values()],
    people: () => viewPeople(world),
    openModal: (personId) => world.modals.get(personId),
    commands: (scope = "global") => world.commands.get(scope) ?? [],
    log: world.log,
    violations: world.violations,
    pinged: () => [...world.messages.values()].flatMap(({ pings }) => pings),
  };
}

function createWorld(parts: LocalDiscordParts, options: Options, changed: () => void): World {
  const world: World = {
    applicationId: parts.applicationId ?? APPLICATION.id,
    botToken: parts.botToken ?? APPLICATION.botToken,
    cdnUrl: parts.cdnUrl ?? "https://cdn.discordapp.com",
    options,
    people: new Map(),
    servers: new Map(),
    channels: new Map(),
    messages: new Map(),
    interactions: new Map(),
    webhooks: new Map(),
    commands: new Map(),
    modals: new Map(),
    attachments: new Map(),
    log: [],
    violations: [],
    windows: new Map(),
    now: parts.now,
    snowflake: snowflakes(parts.now),
    changed,
  };
  seed(world);
  return world;
}

function failures(count: number, response: Response, matches: (request: Readonly<LogEntry>) => boolean): Weather {
  let left = count;
  return (request) => {
    if (left === 0 || !matches(request)) return null;
    left -= 1;
    return response.clone();
  };
}

function brewed(forecast: Forecast, count: number, matches: (request: Readonly<LogEntry>) => boolean): Weather {
  let left = count;
  return (request) => {
    if (left === 0 || !matches(request)) return null;
    left -= 1;
    return answerIn(forecast);
  };
}

/**
 * A file of the CDN, if the path is one: `/attachments/{channel}/{attachment}/{filename}`, or its ephemeral variant. A Worker
 * gets only the ephemeral ones (docs: tutorials/hosting-on-cloudflare-workers); here a Worker is recognized by the User-Agent
 * that a bot must send.
 */
function serveFile(world: World, request: Request): Promise<Response> | null {
  const [, ephemeral, id] = /^\/(ephemeral-)?attachments\/\d+\/(\d+)\//.exec(new URL(request.url).pathname) ?? [];
  if (id === undefined) return null;
  if (!ephemeral && request.headers.get("user-agent")?.startsWith("DiscordBot"))
    return Promise.resolve(new Response("Forbidden", { status: 403 }));
  const file = world.attachments.get(id);
  const response = file
    ? new Response(file.bytes, { headers: { "content-type": file.contentType } })
    : new Response("This content is no longer available.", { status: 404 });
  return Promise.resolve(response);
}

function speak(world: World, { as, channel, content, file }: Parameters<LocalDiscord["speak"]>[0]): string {
  const { id: channelId, serverId } = findChannel(world, channel);
  const about = { channelId, authorId: findPerson(world, as, serverId).id, type: 0 };
  const message = createMessage(world, about, { content }, []);
  if (file) message.attachments.push(storeAttachment(world, channel, textFile(file.filename, file.text)));
  return message.id;
}

function deleteChannel(world: World, channelId: string): void {
  world.channels.delete(channelId);
  for (const { id, channelId: of } of [...world.messages.values()]) if (of === channelId) world.messages.delete(id);
  world.changed();
}
