// A server on a real loopback port, and our client for it, over the runtime's own fetch and a clock that the test moves.
import { onTestFinished } from "vitest";
import { createRemoteTools, type RemoteServer } from "../../src/mcp/remote-tools.ts";
import {
  createSession,
  type EraMemory,
  type EraName,
  type McpOutside,
  type McpSession,
} from "../../src/mcp/session.ts";
import { serve } from "../../src/playground/serve.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import type { Tool } from "../../src/toolkit/define/tool.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import { createScrubber } from "../../src/toolkit/run/scrub.ts";
import type { ToolResult } from "../../src/toolkit/tool-result.ts";
import { createTestClock, type TestClock } from "../support/clock.ts";
import { testContext } from "../toolkit/context.ts";

/** Our side of one server. */
export interface Client {
  clock: TestClock;
  session: McpSession;
  /** The era in which the bare session believes the server speaks. */
  era: () => EraName | null;
  /** How often the server said that its list had changed. */
  changes: () => number;
  /** Pictures that were to be shown to the model. */
  shown: { turnId: string; callId: string; urls: readonly string[] }[];
  /** Lines of the log, with their detail as JSON. */
  lines: string[];
  /** What is in the storage. */
  stored: Map<string, string>;
  /** The tools at the beginning of a turn. */
  turn(signal?: AbortSignal): Promise<readonly Tool[]>;
  /** Begins a new life of the object with what is stored. */
  evict(): void;
  /** One call of a tool of the current turn, through the whole runtime. */
  call(name: string, input?: object, signal?: AbortSignal): Promise<ToolResult>;
  /** Pauses between attempts that were begun. */
  pauses(): number[];
}

export const never = (): AbortSignal => new AbortController().signal;
const CALL_LIMIT_MS = 300_000;
const SHORTEST_LIMIT_MS = 5000;

/** A client of the server at this address; `era` is the era in which its bare session believes the server speaks. */
export function mcpClient(
  url: string,
  over: Partial<RemoteServer> = {},
  taken: readonly string[] = [],
  era: EraName | null = null,
): Client {
  const clock = createTestClock(1_000_000_000, () => new Promise((resolve) => setImmediate(resolve)));
  const server: RemoteServer = { id: "it", url, headers: {}, tools: null, category: {}, ...over };
  const lines: string[] = [];
  const stored = new Map<string, string>();
  const waits: number[] = [];
  const shown: Client["shown"] = [];
  let changes = 0;
  const memory: EraMemory = { era };
  const outside: McpOutside = {
    fetch: (to, init) => fetch(to, init),
    after: clock.timers.after,
    keepAlive: (work) => void work,
    version: "0.0.1",
  };
  const live = () =>
    createRemoteTools(
      [server],
      {
        ...outside,
        clock: clock.now,
        scrub: createScrubber(),
        showPictures: (turnId, callId, urls) => shown.push({ turnId, callId, urls }),
        log: (line, detail) => lines.push(`${line} ${JSON.stringify(detail)}`),
        store: {
          manifest: (id) => stored.get(id) ?? null,
          putManifest: (id, json) => void stored.set(id, json),
        },
      },
      new Set(taken),
    );
  let remote = live();
  return {
    clock,
    shown,
    lines,
    stored,
    session: createSession(server, outside, () => changes++, memory),
    era: () => memory.era,
    changes: () => changes,
    turn: (signal = never()) => remote(signal),
    evict() {
      remote = live();
    },
    async call(name, input = {}, signal = never()) {
      const registry = createToolRegistry(await remote(never()), (line, detail) =>
        lines.push(`${line} ${JSON.stringify(detail)}`),
      );
      const runtime = new ToolRuntime(registry, {
        after(ms, callback) {
          waits.push(ms);
          return clock.timers.after(ms, callback);
        },
        clock: clock.now,
        random: () => 0.5,
      });
      const call = { name, arguments: JSON.stringify(input) };
      const { meta: _meta, ...result } = await runtime.execute(call, testContext({ signal }), CALL_LIMIT_MS);
      return result;
    },
    pauses: () => waits.filter((ms) => ms < SHORTEST_LIMIT_MS),
  };
}

/** A served server and its client. */
export async function hosted<Server extends { fetch(request: Request): Promise<Response> }>(
  server: Server,
  over: Partial<RemoteServer> = {},
  taken: string[] = [],
  era: EraName | null = null,
) {
  const served = await serve((request) => server.fetch(request));
  return { server, served, client: mcpClient(`${served.url}/mcp`, over, taken, era) };
}

/** Our client for the server, which is closed when the test is over. */
export async function host(...what: Parameters<typeof hosted>): Promise<Client> {
  const { served, client } = await hosted(...what);
  onTestFinished(() => served.close());
  return client;
}
