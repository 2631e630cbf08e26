// The tools of all configured servers, read when a turn begins. Lists are kept as long as their server says, or else for ten minutes. A
// server that does not answer delays a turn by its connection limit once per minute, and never affects the tools of other servers.
import type { Tool, ToolCategory } from "../toolkit/define/tool.ts";
import type { Scrubber } from "../toolkit/run/scrub.ts";
import { cut } from "../toolkit/run/tool-outcome.ts";
import { withLimit } from "./limit.ts";
import { type ListedTool, listTools, readListed } from "./manifest.ts";
import { remoteTool, type ShowPictures } from "./remote-tool.ts";
import { CONNECT_LIMIT_MS, createSession, type EraName, type McpOutside, type McpServer } from "./session.ts";
import { namesFor } from "./tool-names.ts";

/** A server, and which of its tools are wanted. */
export interface RemoteServer extends McpServer {
  /** By the server's names; null for all. */
  tools: readonly string[] | null;
  category: Readonly<Record<string, ToolCategory>>;
  /** Who may approve its dangerous tools in addition to moderators. */
  approve?: "asker";
  /** People in Discord added it, so nobody vouches for it. */
  isAdded?: true;
}

/** What is stored about a server across the object's lives. Synchronous. */
export interface ManifestStore {
  /** JSON text, or null. */
  manifest(serverId: string): string | null;
  putManifest(serverId: string, json: string): void;
}

/** What remote tools need from outside in addition to the connection. */
export interface RemoteOutside extends McpOutside {
  store: ManifestStore;
  clock: () => number;
  /** Removes secrets from what a server says before it is logged. */
  scrub: Pick<Scrubber, "text">;
  showPictures: ShowPictures;
  log: (line: string, detail: Record<string, unknown>) => void;
}

/**
 * Returns the current tools: the same objects as long as nothing has changed. Never throws because of a server. Contacts servers only if their
 * lists are old; `signal` ends the wait.
 */
export type RemoteTools = (signal: AbortSignal) => Promise<readonly Tool[]>;

/** How long a list is valid if its server does not say, and the bounds if it does. */
const LIST_LIFE_MS = 10 * 60_000;
const SHORTEST_LIST_LIFE_MS = 60_000;
const LONGEST_LIST_LIFE_MS = 24 * 60 * 60_000;
const DOWN_PAUSE_MS = 60_000;
/**
 * How soon to ask a server again that wants a token: somebody may be about to sign in. Each request waits for the server's answer, so a slow one
 * is asked less often.
 */
const SIGNED_OUT_PAUSE_MS = 5000;
const PAUSE_FOR_EACH_MS = 20;
const MAX_LOGGED_CHARS = 500;

/** Creates the reader of all servers' tools. `taken`: the names of the product's own tools. */
export function createRemoteTools(
  servers: readonly RemoteServer[],
  outside: RemoteOutside,
  taken: ReadonlySet<string>,
): RemoteTools {
  const remotes = servers.map((server) => createRemote(server, outside, taken));
  return async (signal) => (await Promise.all(remotes.map((toolsOf) => toolsOf(signal)))).flat();
}

/** What is known about a server. With `at` 0, its list must be requested again. */
interface Manifest {
  /** Its address, and the tools that are wanted, because a list of many tools was cut to those. */
  url: string;
  tools: ListedTool[];
  at: number;
  failedAt: number | null;
  /** How long the list, or the fact that there is none, is valid, in milliseconds. */
  lifeMs: number;
  /** Null: unknown. */
  era: EraName | null;
}

