// The handler behind a real port: who hangs up is noticed, however long the handler waits.
import { afterEach, expect, it, vi } from "vitest";
import { type Served, serve } from "../../src/playground/serve.ts";

const PATIENCE = { timeout: 30_000 };

let served: Served | null = null;
afterEach(async () => {
  await served?.close();
  served = null;
});

it("notices a client that hangs up although nothing holds the request and memory was collected meanwhile", async () => {
  const heard: string[] = [];
  served = await serve(({ signal }) => {
    heard.push("asked");
    signal.addEventListener("abort", () => heard.push("gone"));
    return new Promise(() => {});
  });
  const client = new AbortController();
  const asked = fetch(served.url, { signal: client.signal }).catch(() => "hung up");
  await vi.waitUntil(() => heard.includes("asked"), PATIENCE);
  // Without `--expose-gc` memory is collected by using a lot of it.
  for (let n = 0; n < 60; n++)
    await new Promise<void>((resolve) => setImmediate(() => resolve(void new Array(500_000).fill({}))));
  client.abort();
  expect(await asked).toBe("hung up");
  await vi.waitUntil(() => heard.includes("gone"), PATIENCE);
});
