// A server that hangs and ignores that no one is waiting for it anymore.
import { describe, expect, it } from "vitest";
import { createRemoteTools } from "../../src/mcp/remote-tools.ts";
import { createSession } from "../../src/mcp/session.ts";
import { createScrubber } from "../../src/toolkit/run/scrub.ts";
import { createTestClock } from "../support/clock.ts";
import { listed, type McpServerUnderTest, mcpServer } from "../support/mcp-server.ts";

const SERVER = { id: "remote", url: "http://remote.test/mcp", headers: {}, tools: null, category: {} };

/** What a client reaches: a server that answers the first requests and is deaf from then on. */
function outside(server: McpServerUnderTest, answers = Number.POSITIVE_INFINITY) {
  const clock = createTestClock(0);
  let asked = 0;
  const kept: string[] = [];
  const logged: unknown[] = [];
  return {
    clock,
    kept,
    logged,
    ports: {
      fetch: (url: string, init: RequestInit) =>
        ++asked > answers ? new Promise<Response>(() => {}) : server.fetch(new Request(url, init)),
      after: clock.timers.after,
      clock: clock.now,
      scrub: createScrubber(),
      keepAlive: () => {},
      showPictures: () => {},
      version: "1",
      store: { manifest: () => null, putManifest: (_id: string, json: string) => void kept.push(json) },
      log: (line: string, detail: object) => void logged.push({ line, ...detail }),
    },
  };
}

describe("a deaf server", () => {
  it.each([0, 1, 2, 3])("that answers %i requests of a list costs a turn 15 s at most", async (answers) => {
    const { clock, ports, logged } = outside(mcpServer(listed("send")), answers);
    const tools = createRemoteTools([SERVER], ports, new Set());
    let found: unknown = null;
    void tools(new AbortController().signal).then((made) => {
      found = made;
    });
    await clock.advance(14_999);
    expect(found).toBe(null);
    await clock.advance(1);
    expect(found).toEqual([]);
    expect(logged).toMatchObject([{ line: "a remote server gave no tools", server: "remote" }]);
  });

  it("ends a call with its signal", async () => {
    const { ports } = outside(mcpServer(listed("send")), 3);
    const stop = new AbortController();
    const reply = createSession(SERVER, ports, () => {}).request("tools/call", { name: "send" }, stop.signal);
    for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error("stopped"));
    expect(await reply).toMatchObject({
      ok: false,
      error: expect.stringContaining("whether it did anything is unknown"),
    });
  });
});