function createRemote(server: RemoteServer, outside: RemoteOutside, taken: ReadonlySet<string>): RemoteTools {
  const { store, clock, scrub, log } = outside;
  let read: Manifest | null = null;
  let tools: { of: readonly ListedTool[]; made: readonly Tool[] } = { of: [], made: [] };

  const manifest = (): Manifest => {
    read ??= readManifest(store.manifest(server.id), [server.url, ...(server.tools ?? [])].join(" "));
    return read;
  };
  const change = (changes: Partial<Manifest>) => {
    read = { ...manifest(), ...changes };
  };
  const keep = (changes: Partial<Manifest>) => {
    change(changes);
    store.putManifest(server.id, JSON.stringify(manifest()));
  };
  const outdate = () => {
    if (manifest().at > 0) keep({ at: 0 });
  };
  const session = createSession(server, outside, outdate, {
    get era() {
      return manifest().era;
    },
    set era(era) {
      // If the list has to be requested again, the era is stored with it.
      if (manifest().at > 0) keep({ era });
      else change({ era });
    },
  });
  const isWanted = (name: string) => server.tools?.includes(name) ?? true;

  const refresh = async (signal: AbortSignal): Promise<readonly ListedTool[]> => {
    const limit = withLimit(signal, CONNECT_LIMIT_MS, outside.after);
    const began = clock();
    const listed = await listTools(session, isWanted, limit.signal).finally(limit.release);
    if (signal.aborted) return [];
    const now = clock();
    const holding = (ms: number) => Math.min(LONGEST_LIST_LIFE_MS, Math.max(SHORTEST_LIST_LIFE_MS, ms));
    if (!listed.ok) {
      const why = { server: server.id, reason: cut(listed.error, MAX_LOGGED_CHARS, scrub) };
      // The calls may still work, and if they do not, the model learns so for each.
      const before = manifest();
      if (listed.isBusy && before.tools.length > 0 && before.failedAt === null) {
        log("a remote server gave no new list of tools", why);
        keep({ at: now, lifeMs: holding(listed.retryAfterMs ?? 0) });
        return before.tools;
      }
      log("a remote server gave no tools", why);
      const forSlowness = Math.max(SIGNED_OUT_PAUSE_MS, Math.abs(now - began) * PAUSE_FOR_EACH_MS);
      keep({ tools: [], at: 0, failedAt: now, lifeMs: listed.isSignedOut ? forSlowness : DOWN_PAUSE_MS });
      return [];
    }
    if (listed.dropped > 0)
      log("a remote server lists something that is not a tool", { server: server.id, entries: listed.dropped });
    const { leftOut, shortened } = listed;
    if (leftOut > 0 || shortened > 0)
      log("a remote server lists too much, and some of it was left out", {
        server: server.id,
        tools: leftOut,
        descriptions: shortened,
      });
    // What has not changed stays the same object, and so do the compiled tools and the registry of a turn.
    const { tools: before } = manifest();
    const isSame = JSON.stringify(before) === JSON.stringify(listed.tools);
    keep({
      tools: isSame ? before : listed.tools,
      at: now,
      failedAt: null,
      lifeMs: holding(listed.lifeMs ?? LIST_LIFE_MS),
    });
    return manifest().tools;
  };

  return async (signal) => {
    const { tools: kept, at, failedAt, lifeMs } = manifest();
    const now = clock();
    // A time in the future was stored before the clock was set back.
    const isFresh = at > 0 && Math.abs(now - at) < lifeMs;
    const isDown = failedAt !== null && Math.abs(now - failedAt) < Math.min(lifeMs, DOWN_PAUSE_MS);
    const listed = isFresh ? kept : isDown ? [] : await refresh(signal);
    if (listed !== tools.of) tools = { of: listed, made: makeTools(server, listed) };
    return tools.made;
  };

  function makeTools({ id, category, approve, isAdded }: RemoteServer, listed: readonly ListedTool[]): readonly Tool[] {
    const chosen = listed.filter(({ name }) => isWanted(name));
    const names = namesFor(
      id,
      chosen.map(({ name }) => name),
      taken,
    );
    return chosen.flatMap((one) => {
      const origin = {
        serverId: id,
        session,
        category,
        isApprovedByAsker: approve === "asker",
        ...(isAdded && { isAdded }),
        showPictures: outside.showPictures,
        onUnknownTool: outdate,
      };
      const made = remoteTool(one, names.get(one.name) ?? "", origin);
      if (made.ok) return [made.tool];
      log("a remote tool was left out", { server: id, tool: one.name, reason: made.reason });
      return [];
    });
  }
}

/** Reads what is stored. Nothing is known if nothing is stored, or if it belongs to another `url` or to a program that stored it differently. */
function readManifest(json: string | null, url: string): Manifest {
  const nothing: Manifest = { url, tools: [], at: 0, failedAt: null, lifeMs: LIST_LIFE_MS, era: null };
  const stored = JSON.parse(json ?? "{}") as Partial<Manifest>;
  const tools = readListed(stored.tools);
  return tools && stored.url === url ? { ...nothing, ...stored, tools } : nothing;
}
