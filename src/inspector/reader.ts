// Reads what the inspector's pages show from the channels' and scopes' objects. Nothing here writes.
import type { ScopeInspection } from "../core/access/inspection-rpc.ts";
import { DEPLOYMENT, scopeName } from "../core/access/scope-copy.ts";
import { utcDay } from "../core/money/lease.ts";
import { NO_USAGE, type UsageSum } from "../core/money/report.ts";
import type { SeenGatewayStatus } from "../core/state/gateway-status.ts";
import type {
  ChannelPulse,
  InspectAnswer,
  InspectedChannel,
  InspectedTurn,
  InspectedTurns,
  InspectQuestion,
  PlaceNames,
  TurnFilter,
} from "../core/state/inspected.ts";

/** One channel on the home page. */
export interface HomeChannel {
  /** The name of the object that has the conversation. */
  channel: string;
  /** The last day (UTC) with a turn, and the sum of the last 30 days. */
  lastDay: string;
  sum: UsageSum;
  /** Null if the channel was not asked, because others were used more recently, or could not be reached. */
  pulse: ChannelPulse | null;
}

/** One server on the home page. If `guildId` is null, it covers everything outside servers. */
export interface HomeServer {
  guildId: string | null;
  sum: UsageSum;
  channels: readonly HomeChannel[];
  /** How many more channels the server has. */
  channelsLeftOut: number;
  /** False if the server's object could not be reached. */
  isListed: boolean;
}

/** What the home page shows: the last 30 days, and what is happening now. */
export interface InspectedHome {
  now: number;
  gateway: SeenGatewayStatus;
  /** Days with turns (UTC), oldest first. */
  days: readonly { day: string; sum: UsageSum }[];
  /** Most recently used first. */
  servers: readonly HomeServer[];
  serversLeftOut: number;
  /** How many of the listed channels were not asked for their current state. */
  channelsNotAsked: number;
}

/** Everything that the pages read. Each method rejects if an object can't be reached, and may run twice. */
export interface InspectReader {
  channel(channel: string): Promise<InspectedChannel>;
  /** Lists turns, newest first, 50 per page. `before`: the value that the previous page returned; null for the first page. */
  turns(channel: string, filter: TurnFilter, before: number | null): Promise<InspectedTurns>;
  turn(channel: string, turnId: string): Promise<InspectedTurn | null>;
  /** Returns server-sent events, `data: changed`, at most one a second while something changes. Ends by itself after ten minutes. */
  watch(channel: string, turnId: string | null): Promise<ReadableStream<Uint8Array>>;
  home(): Promise<InspectedHome>;
  /** Returns the names of these servers and channels, as far as Discord returns them in time. Never rejects. */
  names(servers: readonly string[], channels: readonly string[]): Promise<PlaceNames>;
  /** Whether someone at this address may try the token now. After ten wrong tries in a minute no one there may, even with the right token. */
  mayTry(address: string, isRight: boolean): Promise<boolean>;
}

/** The part of a channel's object that the inspector uses. */
export interface InspectedChannelPort {
  inspect(question: InspectQuestion): Promise<InspectAnswer | ReadableStream>;
}

/** The part of a scope's object that the inspector uses. */
export interface InspectedScopePort {
  inspect(): Promise<ScopeInspection>;
  mayTry(address: string, isRight: boolean): Promise<boolean>;
}

/** The objects by their names, and the clock. */
export interface ReaderPorts {
  inspected: (channel: string) => InspectedChannelPort;
  scope: (name: string) => InspectedScopePort;
  /** Returns the gateway's status. Never rejects. */
  gateway: () => Promise<SeenGatewayStatus>;
  names: InspectReader["names"];
  /** Counts against the runtime's own limit for this location; false if that is exceeded. Null or missing if there is none. */
  countRefused?: ((key: string) => Promise<boolean>) | null;
  now: () => number;
  logError: (line: string, detail: Record<string, unknown>) => void;
}

/** How many servers are asked for their channels, and how many channels for their current state. */
const MAX_SERVERS_ASKED = 20;
export const MAX_CHANNELS_ASKED = 30;

