// `npm run trace`: what it prints, and what it says if there is nothing to print.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { displayWidth } from "../../src/core/markdown/display-width.ts";
import { buildWaterfall } from "../../src/inspector/waterfall.ts";
import { traceLines } from "../../src/trace/text-trace.ts";
import { trace } from "../../src/trace/trace.ts";
import { CHANNEL, finishedTurn, privateTurn, runningTurn, TURN } from "../support/inspected.ts";
import { INSPECT_TOKEN, type InspectorServer, serveInspector } from "../support/inspector-server.ts";

let server: InspectorServer;
beforeAll(async () => {
  server = await serveInspector();
});
afterAll(() => server.close());

/** Runs the command with the owner's token, or another. */
async function run(args: readonly string[], token: string | undefined = INSPECT_TOKEN, send = fetch, columns = 110) {
  const written = { out: "", aside: "" };
  const code = await trace(args, {
    fetch: (url, init) => send(url, init),
    out: (text) => {
      written.out += text;
    },
    aside: (text) => {
      written.aside += text;
    },
    ...{ token, columns },
  });
  return { code, ...written };
}

describe("the lines of a trace", () => {
  const lines = traceLines(finishedTurn, 110);
  const lane = (label: string) => lines.find((line) => line.startsWith(label)) ?? "";

  it("have a lane for each thing that took time, to scale", () => {
    const track = 110 - 30 - 12 - 2;
    const count = (line: string, letter: string) => line.slice(31, 31 + track).split(letter).length - 1;
    expect(Math.abs(count(lane("In the queue"), "·") - (track * 4200) / 61_900)).toBeLessThan(1.5);
    expect(Math.abs(count(lane("gpt-5 call 3"), "█") - (track * 19_900) / 61_900)).toBeLessThan(1.5);
    expect(lane("web_search")).toMatch(/x+·+█+ +15\.2 s$/);
    expect(lane("Taken over by a new life")).toMatch(/◆ +\+30\.8 s$/);
  });

  it("say what was tried again, asked and answered", () => {
    expect(lines).toContain("    rate limited; tried again after 2.40 s");
    expect(lines).toContain('    Arguments: {"query":"parrots lighthouse"}');
    expect(lines).toContain("    failed after 4.10 s, next try 2.00 s later: the server answered with status 503");
    expect(lines).toContain("#40 Theo         What is the old lighthouse called?");
  });

  it("show the waits of a call that failed each time, as the page does", () => {
    const retry = { reason: "overloaded", waitMs: 4000 } as const;
    const at = finishedTurn.createdAt;
    const calls = finishedTurn.modelCalls.slice(0, 1).map((call) => ({
      ...call,
      ...{ at, ms: 10_000, firstMs: null, outcome: "failed" as const, reason: "overloaded" },
      retries: [
        { ...retry, at: at + 1000 },
        { ...retry, at: at + 5500 },
      ],
    }));
    const shown = traceLines({ ...finishedTurn, modelCalls: calls }, 200).find((line) => line.includes("overloaded"));
    expect(shown?.slice(31).trim()).toMatch(/^x+·+x+·+x+ +10\.0 s$/);
  });

  it("end the wait of a call that was stopped with the call", () => {
    const at = finishedTurn.createdAt;
    const calls = finishedTurn.modelCalls.slice(0, 1).map((call) => ({
      ...call,
      ...{ at, ms: 10_000, firstMs: null, outcome: "failed" as const },
      retries: [{ reason: "overloaded" as const, at: at + 1000, waitMs: 60_000 }],
    }));
    const turn = { ...finishedTurn, modelCalls: calls };
    const bars = buildWaterfall(turn).lanes.find(({ id }) => id === "model-0")?.bars;
    expect(Math.max(...(bars ?? []).map(({ to }) => to))).toBe(at + 10_000);
  });

  it("are never wider than the terminal, and stay aligned if letters are wide", () => {
    const wide = "灯台のオウム🦜".repeat(9);
    const calls = finishedTurn.toolCallList.map((call) => ({ ...call, tool: wide }));
    const turn = { ...finishedTurn, question: wide, thoughts: wide.repeat(50), toolCallList: calls };
    for (const columns of [64, 80, 200])
      for (const line of traceLines(turn, columns)) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    const ends = traceLines(turn, 100).filter((line) => / (\d+ ms|[\d.]+ s)$/.test(line) && /[█▒x·]/.test(line));
    expect(new Set(ends.map(displayWidth))).toEqual(new Set([100]));
  });

  it("leave out what a terminal would act upon", () => {
    const words = "\u001b[2J\u0007\u202ea\r\nb\0\u009b31m";
    const rows = finishedTurn.rows.map((row) => ({ ...row, calls: [words] }));
    const turn = { ...finishedTurn, rows, question: words, userName: words, thoughts: words, model: words };
    const text = traceLines(turn, 100).join("\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(text).toContain("a b");
  });

  it("have no words of a private turn, and show the progress of a running one", () => {
    expect(traceLines(privateTurn, 110).join("\n")).not.toMatch(/parrot|lighthouse|Mira|Theo/);
    expect(traceLines(runningTurn, 110).find((line) => line.includes("call 2"))).toMatch(/3\.00 s…$/);
  });
});

describe("the command", () => {
  it("finds a turn by its id, by its channel and id, and by the address of its page", async () => {
    const ways = [
      [server.url, TURN],
      [`${server.url}/`, `${CHANNEL}/${TURN}`],
      [`${server.url}/inspect/channels/${CHANNEL}/turns/${TURN}`],
      [`${server.url}/inspect/channels/${CHANNEL}/turns/${TURN}.json`],
      [`${server.url}/inspect/turn/${CHANNEL}/${TURN}`],
      [`${server.url}/inspect/turn/${TURN}.json`],
    ];
    for (const args of ways) {
      const { code, out, aside } = await run(args);
      expect([code, out.split("\n")[0], aside]).toEqual([0, `Turn ${TURN}`, ""]);
    }
  });

  it("assumes 120 columns if a terminal does not know its width and reports 0", async () => {
    const usual = await run([server.url, TURN], INSPECT_TOKEN, fetch, 120);
    expect(await run([server.url, TURN], INSPECT_TOKEN, fetch, 0)).toEqual(usual);
  });

  it("says what is wrong: the usage, the address, the token, the turn", async () => {
    const cases: [string[], string | undefined, number, RegExp][] = [
      [[], undefined, 2, /^The address and the turn are missing\. Write both\.\nUsage/],
      [
        ["https://a.example", "1", "2"],
        INSPECT_TOKEN,
        2,
        /^There is more than an address and a turn\. Remove the rest\.\nUsage/,
      ],
      [["https://a.example"], INSPECT_TOKEN, 2, /^The turn is missing\. Write it after the address\.\nUsage/],
      [["parley", TURN], INSPECT_TOKEN, 2, /^parley is not an address/],
      [["file:///etc", TURN], INSPECT_TOKEN, 2, /is not an address/],
      [[server.url, TURN], "", 2, /^INSPECT_TOKEN is not set/],
      [[server.url, TURN], "another token", 1, /^The bot has a different INSPECT_TOKEN/],
      [[server.url, "5"], INSPECT_TOKEN, 1, /^There is no turn 5/],
      [["http://127.0.0.1:1", TURN], INSPECT_TOKEN, 1, /^http:\/\/127\.0\.0\.1:1 can't be reached: /],
    ];
    for (const [args, token, code, words] of cases) {
      const ran = await run(args, token);
      expect([args, ran.code, ran.aside]).toEqual([args, code, expect.stringMatching(words)]);
      expect(ran.out).toBe("");
    }
    const open = (async (_, init) =>
      "Authorization" in (init?.headers ?? {}) ? new Response() : Response.json(finishedTurn)) as typeof fetch;
    expect((await run([server.url, TURN], "", open)).code).toBe(0);
    expect((await run(["--help"])).out).toMatch(/^Usage/);
  });

  it("says that there is no inspector if something else answers", async () => {
    const answers = [
      new Response("404 Not Found", { status: 404 }),
      new Response("<html>"),
      Response.json({ ok: true }),
      Response.json({ modelCalls: [], rows: null }),
    ];
    for (const answer of answers) {
      const { code, aside } = await run(["https://a.example", TURN], INSPECT_TOKEN, async () => answer);
      expect([code, aside]).toEqual([1, expect.stringMatching(/^There is no inspector at https:\/\/a\.example\./)]);
    }
    const limited = await run(["https://a.example", TURN], INSPECT_TOKEN, async () =>
      Response.json({}, { status: 429 }),
    );
    expect(limited.aside).toMatch(/^Too many tries/);
  });
});

it.each(["a-token-in\ntwo-lines", "a-token-with-\u2026"])(
  "doesn't send a token that no request can have, and does not print %j",
  async (token) => {
    const sent: string[] = [];
    const send = (async (url: string) => {
      sent.push(url);
      throw new TypeError(`Headers.append: "Bearer ${token}" is an invalid header value.`);
    }) as typeof fetch;
    const { code, out, aside } = await run([server.url, TURN], token, send);
    expect([code, out, sent]).toEqual([2, "", []]);
    expect(aside).toContain("INSPECT_TOKEN has a character");
    expect(aside).not.toContain("a-token");
  },
);
