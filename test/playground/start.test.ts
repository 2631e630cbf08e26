// The playground's own small parts, each separately: the command line, the log, the derived configuration, the stream of states,
// the served handler.
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { deriveConfig } from "../../src/playground/derive.ts";
import { keepLog, lastLines } from "../../src/playground/log.ts";
import { readPort } from "../../src/playground/port.ts";
import { untilReady } from "../../src/playground/ready.ts";
import { serve } from "../../src/playground/serve.ts";
import { snapshots } from "../../src/playground/snapshots.ts";
import { readArguments } from "../../src/scripts/arguments.ts";

describe("a command line", () => {
  const flags = { port: { type: "string", default: "1" }, verbose: { type: "boolean" } } as const;
  const read = (...args: string[]) => readArguments(args, "Usage: x", flags);

  it("gives the values of its flags", () => {
    expect(read("--verbose", "--port=7")).toMatchObject({ values: { port: "7", verbose: true } });
    expect(readArguments(["a", "b"], "Usage: x", flags, { words: true })).toMatchObject({ positionals: ["a", "b"] });
  });

  it.each([
    [["--help"], { code: 0, text: "Usage: x\n" }],
    [["--port", "7", "-h"], { code: 0, text: "Usage: x\n" }],
    [["--prot", "7"], { code: 2, text: "Unknown option --prot.\nUsage: x\n" }],
    [["-p"], { code: 2, text: "Unknown option -p.\nUsage: x\n" }],
    [["--port"], { code: 2, text: "--port needs a value.\nUsage: x\n" }],
    [["--port", "--verbose"], { code: 2, text: "--port needs a value.\nUsage: x\n" }],
    [["--verbose=yes"], { code: 2, text: "Option --verbose does not take an argument.\nUsage: x\n" }],
    [["9000"], { code: 2, text: "Unexpected argument 9000.\nUsage: x\n" }],
  ])("%j is answered with a text instead of a run", (args, instead) => {
    expect(read(...args)).toEqual({ instead });
  });

  it("is refused if npm took a flag as its own because no -- came before it", () => {
    const text = "npm took --port for one of its own options. Write -- before the options.\nUsage: x\n";
    const env = { npm_config_port: "true" };
    expect(readArguments(["9000"], "Usage: x", flags, { env })).toEqual({ instead: { code: 2, text } });
    expect(readArguments([], "Usage: x", flags, { env: { npm_config_cache: "/a" } })).toMatchObject({ values: {} });
  });

  it("has ports from 1 to 65535, in digits", () => {
    expect(["1", "65535", "0", "65536", "-1", "1e3", " 80", "", "80.5"].map(readPort)).toEqual([
      1,
      65_535,
      ...Array(7).fill(null),
    ]);
  });
});

describe("the log of the Workers", () => {
  it("returns its last lines when a Worker fails, each once, and nothing while all is well", () => {
    const log = keepLog();
    const reports: string[] = [];
    log.add("[wrangler:error] Error: before anyone listens\n");
    log.onCrash((lines) => reports.push(lines));
    log.add("[wrangler:info] GET /health 200 OK (1ms)\n");
    log.add("✘ [ERROR] { event: 'failure' }\n");
    log.add("✘ [ERROR] Uncaught exception: remote.jsg.Error: The local model's stream was cut on purpose.\n");
    expect(reports).toEqual([]);
    log.add("[wrangler:error] Error: boom\n    at fetch (root.js:3:44)\n");
    log.add("[wrangler:warn] The Workers runtime crashed unexpectedly and is being restarted (crash #1).\n");
    expect(reports).toEqual([
      "[wrangler:info] GET /health 200 OK (1ms)\n✘ [ERROR] { event: 'failure' }\n" +
        "✘ [ERROR] Uncaught exception: remote.jsg.Error: The local model's stream was cut on purpose.\n" +
        "[wrangler:error] Error: boom\n    at fetch (root.js:3:44)",
      "[wrangler:warn] The Workers runtime crashed unexpectedly and is being restarted (crash #1).",
    ]);
    expect(log.all()).toContain("before anyone listens");
  });

  it("ends with no more lines than fit on a screen", () => {
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n}`);
    expect(lastLines(`${lines.join("\n")}\n\n`)).toBe(lines.slice(70).join("\n"));
  });
});

describe("a derived configuration", () => {
  const text = 'name = "parley"\nmain = "src/index.ts"\n\n[assets]\ndirectory = "page"\n';

  it("keeps the settings, adjusts the paths and passes any variable on unchanged", () => {
    const derived = deriveConfig(text, (path) => `../../${path}`, { MODELS: '[{"id": "a"}]', LINES: "a\nb" });
    expect(derived).toBe(
      'name = "parley"\nmain = "../../src/index.ts"\n\n[assets]\ndirectory = "../../page"\n\n' +
        '[vars]\nMODELS = "[{\\"id\\": \\"a\\"}]"\nLINES = "a\\nb"\n',
    );
  });

  it("leaves out cron triggers, about which wrangler would only warn", () => {
    const derived = deriveConfig(
      `${text}\n[triggers]\ncrons = ["*/5 * * * *"]\n\n# More.\n[limits]\ncpu_ms = 5\n`,
      String,
      {},
    );
    expect(derived).toBe(`${text}\n[limits]\ncpu_ms = 5\n\n[vars]\n\n`);
  });

  it("refuses a configuration whose variables would collide with the added ones", () => {
    expect(() => deriveConfig(`${text}\n[vars]\nA = "1"\n`, String, {})).toThrow("[vars]");
  });
});