/** Creates the reader, which asks the objects. */
export function createReader(ports: ReaderPorts): InspectReader {
  const { inspected, scope, countRefused } = ports;
  /** Asks a channel's object. Each kind of question has its own kind of answer, which the type of the object's only method can't express. */
  const ask = async <Answer extends InspectAnswer | ReadableStream>(channel: string, question: InspectQuestion) =>
    (await inspected(channel).inspect(question)) as Answer;
  return {
    channel: (channel) => ask(channel, { kind: "channel" }),
    turns: (channel, filter, before) => ask(channel, { kind: "turns", filter, before }),
    turn: (channel, turnId) => ask(channel, { kind: "turn", turnId }),
    watch: (channel, turnId) => ask(channel, { kind: "watch", turnId }),
    // All channels need the deployment's object, so a flood of wrong tokens is refused before it gets there.
    mayTry: async (address, isRight) =>
      (isRight || ((await countRefused?.(`try ${address}`).catch(() => true)) ?? true)) &&
      scope(DEPLOYMENT).mayTry(address, isRight),
    names: ports.names,
    home: () => readHome(ports, (channel) => ask(channel, { kind: "pulse" })),
  };
}

/**
 * Reads the home page. Only objects that have reported usage are asked, so that looking creates no storage, and those of threads in which a first
 * answer may still be under way. The part of an object that can't be reached is left out.
 */
async function readHome(
  { scope, gateway, now, logError }: ReaderPorts,
  pulseOf: (channel: string) => Promise<ChannelPulse>,
): Promise<InspectedHome> {
  const attempt = <Value>(what: string, work: Promise<Value>): Promise<Value | null> =>
    work.catch((error: unknown) => {
      logError("the inspector can't reach an object", { object: what, error: String(error) });
      return null;
    });
  const [deployment, heard] = await Promise.all([scope(DEPLOYMENT).inspect(), gateway()]);
  const used = deployment.servers.slice(0, MAX_SERVERS_ASKED);
  const scopes = await Promise.all(
    used.map(({ id }) => (id === "" ? deployment : attempt(scopeName(id), scope(scopeName(id)).inspect()))),
  );
  const all = scopes.flatMap((one) => one?.channels ?? []);
  const latest = all
    .toSorted((a, b) => b.lastDay.localeCompare(a.lastDay) || b.sum.turns - a.sum.turns)
    .slice(0, MAX_CHANNELS_ASKED);
  const pulsesOf = (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => [id, await attempt(id, pulseOf(id))] as const));
  const pulses = new Map(await pulsesOf(latest.map(({ id }) => id)));
  const opened = new Set([...pulses.values()].flatMap((one) => one?.newThreads ?? []));
  for (const { id } of all) opened.delete(id);
  const threads = await pulsesOf([...opened].slice(0, MAX_CHANNELS_ASKED));
  const beginning = threads.flatMap(([channel, one]) =>
    one && one.lastTurnAt !== null
      ? [{ guildId: one.guildId, shown: { channel, lastDay: utcDay(one.lastTurnAt), sum: NO_USAGE, pulse: one } }]
      : [],
  );
  return {
    now: now(),
    gateway: heard,
    days: deployment.days,
    servers: used.map(({ id, sum }, index) => ({
      guildId: id === "" ? null : id,
      sum,
      channels: [
        ...beginning.flatMap(({ guildId, shown }) => (guildId === (id || null) ? [shown] : [])),
        ...(scopes[index]?.channels ?? []).map((one) => ({
          channel: one.id,
          lastDay: one.lastDay,
          sum: one.sum,
          pulse: pulses.get(one.id) ?? null,
        })),
      ],
      channelsLeftOut: scopes[index]?.channelsLeftOut ?? 0,
      isListed: scopes[index] !== null,
    })),
    serversLeftOut: deployment.servers.length - used.length + deployment.serversLeftOut,
    channelsNotAsked: all.length - latest.length,
  };
}
