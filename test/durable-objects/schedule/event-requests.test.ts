import { describe, expect, it } from "vitest";
import { EventRequests } from "../../../durable-objects/schedule/event-requests.ts";
import { HEARTBEAT_MS, MIN_ALARM_DELAY_MS } from "../../../src/core/limits.ts";
import { type CountedBy, RequestLimit } from "../../support/request-limit.ts";
import { readSource, withoutComments } from "../../support/source-tree.ts";

const NOW = 1_000_000;

/** One object: what it sent, in order, and the alarms that it asked for. */
function object(perEvent: number, countedBy: CountedBy = "newest") {
  const limit = new RequestLimit(perEvent, countedBy);
  const sent: string[] = [];
  const alarms: number[] = [];
  const warnings: string[] = [];
  const requests = new EventRequests({
    clock: () => NOW,
    log: { warn: (line, detail) => void warnings.push(`${line} ${JSON.stringify(detail)}`) },
    wakeAt: (at) => void alarms.push(at - NOW),
  });
  const fetch = requests.guard(async (url: string, _init?: RequestInit) => {
    limit.pass();
    sent.push(url);
    return new Response(url);
  });
  const begin = (by: "call" | "alarm") => limit.event(() => requests.begin(by));
  const send = async (names: string) => {
    const answers = await Promise.all(names.split("").map((name) => fetch(name)));
    return (await Promise.all(answers.map((answer) => answer.text()))).join("");
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  begin("call");
  return { requests, limit, sent, alarms, warnings, fetch, begin, send, settle };
}

describe("a request that the platform refuses", () => {
  it("waits for the next event, which the alarm brings at once, and is sent from there", async () => {
    const { send, sent, alarms, begin, requests, settle, warnings } = object(2);
    await send("ab");
    const answers = send("c");
    await settle();
    expect([sent.join(""), alarms, requests.wantedAt]).toEqual(["ab", [MIN_ALARM_DELAY_MS], NOW + MIN_ALARM_DELAY_MS]);
    begin("alarm");
    expect([await answers, sent.join(""), alarms.length, requests.wantedAt]).toEqual(["c", "abc", 1, null]);
    expect(warnings).toEqual(['this event can send no more requests {"sent":2}']);
  });

  it("waits for as many events as it takes, and is sent once", async () => {
    const { send, sent, begin, settle, limit } = object(1);
    const answers = send("abcd");
    for (let events = 0; events < 3; events++) {
      await settle();
      begin("alarm");
    }
    expect([await answers, sent.join(""), limit.most]).toEqual(["abcd", "abcd", 1]);
  });

  it("is not followed by another try in the same event", async () => {
    const { send, begin, settle, limit } = object(1);
    const first = send("ab");
    await settle();
    const second = send("cd");
    await settle();
    expect(limit.refused).toBe(1);
    for (let events = 0; events < 3; events++) {
      begin("call");
      await settle();
    }
    expect(await Promise.all([first, second])).toEqual(["ab", "cd"]);
  });

  it("is sent at once if the refusal is noticed after the next event has begun", async () => {
    const { begin, alarms, requests } = object(50);
    const refusal = Promise.withResolvers<Response>();
    const tries: Promise<Response>[] = [refusal.promise, Promise.resolve(new Response("late"))];
    const fetch = requests.guard((_url: string) => tries.shift() ?? Promise.reject(new Error("a third try")));
    const answer = fetch("a");
    begin("alarm");
    refusal.reject(new Error("Too many subrequests by single Worker invocation."));
    expect(await (await answer).text()).toBe("late");
    expect([alarms, requests.isReserved]).toEqual([[], false]);
  });

  it("is sent from within the alarm, so that it counts there even if work counted toward the event in which it began", async () => {
    const { send, begin, settle, limit } = object(3, "own");
    const answers = send("abcdef");
    await settle();
    begin("alarm");
    expect([await answers, limit.most]).toEqual(["abcdef", 3]);
  });

  it("is retried at the heartbeat's pace if three events in a row allow nothing", async () => {
    const { send, begin, settle, alarms } = object(0);
    void send("a");
    for (let events = 0; events < 4; events++) {
      await settle();
      begin("alarm");
    }
    await settle();
    const soon = MIN_ALARM_DELAY_MS;
    expect(alarms).toEqual([soon, soon, soon, HEARTBEAT_MS, HEARTBEAT_MS]);
  });

  it("ends with its signal's reason", async () => {
    const { fetch, begin, sent, settle } = object(0);
    const ended = new AbortController();
    const waiting = fetch("a", { signal: ended.signal });
    await settle();
    ended.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    await expect(fetch("b", { signal: ended.signal })).rejects.toThrow("stopped");
    begin("alarm");
    expect(sent).toEqual([]);
  });

  it("is distinguished from every other failure, which its caller gets", async () => {
    const { requests, alarms } = object(5);
    const fetch = requests.guard(async (_url: string) => {
      throw new TypeError("fetch failed");
    });
    await expect(fetch("a")).rejects.toThrow("fetch failed");
    expect(alarms).toEqual([]);
  });
});

describe("what an event may send", () => {
  const forty = "x".repeat(42);

  it("is kept for endings once 42 requests have been sent, and is renewed by any event", async () => {
    const { requests, send, begin } = object(50);
    await send(forty.slice(1));
    expect(requests.isReserved).toBe(false);
    await send("x");
    expect(requests.isReserved).toBe(true);
    const { renewals } = requests;
    begin("alarm");
    expect([requests.isReserved, requests.renewals]).toEqual([false, renewals + 1]);
  });

  it("is not renewed by alarms if a request was refused before the fiftieth since the last alarm", async () => {
    const { requests, limit, send, begin, settle } = object(50, "own");
    let goOn = () => {};
    const waits = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    // All of this counts toward the call in which it began.
    const turn = limit.event(async () => {
      requests.begin("call");
      await send(forty);
      await waits;
      return send("123456789");
    });
    begin("alarm");
    expect(requests.isReserved).toBe(false);
    goOn();
    await settle();
    begin("alarm");
    expect(await turn).toBe("123456789");
    const { renewals } = requests;
    begin("alarm");
    expect(requests.renewals).toBe(renewals);
    begin("call");
    expect(requests.renewals).toBe(renewals + 1);
  });

  it.each([51, 55])("is still renewed by alarms if the fiftieth of %i was the last", async (asked) => {
    const { requests, send, begin, settle } = object(50);
    const answers = send("x".repeat(asked));
    await settle();
    const { renewals } = requests;
    begin("alarm");
    await answers;
    expect([requests.renewals, requests.isReserved]).toEqual([renewals + 1, false]);
  });
});

it("counts everything that the channel's object sends: no port gets a fetch of its own", () => {
  const root = withoutComments(readSource("durable-objects/composition-root.ts"));
  const lines = root.split("\n").filter((line) => line.includes("outside.fetch"));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !line.includes("requests.guard("))).toEqual([]);
});
