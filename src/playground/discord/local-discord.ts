// The local Discord: a strict stand-in, written from Discord's documentation, that runs in workerd and in Node. It has no timer, reads no
// clocks except those that it is given, and never uses the network.
import { type LocalGateway, localGateway, resetGateway } from "../gateway/gateway.ts";
import type { Interact, Outcome } from "./acts.ts";
import { serveFile } from "./files.ts";
import type { Forecast } from "./forecast.ts";
import { expire, interact } from "./interact.ts";
import { deleteMessage } from "./messages.ts";
import { APPLICATION, createWorld } from "./new-world.ts";
import { DEFAULT_OPTIONS, type Options } from "./options.ts";
import { type Done, type Touch, touch, typeAs, type Words, write } from "./people-acts.ts";
import { canSee } from "./permissions.ts";
import { brewed, failures } from "./planned-weather.ts";
import { type Records, recordWorld, restoreWorld } from "./record.ts";
import { answerRest, type Weather } from "./rest.ts";
import { seed } from "./seed.ts";
import type { Channel, Server } from "./servers.ts";
import { type Signing, signedRequest } from "./sign.ts";
import { typingIn } from "./typing.ts";
import { type LocalMessage, type LocalPerson, messagesFor, newestOfOthers, viewPeople } from "./view.ts";
import { BOT_NAME } from "./wire.ts";
import type { LogEntry, Violation, World } from "./world.ts";

export { APPLICATION };

/** What a local Discord is made of. */
export interface LocalDiscordParts {
  /** Milliseconds of the Unix clock. Every time limit uses it. */
  now: () => number;
  /** The clock for signatures, if it is not `now`: the application checks them with its own clock. */
  signatureClock?: () => number;
  /** Sends an interaction to the application under test, as if to its endpoint URL. */
  dispatch: (request: Request) => Promise<Response>;
  applicationId?: string;
  botToken?: string;
  /** The URL that `GET /gateway` returns, without a trailing slash; Discord's own by default. */
  gatewayUrl?: string;
  /** The clock for the Gateway's sockets, if it is not `now`: moving `now` a day ahead must not break them. */
  socketClock?: () => number;
  /** Root of attachment URLs, without a trailing slash. Discord's own CDN by default. */
  cdnUrl?: string;
  options?: Partial<Options>;
}

/** The two sides of the local Discord: REST for the application, everything else for people and tests. */
export interface LocalDiscord {
  /** Discord's REST API under `/api/v10`, and the files of its CDN. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Lets a person use the application. Resolves when the endpoint has answered. */
  interact(input: Interact): Promise<Outcome>;
  /**
   * Makes a signed `POST /interactions` without sending it, so that tests can change and dispatch it themselves. By default it is signed at the
   * clock's time.
   */
  sign(body: string, signing?: Partial<Signing>): Promise<Request>;
  readonly gateway: LocalGateway;
  /** Like `write`, but returns the message's id, and throws if the client would not let the person write. */
  speak(words: Words): string;
  /** Lets a person write, reply or forward. */
  write(words: Words): Done;
  /** Lets a person edit or delete a message, or react to it. */
  touch(act: Touch): Done;
  /** Shows a person as typing, for 10 s or until they have written. */
  type(where: { as: string; channel: string }): void;
  /** The ids of those who are typing. */
  typing(channelId: string): string[];
  /** Deletes a message. Returns false if it does not exist. */
  delete(messageId: string): boolean;
  /** Deletes a channel with all its messages. */
  deleteChannel(channelId: string): void;
  messages(channelId: string, personId: string): LocalMessage[];
  /** The channels that a person sees, in their servers and elsewhere. */
  channels(personId: string): Channel[];
  /** The newest message of somebody else in each channel, by the channel's id. */
  newestOfOthers(personId: string): Map<string, string>;
  servers(): Server[];
  people(): LocalPerson[];
  /** The bot. `listens`: it is connected to the Gateway, and so receives messages. */
  bot(): { id: string; name: string; listens: boolean };
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
  /** Makes bad weather for the next `count` requests that match. */
  brew(forecast: Forecast, count: number, matches?: (request: Readonly<LogEntry>) => boolean): void;
  /** Adds a rule that may answer instead of Discord. Returns a function that removes it. */
  addWeather(rule: Weather): () => void;
  /** Calls `listener` after every change. Returns a function that stops this. */
  onChange(listener: () => void): () => void;
  /** Records everything that a later local Discord needs to continue this one. */
  record(): Map<string, string>;
  /** Continues from what was recorded. Returns false and changes nothing if there are no records, or they have another format. */
  restore(records: Records): boolean;
  /** Resets to the first people and channels, clear weather and the original options. */
  reset(): void;
}

