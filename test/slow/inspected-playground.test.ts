// The inspector of a bot that really runs, the playground's, in a browser, while a turn is under way and after it.
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { InspectedTurn } from "../../src/core/state/inspected.ts";
import { makeCookie } from "../../src/inspector/access.ts";
import type { InspectedHome } from "../../src/inspector/reader.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { launchPlayground, type Playground } from "../../src/playground/launch.ts";
import { createLocalModel } from "../../src/playground/model/model.ts";
import { type Served, serve } from "../../src/playground/serve.ts";
import { BROWSER_PATIENCE_MS } from "../support/page-browser.ts";

const INSPECT_TOKEN = "a token of the owner";
const PATIENCE = { timeout: BROWSER_PATIENCE_MS };

/** The model's pause between two words. */
let between = Promise.resolve();
let model: Served;
let playground: Playground;
let browser: Browser;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  const local = createLocalModel({ now: Date.now, sleep: () => between });
  model = await serve(local.fetch);
  const atModel = { OPENAI_API_KEY: "local", OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL: "parley-local" };
  const vars = { INSPECT_TOKEN, DISCORD_GATEWAY: "off", ...atModel };
  playground = await launchPlayground({ port: 0, quiet: true, vars });
  await post("/local/options", { firstAnswerMs: BROWSER_PATIENCE_MS });
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
    timeout: BROWSER_PATIENCE_MS,
  });
  page = await browser.newPage();
  page.setDefaultTimeout(BROWSER_PATIENCE_MS);
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
});
afterAll(async () => {
  await browser?.close();
  await playground?.stop();
  await model?.close();
});

async function post(path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(playground.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}

const ask = (message: string) =>
  post("/local/interact", {
    ...{ kind: "command", name: "chat", options: { message } },
    ...{ channel: PLACES.general, as: PEOPLE.mira },
  });

async function readJson(path: string): Promise<unknown> {
  const answer = await fetch(`${playground.url}/inspect${path}`, {
    headers: { Authorization: `Bearer ${INSPECT_TOKEN}` },
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
}

it("shows a running turn as it progresses, and then what it was", async () => {
  const cookie = (await makeCookie(INSPECT_TOKEN, Date.now())).split(";")[0] ?? "";
  const [name = "", value = ""] = cookie.split("=");
  await page
    .context()
    .addCookies([{ name, value, url: `${playground.url}/inspect`, sameSite: "Strict", httpOnly: true }]);
  await page.goto(`${playground.url}/inspect`);
  await page.getByText("No turn ended in the last 30 days.").waitFor();
  await ask("hello");
  const home = async () => (await readJson("/home.json")) as InspectedHome;
  await expect.poll(async () => (await home()).days.length, PATIENCE).toBe(1);
  await page.reload();
  await page.getByRole("heading", { name: "Parley Lounge" }).waitFor();
  await page.getByRole("link", { name: "#general" }).first().click();
  await page.getByRole("heading", { name: "Channel #general" }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  between = promise;
  await ask("count to 150");
  await page.getByRole("heading", { name: "Running now" }).waitFor();
  await page.getByRole("link", { name: "count to 150" }).first().click();
  await page.getByText("Live", { exact: true }).waitFor();
  goOn();
  await page.getByText("answered", { exact: true }).first().waitFor(PATIENCE);
  await page.getByText("Live", { exact: true }).waitFor({ state: "detached", ...PATIENCE });
  await page.getByRole("link", { name: "Message 1" }).waitFor();
  expect(await page.locator(".rows").last().innerText()).toContain("149, 150.");
  const turn = (await readJson(`${new URL(page.url()).pathname.replace("/inspect", "")}.json`)) as InspectedTurn;
  expect(turn).toMatchObject({ question: "count to 150", state: "finished", status: "completed" });
  expect(turn.modelCalls).toHaveLength(1);
  const byId = (await readJson(`/turn/${turn.turnId}.json`)) as InspectedTurn;
  expect(byId.turnId).toBe(turn.turnId);
  expect(faults).toEqual([]);
});
