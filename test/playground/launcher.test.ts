// What the process around the Workers can do: kill and restart them, serve their log, and sign in at the inspector.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { openDesk } from "../../src/playground/desk.ts";
import { openInspector } from "../../src/playground/inspector.ts";
import { keepLines } from "../../src/playground/live-log.ts";
import type { Served } from "../../src/playground/serve.ts";
import { readWorkersLine } from "../../src/playground/workers-line.ts";
import { runWorkers, type WorkersProcess } from "../../src/playground/workers-process.ts";

describe("the process of the Workers", () => {
  let workers: WorkersProcess | undefined;
  afterEach(() => workers?.stop());
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const begin = () =>
    spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });

  it("is replaced after a kill, which doesn't count as its end", async () => {
    const lives: number[] = [];
    workers = runWorkers(() => {
      const child = begin();
      lives.push(child.pid ?? 0);
      return child;
    });
    let hasEnded = false;
    void workers.ended.then(() => {
      hasEnded = true;
    });
    await Promise.all([workers.killNine(), workers.killNine()]);
    expect(lives).toHaveLength(2);
    expect([lives.map(isAlive), workers.pid(), hasEnded]).toEqual([[false, true], lives[1], false]);
    await workers.stop();
    await workers.ended;
    expect(lives.map(isAlive)).toEqual([false, false]);
    await workers.killNine();
    expect(lives).toHaveLength(2);
  });

  it("is killed with the process that started it, which could end nothing itself", async () => {
    const source = `const { runWorkers } = await import(process.argv[1]);
      const { spawn } = await import("node:child_process");
      const run = [process.execPath, ["-e", "setInterval(() => {}, 1000)"]];
      const workers = runWorkers(() => spawn(...run, { detached: true, stdio: ["ignore", "inherit", "ignore"] }));
      console.log(String(workers.pid()));`;
    const path = join(import.meta.dirname, "../../src/playground/workers-process.ts");
    const starter = spawn(process.execPath, ["--input-type=module", "-e", source, path]);
    const pid = Number(await once(starter.stdout, "data").then(String));
    onTestFinished(() => void (isAlive(pid) && process.kill(pid, "SIGKILL")));
    expect(isAlive(pid)).toBe(true);
    starter.kill("SIGKILL");
    // Both write to it, so it ends with the second of them.
    await once(starter.stdout, "close");
  });

  it("has ended if it ends by itself", async () => {
    workers = runWorkers(() => spawn(process.execPath, ["-e", ""], { detached: true, stdio: "ignore" }));
    await expect(workers.ended).resolves.toBeUndefined();
  });
});

describe("the desk", () => {
  let desk: Served | undefined;
  afterEach(() => desk?.close());

  it("opens only with its token, streams the log from a given line, and kills", async () => {
    const log = keepLines(() => 0);
    log.add("info", "one");
    log.add("warn", "two");
    let kill = () => {};
    const killed = new Promise<void>((done) => {
      kill = done;
    });
    desk = await openDesk({ token: "t", log, killNine: async () => kill() });
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${desk?.url}${path}`, { headers: { authorization: "Bearer t" }, ...init });
    const closed = await Promise.all([
      ask("/launcher/log", { headers: {} }),
      ask("/launcher/kill", { method: "POST", headers: { authorization: "Bearer u" } }),
      ask("/launcher/kill"),
      ask("/launcher/other"),
    ]);
    expect(closed.map(({ status }) => status)).toEqual([403, 403, 404, 404]);
    const reader = (await ask("/launcher/log?after=1")).body?.getReader();
    let text = "";
    while (!text.includes("two")) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    expect(text).toContain('id: 2\ndata: {"at":0,"level":"warn","text":"two"}');
    expect(text).not.toContain("one");
    expect(await (await ask("/launcher/kill", { method: "POST" })).json()).toEqual({ ok: true });
    await killed;
  });
});

describe("a line of the Workers", () => {
  it.each([
    ['[parley] {"level":"info","line":"a"}', { level: "info", text: '{"level":"info","line":"a"}' }],
    ['▲ [WARNING] {"level":"warn","line":"a"}', { level: "warn", text: '{"level":"warn","line":"a"}' }],
    [
      "\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[0m] Uncaught Error: b",
      { level: "error", text: "Uncaught Error: b" },
    ],
    ["[wrangler:info] GET /health 200 OK (1ms)", { level: "request", text: "GET /health 200 OK (1ms)" }],
    ["[wrangler:info] GET /local/state 200 OK (1ms)", null],
    ["   ", null],
    ["⎔ Starting local server...", { level: "info", text: "⎔ Starting local server..." }],
  ])("%j is read with its level", (output, line) => {
    expect(readWorkersLine(output)).toEqual(line);
  });
});

describe("the inspector's door", () => {
  /** An inspector that opens for a cookie, and gives one for the form with the token. */
  function newInspector() {
    const asked: string[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      asked.push(`${request.method} ${pathname}`);
      if (request.method === "POST" && (await request.text()) === "token=secret") {
        const headers = { "set-cookie": "c=1; Path=/inspect; Secure; HttpOnly", location: "/inspect" };
        return new Response(null, { status: 303, headers });
      }
      return new Response(request.headers.get("cookie") === "c=1" ? "open" : "a form");
    };
    return { asked, PARLEY: { fetch } };
  }
  const page = () => new Request("http://127.0.0.1/inspect/turn/1/2");

  it("is opened once for all pages, and again half a day later", async () => {
    const { asked, PARLEY } = newInspector();
    let now = 0;
    const ask = openInspector(() => now);
    for (const at of [0, 1, 12 * 3_600_000 + 1]) {
      now = at;
      expect(await (await ask(page(), { PARLEY, INSPECT_TOKEN: "secret" })).text()).toBe("open");
    }
    const [signIn, look] = ["POST /inspect", "GET /inspect/turn/1/2"];
    expect(asked).toEqual([signIn, look, look, signIn, look]);
  });

  it("stays shut without the token, and if there is no inspector", async () => {
    const { PARLEY } = newInspector();
    const ask = openInspector(() => 0);
    expect(await (await ask(page(), { PARLEY })).text()).toBe("a form");
    const missing = { fetch: async () => new Response(null, { status: 404 }) };
    expect((await ask(page(), { PARLEY: missing, INSPECT_TOKEN: "secret" })).status).toBe(404);
  });
});
