// The handler behind a real port: it notices a client that hangs up, however long the handler waits.
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { type Served, serve } from "../../src/playground/serve.ts";

let served: Served | null = null;
afterEach(async () => {
  await served?.close();
  served = null;
});

it("notices a client that hangs up even if nothing references the request and garbage was collected in the meantime", async () => {
  const heard: string[] = [];
  served = await serve(({ signal }) => {
    heard.push("asked");
    signal.addEventListener("abort", () => heard.push("gone"));
    return new Promise(() => {});
  });
  const client = new AbortController();
  const asked = fetch(served.url, { signal: client.signal }).catch(() => "hung up");
  await expect.poll(() => heard).toContain("asked");
  // Without `--expose-gc`, using a lot of memory triggers garbage collection.
  for (let n = 0; n < 60; n++)
    await new Promise<void>((resolve) => setImmediate(() => resolve(void new Array(500_000).fill({}))));
  client.abort();
  expect(await asked).toBe("hung up");
  await expect.poll(() => heard).toContain("gone");
});

it.each([
  "GET / HTTP/1.1\r\nHost: a b",
  "GET http://elsewhere.example/ HTTP/1.1\r\nHost: 127.0.0.1:80",
  "TRACE / HTTP/1.1\r\nHost: x",
])("refuses %j, which is not a request that a handler can get, and continues", async (head) => {
  served = await serve(() => new Response("here"));
  const socket = connect(Number(new URL(served.url).port), "127.0.0.1");
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  expect(await (await fetch(served.url)).text()).toBe("here");
});