describe("a stream of states", () => {
  it("sends the first at once, joins changes that come together, and never sends the same state twice", async () => {
    let state = 0;
    let changed = () => {};
    let stopped = false;
    const naps: (() => void)[] = [];
    const stream = snapshots({
      read: () => String(state),
      onChange: (listener) => {
        changed = listener;
        return () => {
          stopped = true;
        };
      },
      sleep: () => new Promise((wake) => naps.push(wake)),
    });
    expect((await stream.next()).value).toBe("data: 0\n\n");
    const second = stream.next();
    changed();
    state = 1;
    state = 2;
    await untilAsleep(naps, 2);
    expect((await second).value).toBe("data: 2\n\n");
    const third = stream.next();
    changed();
    await untilAsleep(naps, 2);
    state = 3;
    changed();
    await untilAsleep(naps, 2);
    expect((await third).value).toBe("data: 3\n\n");
    await stream.return();
    expect(stopped).toBe(true);
  });
});

/** Lets the stream run until it has gone to sleep `count` times, then wakes it from all of them. */
async function untilAsleep(naps: (() => void)[], count: number): Promise<void> {
  for (let turn = 0; naps.length < count && turn < 100; turn++) await Promise.resolve();
  expect(naps).toHaveLength(count);
  for (const wake of naps.splice(0)) wake();
}

describe("a served handler", () => {
  it("gets method, headers and body, and its status, headers and body arrive", async () => {
    const served = await serve(async (request) => {
      const { pathname, search } = new URL(request.url);
      const body = { seen: `${request.method} ${pathname}${search} ${await request.text()}` };
      return Response.json(body, { status: 201, headers: { "x-answer": request.headers.get("x-ask") ?? "" } });
    });
    const response = await fetch(`${served.url}/a?b=1`, { method: "POST", body: "naïve", headers: { "x-ask": "yes" } });
    expect([response.status, response.headers.get("x-answer"), await response.json()]).toEqual([
      201,
      "yes",
      { seen: "POST /a?b=1 naïve" },
    ]);
    await served.close();
  });

  it.each([
    ["while it streams", () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1)) }))],
    ["before it answers", () => new Promise<Response>(() => {})],
  ])("notices that its client left %s", async (_, respond) => {
    const arrived = Promise.withResolvers<Request>();
    const served = await serve((request) => {
      arrived.resolve(request);
      return respond();
    });
    const client = new AbortController();
    const answered = fetch(served.url, { signal: client.signal }).then((response) => response.text());
    const { signal } = await arrived.promise;
    const gone = once(signal, "abort");
    client.abort();
    await Promise.all([expect(answered).rejects.toThrow("abort"), gone]);
    expect(signal.aborted).toBe(true);
    await served.close();
  });

  it("that throws answers 500 with the reason, and the next request is served", async () => {
    let calls = 0;
    const served = await serve(() => {
      calls += 1;
      if (calls === 1) throw new Error("broken");
      return new Response("fine");
    });
    const first = await fetch(served.url);
    expect([first.status, await first.text(), await (await fetch(served.url)).text()]).toEqual([
      500,
      "Error: broken",
      "fine",
    ]);
    await served.close();
  });
});

it("a start whose Worker does not build ends only after wrangler has said why", async () => {
  const said = ["", "[ERROR] Build failed with 1 error:\n", "", '  [ERROR] Could not resolve "./absent.ts"\n'];
  let heard = "";
  const logs = () => {
    heard += said.shift() ?? "";
    return heard;
  };
  // Nothing listens on port 1.
  const failure = await untilReady({ url: "http://127.0.0.1:1", ended: new Promise(() => {}), logs });
  expect(failure).toBe("A Worker could not be built.");
  expect(heard).toContain("absent.ts");
});
