// The gateway's only socket: how it opens and ends, and that nothing is heard from one that was given up.
import { describe, expect, it } from "vitest";
import { upgradeBy } from "../../../durable-objects/gateway/composition-root.ts";
import { Line, type Upgrade, type Wire } from "../../../durable-objects/gateway/line.ts";
import { createTestClock } from "../../support/clock.ts";

/** A socket whose events the test makes. */
class ScriptedWire implements Wire {
  readonly did: string[] = [];
  readonly #listeners: [string, (event: never) => void][] = [];
  isBroken = false;

  accept(): void {
    this.did.push("accept");
  }
  send(text: string): void {
    if (this.isBroken) throw new TypeError("closed");
    this.did.push(text);
  }
  close(code?: number): void {
    this.did.push(`close ${code ?? "without a code"}`);
    if (this.isBroken) throw new TypeError("closed");
  }
  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.push([type, listener]);
  }
  fire(type: string, event: object = {}): void {
    for (const [of, listener] of this.#listeners) if (of === type) listener(event as never);
  }
}

function world() {
  const clock = createTestClock(0);
  const asked: {
    url: string;
    signal: AbortSignal;
    answer: PromiseWithResolvers<{ wire: Wire | null; status: number }>;
  }[] = [];
  const upgrade: Upgrade = (url, signal) => {
    const answer = Promise.withResolvers<{ wire: Wire | null; status: number }>();
    asked.push({ url, signal, answer });
    return answer.promise;
  };
  const heard: unknown[] = [];
  const line = new Line(upgrade, clock.timers, {
    opened: (generation) => heard.push(["opened", generation]),
    text: (generation, text) => heard.push(["text", generation, text]),
    closed: (generation, code) => heard.push(["closed", generation, code]),
    failed: (generation, status) => heard.push(["failed", generation, status]),
  });
  const open = async (generation: number) => {
    line.open(generation, "wss://gateway.test");
    const wire = new ScriptedWire();
    asked.at(-1)?.answer.resolve({ wire, status: 101 });
    await clock.advance(0);
    return wire;
  };
  return { clock, asked, heard, line, open };
}

describe("a socket", () => {
  it("is accepted once the session knows about it, and its text frames are passed on; other frames count as unreadable", async () => {
    const { heard, open, line } = world();
    const wire = await open(1);
    wire.fire("message", { data: "one" });
    wire.fire("message", { data: new ArrayBuffer(1) });
    line.send(1, "two");
    line.send(0, "of an older one");
    expect(heard).toEqual([
      ["opened", 1],
      ["text", 1, "one"],
      ["text", 1, null],
    ]);
    expect(wire.did).toEqual(["accept", "two"]);
  });

  it("is dropped when it is given up, closed and aborted a second later, and no longer heard", async () => {
    const { heard, open, line, asked, clock } = world();
    const wire = await open(1);
    line.hangUp(4000);
    wire.fire("message", { data: "late" });
    wire.fire("close", { code: 4004 });
    wire.fire("error");
    line.send(1, "late");
    await clock.advance(999);
    expect([wire.did, asked[0]?.signal.aborted]).toEqual([["accept", "close 4000"], false]);
    await clock.advance(1);
    expect([heard, asked[0]?.signal.aborted, clock.pending()]).toEqual([[["opened", 1]], true, 0]);
  });

  it("is closed when another is opened: there are never two", async () => {
    const { open, heard } = world();
    const first = await open(1);
    await open(2);
    first.fire("message", { data: "late" });
    expect([first.did.at(-1), heard]).toEqual([
      "close 4000",
      [
        ["opened", 1],
        ["opened", 2],
      ],
    ]);
  });

  it("answers a close and reports its code once", async () => {
    const { open, heard } = world();
    const wire = await open(1);
    wire.fire("close", { code: 1006 });
    wire.fire("error");
    expect([heard, wire.did]).toEqual([
      [
        ["opened", 1],
        ["closed", 1, 1006],
      ],
      ["accept", "close without a code"],
    ]);
  });

  it.each(["send", "error"])("that breaks (%s) is reported as failed once", async (how) => {
    const { open, heard, line, asked, clock } = world();
    const wire = await open(1);
    wire.isBroken = true;
    if (how === "send") line.send(1, "one");
    else wire.fire("error");
    await clock.advance(0);
    wire.fire("close", { code: 1006 });
    expect([heard, asked[0]?.signal.aborted]).toEqual([
      [
        ["opened", 1],
        ["failed", 1, null],
      ],
      true,
    ]);
  });

  it("reports the status if it is refused or can't be reached", async () => {
    const { line, asked, heard, clock } = world();
    line.open(1, "wss://gateway.test");
    asked[0]?.answer.resolve({ wire: null, status: 429 });
    await clock.advance(0);
    line.open(2, "wss://gateway.test");
    asked[1]?.answer.reject(new Error("Network connection lost."));
    await clock.advance(0);
    expect(heard).toEqual([
      ["failed", 1, 429],
      ["failed", 2, null],
    ]);
  });

  it("is closed at once if it opens after it was given up", async () => {
    const { line, asked, heard, clock } = world();
    line.open(1, "wss://gateway.test");
    line.hangUp(4000);
    expect(asked[0]?.signal.aborted).toBe(true);
    const wire = new ScriptedWire();
    asked[0]?.answer.resolve({ wire, status: 101 });
    await clock.advance(0);
    expect([wire.did, heard]).toEqual([["accept", "close 4000"], []]);
  });
});

it("the upgrade is an ordinary request, because workerd has no other way that can be aborted", async () => {
  const asked: unknown[] = [];
  const upgrade = upgradeBy(async (url, init) => {
    asked.push([url, new Headers(init?.headers).get("upgrade")]);
    return new Response("no", { status: 502 });
  });
  const { signal } = new AbortController();
  expect(await upgrade("wss://gateway.discord.gg/?v=10&encoding=json", signal)).toEqual({ wire: null, status: 502 });
  await upgrade("ws://127.0.0.1:1/gateway", signal);
  expect(asked).toEqual([
    ["https://gateway.discord.gg/?v=10&encoding=json", "websocket"],
    ["http://127.0.0.1:1/gateway", "websocket"],
  ]);
});
