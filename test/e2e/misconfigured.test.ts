// A product that lacks a secret: it starts, says which one is missing, and shows no value of any.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { exampleVars } from "../support/e2e-harness.ts";
import { PRODUCTION, type Product, startProduct } from "../support/product.ts";

let product: Product;

beforeAll(async () => {
  const complete = exampleVars("http://127.0.0.1:9");
  const devVars = complete.replace(/^OPENAI_API_KEY=.*$/m, "").replace(/^(DISCORD_PUBLIC_KEY)=.*$/m, "$1=not-a-key");
  product = await startProduct({ config: PRODUCTION, devVars });
});
afterAll(() => product?.stop());

it("names each missing or bad variable on both routes and once in the log, and shows no value", async () => {
  const health = await fetch(`${product.url}/health`);
  const interactions = await fetch(`${product.url}/interactions`, { method: "POST", body: "{}" });
  await fetch(`${product.url}/interactions`, { method: "POST", body: "{}" });
  const problems = ["DISCORD_PUBLIC_KEY is not 64 hexadecimal digits", "OPENAI_API_KEY is missing"];
  expect([health.status, interactions.status]).toEqual([500, 500]);
  expect(await health.json()).toEqual({ ok: false, version: expect.any(String), problems });
  expect(await interactions.json()).toEqual({ error: "not configured", problems });
  expect(product.logs()).not.toContain("not-a-key");
  // The runtime prints on its own time.
  await vi.waitUntil(() => product.logs().includes("not configured"));
  const lines = product.logs().match(/\{"level":"error","line":"not configured".*\}/g) ?? [];
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: "error", line: "not configured", problems, unlogged: 0 },
  ]);
});
