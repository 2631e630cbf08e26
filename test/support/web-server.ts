// A web server for tests on a real loopback port, and tools that reach it with Node's own fetch. Use it to test the tools
// that read the web.

import { vi } from "vitest";
import { serve } from "../../src/playground/serve.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import type { Tool, ToolContext, ToolServices } from "../../src/toolkit/define/tool.ts";
import { createResultCache } from "../../src/toolkit/run/cache.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import type { ToolResult } from "../../src/toolkit/tool-result.ts";
import { testContext } from "../toolkit/context.ts";
import { createTestClock, type TestClock } from "./clock.ts";

/** A server whose answers a test sets by path. */
export interface WebServer {
  url: string;
  /** Paths in the order of their requests. */
  asked: string[];
  /** Paths of the requests whose client hung up before the answer was complete. */
  lost: string[];
  requests: Request[];
  answer(path: string, answer: (request: Request) => Response | Promise<Response>): void;
  close(): Promise<void>;
}

/** Starts one. An unknown path is 404. */
export async function webServer(): Promise<WebServer> {
  const answers = new Map<string, (request: Request) => Response | Promise<Response>>();
  const asked: string[] = [];
  const lost: string[] = [];
  const requests: Request[] = [];
  const served = await serve((request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    requests.push(request);
    request.signal.addEventListener("abort", () => lost.push(pathname));
    return answers.get(pathname)?.(request) ?? new Response("not here", { status: 404 });
  });
  return { ...served, asked, lost, requests, answer: (path, answer) => void answers.set(path, answer) };
}

/** Makes an answer that never ends: some words, then nothing more. */
export const endless = (beginning = "some words"): Response =>
  new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)) }), {
    headers: { "content-type": "text/plain" },
  });

const SHORTEST_LIMIT_MS = 15_000;

/** A tool with the whole runtime around it, on a clock that the test moves. */
export function toolOver(tool: Tool, services: Partial<ToolServices>) {
  const clock: TestClock = createTestClock(0, () => new Promise((resolve) => setImmediate(resolve)));
  const waits: number[] = [];
  const runtime = new ToolRuntime(createToolRegistry([tool]), {
    after(ms, callback) {
      waits.push(ms);
      return clock.timers.after(ms, callback);
    },
    clock: clock.now,
    random: () => 0.5,
    cache: createResultCache(),
    services: { fetch: (url, init) => fetch(url, init), privateHosts: new Set(), ...services },
  });
  const stop = new AbortController();
  return {
    clock,
    /** The pauses between attempts, without the time limits, which are all longer. */
    pauses: () => waits.filter((ms) => ms < SHORTEST_LIMIT_MS),
    stop: () => stop.abort({ kind: "flagged" }),
    async call(input: unknown, context: Partial<ToolContext> = {}): Promise<ToolResult> {
      const call = { name: tool.name, arguments: JSON.stringify(input) };
      const { meta: _meta, ...result } = await runtime.execute(
        call,
        testContext({ signal: stop.signal, ...context }),
        60_000,
      );
      return result;
    },
  };
}

/** Waits for something that only a real socket can bring, even on the busiest machine. The bound turns a wrong condition into a failure. */
export async function eventually(condition: () => boolean): Promise<void> {
  await vi.waitUntil(condition, { interval: 2, timeout: 120_000 });
}
