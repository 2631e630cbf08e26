// Conversations with remote servers that break at random (random-mcp-server.ts), through the whole client and the tool runtime. Whatever
// happens, no call is executed twice, none that was executed is reported as if it was not, and a server that works again is used again.
import { expect, it } from "vitest";
import { createRemoteTools } from "../../src/mcp/remote-tools.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import { createScrubber } from "../../src/toolkit/run/scrub.ts";
import type { ToolResult } from "../../src/toolkit/tool-result.ts";
import { seededRandom } from "../faults/plan.ts";
import { createTestClock } from "../support/clock.ts";
import { RandomMcpServer } from "../support/random-mcp-server.ts";
import { testContext } from "../toolkit/context.ts";

const CONVERSATIONS = 60;
const TURNS = 12;
const MINUTE_MS = 60_000;
/** Longer than a list of tools, or the fact that there is none, is believed. */
const LIST_LIFE_MS = 11 * MINUTE_MS;
const CALL_LIMIT_MS = 5 * MINUTE_MS;
/** More than any call needs; one that needs more never ends. */
const MAX_MOVES = 4000;
/** Streams and responses pass their pieces on in several turns of the event loop. */
const LOOPS_TO_SETTLE = 12;

/** How a result tells the model that the call may have been executed. */
const UNSURE = /unknown/;
const ENDED_EARLY: ReadonlySet<string> = new Set(["aborted", "timeout"]);

/** Holds one conversation. Returns what went wrong, in words. */
async function converse(seed: number): Promise<string[]> {
  const random = seededRandom(seed);
  const server = new RandomMcpServer(random);
  const settle = async () => {
    for (let loop = 0; loop < LOOPS_TO_SETTLE; loop++) await new Promise((resolve) => setImmediate(resolve));
  };
  const clock = createTestClock(Date.UTC(2030, 0, 1), settle);
  const stored = new Map<string, string>();
  const fetch = async (url: string, { signal, ...init }: RequestInit) => {
    const request = new Request(url, init);
    if (random() < 0.2) await new Promise<void>((resolve) => clock.timers.after(Math.floor(random() * 3000), resolve));
    signal?.throwIfAborted();
    return server.fetch(request, signal);
  };
  const beginLife = () =>
    createRemoteTools(
      [{ id: "it", url: "http://127.0.0.1/mcp", headers: {}, tools: null, category: { look: "safe" } }],
      {
        fetch,
        after: clock.timers.after,
        keepAlive: () => {},
        version: "1",
        clock: clock.now,
        scrub: createScrubber(),
        showPictures: () => {},
        log: () => {},
        store: {
          manifest: (id) => stored.get(id) ?? null,
          putManifest: (id, json) => void stored.set(id, json),
        },
      },
      new Set(),
    );
  let readTools = beginLife();
  const found: string[] = [];

  /** Lets time pass until the work is done. */
  const passing = async <Result>(work: Promise<Result>): Promise<Result> => {
    let isDone = false;
    const over = work.finally(() => {
      isDone = true;
    });
    for (let move = 0; move < MAX_MOVES && !isDone; move++) {
      await settle();
      const next = clock.nextAt();
      if (!isDone && next !== null) await clock.advance(Math.max(0, next - clock.now()));
    }
    if (!isDone) throw new Error("a call never ends");
    return over;
  };
  let calls = 0;
  /** Makes calls at the same time, in one turn. */
  const call = async (names: (offered: string[]) => string[], isStopped = false) => {
    const tools = await passing(readTools(new AbortController().signal));
    const runtime = new ToolRuntime(createToolRegistry(tools), {
      after: clock.timers.after,
      clock: clock.now,
      random: () => 0.5,
    });
    const stop = new AbortController();
    const made = names(tools.map(({ name }) => name)).map((name) => ({ name, note: `note ${++calls};` }));
    const results = passing(
      Promise.all(
        made.map(({ name, note }) =>
          runtime.execute(
            { name, arguments: JSON.stringify({ note }) },
            testContext({ signal: stop.signal }),
            CALL_LIMIT_MS,
          ),
        ),
      ),
    );
    await settle();
    if (isStopped) stop.abort();
    for (const [index, result] of (await results).entries()) {
      const { name = "", note = "" } = made[index] ?? {};
      const fault = findFault(name, note, server.executed.get(note) ?? 0, result);
      if (fault) found.push(`${fault}: ${name} ${JSON.stringify(result)}`);
    }
    return results;
  };

  for (let turn = 0; turn < TURNS; turn++) {
    const chance = random();
    if (chance < 0.12) server.forget();
    else if (chance < 0.18) server.change("era");
    else if (chance < 0.24) server.change("tools");
    else if (chance < 0.32) readTools = beginLife();
    else if (chance < 0.36) await clock.advance(server.pick([1000, MINUTE_MS + 1000, LIST_LIFE_MS]));
    const count = 1 + Math.floor(random() * 3);
    const names = (offered: string[]) =>
      Array.from({ length: count }, () => (offered.length > 0 ? server.pick(offered) : "it_send"));
    await call(names, random() < 0.1);
  }
  server.recover();
  await clock.advance(LIST_LIFE_MS);
  for (const what of ["works again", "has forgotten its sessions", "is used in a new life"]) {
    if (what.includes("sessions")) server.forget();
    if (what.includes("life")) readTools = beginLife();
    const [result] = await call(() => ["it_send"]);
    if (!result?.ok) found.push(`not used although it ${what}: ${JSON.stringify(result)}`);
  }
  return found;
}

/** Returns what is wrong with the result of a call that the server has executed so often, or null. */
function findFault(name: string, note: string, executed: number, result: ToolResult): string | null {
  const text = JSON.stringify(result);
  // The operator has vouched for `look`, so it may run again.
  if (executed > 1 && name !== "it_look") return "executed twice";
  if (result.ok) return executed > 0 && text.includes(note) ? null : "the result of another call";
  const isTold = UNSURE.test(text) || ENDED_EARLY.has(result.status);
  return executed === 0 || isTold || name === "it_look" ? null : "executed, and reported as if it was not";
}

it("no call is executed twice or reported wrongly, and a server that works again is used again", async () => {
  const found: string[] = [];
  for (let seed = 1; seed <= CONVERSATIONS; seed++)
    found.push(...(await converse(seed)).map((fault) => `conversation ${seed}: ${fault}`));
  expect(found).toEqual([]);
});
