// Reads the names of servers and channels with the bot's own token, for pages that people look at. Only their ids are stored.
import type { PlaceNames } from "../../core/state/inspected.ts";
import { fetchAsBot } from "./bot-fetch.ts";
import type { RestPorts } from "./rest.ts";

/** A page waits no longer than this, in ms. A name that is unknown by then is shown as the id. */
const LIMIT_MS = 2000;
/** One page asks for the names of at most this many channels: on Workers Free an event may send 50 requests. */
const MAX_CHANNELS = 25;
/** A new name of a channel appears after this time at most, in ms. */
const KEPT_MS = 3_600_000;
/** How many names of channels and servers are remembered. */
const MAX_KEPT = 2000;

/** The fields of a JSON value; a value of any other form has none of them. */
const fieldsOf = (json: unknown): { id?: unknown; name?: unknown } => Object(json);

/**
 * Creates the reader. It remembers Discord's answers within its isolate, including that it may not read a channel, because Discord blocks
 * addresses that send many refused requests (docs: topics/rate-limits, "Invalid Request Limit"). After any other failure it sends nothing for
 * a minute.
 */
export function createPlaceNames(ports: Omit<RestPorts, "onLost">, now: () => number) {
  const kept = new Map<string, { name: unknown; until: number }>();
  let silentUntil = 0;
  const keep = (id: string, name: unknown) => {
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(id, { name, until: now() + KEPT_MS });
  };
  const isUnknown = (id: string) => (kept.get(id)?.until ?? 0) <= now();
  const ask = async (path: string, signal: AbortSignal) => {
    const response = await fetchAsBot(ports, "GET", path, { signal });
    if (response.ok) return response.json();
    await response.body?.cancel();
    if (![403, 404].includes(response.status)) throw new Error("refused");
  };
  /** Returns the names of these servers and channels, as far as they are known in time. Reads only, so it may run twice; never rejects. */
  return async (servers: readonly string[], channels: readonly string[]): Promise<PlaceNames> => {
    const unknown = [...new Set(channels)].filter(isUnknown).slice(0, MAX_CHANNELS);
    if (ports.botToken !== null && now() >= silentUntil) {
      const signal = AbortSignal.timeout(LIMIT_MS);
      const askServers = async () => {
        const found = [(await ask("/users/@me/guilds", signal)) ?? []].flat();
        for (const { id, name } of found.map(fieldsOf)) keep(String(id), name);
        for (const id of servers.filter(isUnknown)) keep(id, null);
      };
      const askChannel = async (id: string) => keep(id, fieldsOf(await ask(`/channels/${id}`, signal)).name);
      const work = [...(servers.some(isUnknown) ? [askServers()] : []), ...unknown.map(askChannel)];
      for (const { status } of await Promise.allSettled(work)) if (status === "rejected") silentUntil = now() + 60_000;
    }
    const known = (id: string): [string, string][] => {
      const name = kept.get(id)?.name;
      return typeof name === "string" ? [[id, name]] : [];
    };
    return Object.fromEntries([...servers, ...channels].flatMap(known));
  };
}
