// What the commands read from the environment of their process.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { openPorts, tokenIn } from "../../src/setup/real-ports.ts";
import { openTerminal } from "../../src/setup/terminal.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

it("gives each request a time limit, except those that have their own", async () => {
  const signals: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => signals.push(init.signal));
  const { send } = openPorts(openTerminal(false));
  const { signal } = new AbortController();
  await send("https://discord.example");
  await send("https://discord.example", { method: "PUT", signal });
  expect(signals).toEqual([expect.any(AbortSignal), signal]);
});

it("reads variables without the blanks and line ends around them, as the Worker does", () => {
  vi.stubEnv("OPENAI_MODEL", " gpt-5-mini\n");
  vi.stubEnv("CLOUDFLARE_API_TOKEN", "token\r\n");
  vi.stubEnv("OPENAI_BASE_URL", "  ");
  const { variables } = openPorts(openTerminal(false));
  expect([variables.OPENAI_MODEL, variables.CLOUDFLARE_API_TOKEN, variables.OPENAI_BASE_URL]).toEqual([
    "gpt-5-mini",
    "token",
    undefined,
  ]);
});

it.each([
  [undefined, "a.b.c"],
  ["https://discord.com/api/v10", "a.b.c"],
  ["http://127.0.0.1:8788/api/v10", undefined],
])("finds the token in a .dev.vars whose Discord is at %s: %s", (DISCORD_API_BASE_URL, token) => {
  expect(tokenIn({ DISCORD_BOT_TOKEN: "a.b.c", DISCORD_API_BASE_URL })).toBe(token);
});

it("reads wrangler's output as one text, even if a character arrives in two pieces", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const slowly = `const [first, ...rest] = Buffer.from("ü");
    for (const out of [process.stdout, process.stderr]) {
      out.write(Buffer.of(first));
      setTimeout(() => out.write(Buffer.from(rest)), 100);
    }`;
  await writeFile(join(folder, "wrangler.js"), slowly);
  vi.stubEnv("PARLEY_WRANGLER", join(folder, "wrangler.js"));
  const ended = await openPorts(openTerminal(false)).runWrangler([]);
  expect(ended).toEqual({ code: 0, stdout: "ü", stderr: "ü" });
});