/** Makes a local Discord with its servers, people and channels. */
export function createLocalDiscord(parts: LocalDiscordParts): LocalDiscord {
  const listeners = new Set<() => void>();
  const weather = new Set<Weather>();
  const firstOptions = { ...DEFAULT_OPTIONS, ...parts.options };
  const addWeather = (rule: Weather) => {
    weather.add(rule);
    return () => void weather.delete(rule);
  };
  const signatureClock = parts.signatureClock ?? parts.now;
  const sign = (body: string, signing: Partial<Signing> = {}) =>
    signedRequest(body, { timestamp: String(Math.floor(signatureClock() / 1000)), ...signing });
  const world = createWorld(
    parts,
    { ...firstOptions },
    {
      changed: () => {
        for (const listener of listeners) listener();
      },
      callEndpoint: async (url, body, signature) =>
        parts.dispatch(await sign(body, { url, ...(signature !== undefined && { signature }) })),
    },
  );
  return {
    fetch: async (request) => serveFile(world, request) ?? answerRest(world, weather, request),
    interact: (input) => interact(world, { dispatch: parts.dispatch, sign }, input),
    sign,
    ...deeds(world),
    ...views(world),
    gateway: localGateway(world),
    configure: (options) => configure(world, options),
    failNext: (count, response, matches = () => true) => void addWeather(failures(count, response, matches)),
    brew: (forecast, count, matches = () => true) => void addWeather(brewed(forecast, count, matches)),
    addWeather,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    record: () => recordWorld(world),
    restore: (records) => restoreWorld(world, records),
    reset: () => {
      weather.clear();
      Object.assign(world.options, firstOptions);
      world.botToken = parts.botToken ?? APPLICATION.botToken;
      seed(world);
      resetGateway(world);
      world.changed();
    },
  };
}

type Deeds = "speak" | "write" | "touch" | "type" | "delete" | "deleteChannel";

function deeds(world: World): Pick<LocalDiscord, Deeds> {
  return {
    speak: (words) => {
      const done = write(world, words);
      if (!done.ok) throw new Error(done.error);
      return done.messageId;
    },
    write: (words) => write(world, words),
    touch: (act) => touch(world, act),
    type: (where) => typeAs(world, where),
    delete: (id) => deleteMessage(world, id),
    deleteChannel: (id) => deleteChannel(world, id),
  };
}

type Views =
  | "messages"
  | "channels"
  | "newestOfOthers"
  | "servers"
  | "people"
  | "bot"
  | "openModal"
  | "commands"
  | "log"
  | "violations"
  | "pinged"
  | "typing";

function views(world: World): Pick<LocalDiscord, Views> {
  return {
    messages: (channelId, personId) => {
      expire(world);
      return messagesFor(world, channelId, personId);
    },
    channels: (personId) => [...world.channels.values()].filter((channel) => canSee(world, channel, personId)),
    newestOfOthers: (personId) => newestOfOthers(world, personId),
    servers: () => [...world.servers.values()],
    people: () => viewPeople(world),
    bot: () => {
      const listens = [...world.gateway.sessions.values()].some(({ connection }) => connection !== null);
      return { id: world.applicationId, name: BOT_NAME, listens };
    },
    openModal: (personId) => world.modals.get(personId),
    commands: (scope = "global") => world.commands.get(scope) ?? [],
    typing: (channelId) => typingIn(world, channelId),
    log: world.log,
    violations: world.violations,
    pinged: () => [...world.messages.values()].flatMap(({ pings }) => pings),
  };
}

function configure(world: World, options: Partial<Options>): void {
  const was = world.options.botIsMember;
  Object.assign(world.options, options);
  const isMember = world.options.botIsMember;
  if (isMember !== was) world.happened({ kind: "membership", isMember });
}

function deleteChannel(world: World, channelId: string): void {
  const channel = world.channels.get(channelId);
  world.channels.delete(channelId);
  for (const { id, channelId: of } of [...world.messages.values()]) if (of === channelId) world.messages.delete(id);
  if (channel) world.happened({ kind: "channel-deleted", channel });
}
