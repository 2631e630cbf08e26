// The remote servers that people added to a Discord server, besides the configured ones. They are stored among that server's settings, and
// reach its channels with them, but `/config` can't set them.

import { parseJson } from "../core/json.ts";
import { MAX_ADDED_SERVERS } from "../core/limits.ts";
import type { StoredSettings } from "./settings.ts";

/** The key of the stored list. */
export const ADDED_SERVERS = "mcp_servers";

/** A server that was added. The names of its tools begin with `id`. */
export interface AddedServer {
  id: string;
  url: string;
}

/** Whether these are the same name of a server or a tool, ignoring case. */
export const isAlike = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Reads the added servers. A stored text that can't be read counts as an empty list. */
export function readAddedServers({ [ADDED_SERVERS]: text }: StoredSettings): AddedServer[] {
  const list = parseJson(text ?? "");
  return Array.isArray(list) ? list.filter(isServer).slice(0, MAX_ADDED_SERVERS) : [];
}

/** Returns the text to store; null clears the list. */
export const writeAddedServers = (servers: readonly AddedServer[]): string | null =>
  servers.length === 0 ? null : JSON.stringify(servers);

function isServer(one: unknown): one is AddedServer {
  const { id, url } = (one ?? {}) as { id?: unknown; url?: unknown };
  return typeof id === "string" && typeof url === "string";
}
