// The live log's page, over real loopback HTTP.
import { afterEach, expect, it } from "vitest";
import { type PageParts, servePage } from "../../src/laptop/page-server.ts";
import { keepLines } from "../../src/playground/live-log.ts";
import type { Served } from "../../src/playground/serve.ts";

let served: Served | null = null;
afterEach(() => served?.close());

const nothing = async () => new Response(null, { status: 403 });
const newLog = () => keepLines(() => 1000);
async function start(parts: Partial<PageParts> = {}): Promise<string> {
  served = await servePage({ applicationId: "42", log: newLog(), model: null, read: nothing, ...parts }, 0);
  return served.url;
}

/** Reads this many events. */
async function readEvents(url: string, count: number, headers: Record<string, string> = {}): Promise<string[]> {
  const left = new AbortController();
  const response = await fetch(`${url}/events`, { headers, signal: left.signal });
  const bytes = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += bytes.decode(chunk, { stream: true });
    if (text.split("data: ").length > count) break;
  }
  left.abort();
  return text.split("\n").filter((line) => /^(id|data): /.test(line));
}

it("is a page without anything from elsewhere, whose script and style exist", async () => {
  const url = await start();
  const page = await fetch(url);
  expect(page.headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  const html = await page.text();
  expect(html).not.toMatch(/https?:|<script>|style=|\son\w+=/);
  expect(html.match(/(?<=href="|src=")[^"]+/g)).toEqual(["style.css", "page.js"]);
  expect((await fetch(`${url}/style.css`)).headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(await (await fetch(`${url}/page.js`)).text()).toContain('new EventSource("events")');
});

it("sends each line once, and what it missed to a browser that comes back", async () => {
  const log = newLog();
  const url = await start({ log });
  log.add("turn", "first");
  expect(await readEvents(url, 1)).toEqual(["id: 1001", 'data: {"at":1000,"level":"turn","text":"first"}']);
  log.add("problem", "second");
  const missed = ["id: 1002", 'data: {"at":1000,"level":"problem","text":"second"}'];
  expect(await readEvents(url, 1, { "last-event-id": "1001" })).toEqual(missed);
});

it("keeps the newest 500 lines", () => {
  const log = newLog();
  for (let n = 1; n <= 600; n++) log.add("turn", String(n));
  expect(log.after(0).map(({ text }) => text)).toEqual(Array.from({ length: 500 }, (_, n) => String(n + 101)));
});

it("answers no other page, no post and no other path", async () => {
  const url = await start();
  const answers = await Promise.all([
    fetch(`${url}/events`, { headers: { origin: "https://example.org" } }),
    fetch(`${url}/application`, { method: "POST" }),
    fetch(`${url}/v1/chat/completions`, { method: "POST" }),
    fetch(`${url}/page.ts`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 405, 405, 404]);
});

it("has the local model with it if one is needed, and says whose page it is", async () => {
  const url = await start({ model: async (request) => new Response(new URL(request.url).pathname) });
  expect(await (await fetch(`${url}/v1/models`)).text()).toBe("/v1/models");
  expect(await (await fetch(`${url}/application`)).json()).toEqual({ id: "42" });
});
