// The playground's page in a real browser: one playground and one Chromium for a test file, a new page and an empty Discord for
// each test. A test fails if the page has thrown, or the browser has complained. Needs Chromium at /usr/bin/chromium.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { launchPlayground, type Playground, type PlaygroundOptions } from "../../src/playground/launch.ts";
import { freePort } from "../../src/playground/port.ts";

const CHROMIUM = "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** How long a test waits for the browser and for what it must show; a busy machine is slow. */
export const BROWSER_PATIENCE_MS = 120_000;
const PATIENT = { firstAnswerMs: BROWSER_PATIENCE_MS };
/** What the browser logs about a request that a test has broken on purpose. */
const BROKEN = "Failed to load resource";

/** What a test uses. Everything exists only while a test runs. */
export interface PageTest {
  readonly page: Page;
  readonly url: string;
  /** The message box. */
  readonly box: Locator;
  /** The messages in the list. */
  readonly messages: Locator;
  /** Asks with /chat, and waits for the end of the answer. */
  ask(text: string): Promise<void>;
  /** Posts to a route under /local. Throws if it is refused. */
  tell(path: string, body: unknown): Promise<unknown>;
}

/** Registers the hooks of a test file. `more` changes how the playground is started. */
export function pageTest({ vars, ...more }: Partial<PlaygroundOptions> = {}): PageTest {
  let playground: Playground;
  let browser: Browser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    const port = await freePort(0);
    const url = `http://127.0.0.1:${port}`;
    // The shell may name a real model, which this test must not call. Each test decides who connects to the Gateway.
    const model = { OPENAI_API_KEY: "local", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "parley-local" };
    const started = { port, quiet: true, ...more };
    playground = await launchPlayground({ ...started, vars: { ...model, DISCORD_GATEWAY: "off", ...vars } });
    // One person asks more often here than people do, so there is no limit.
    await tell("/local/options", PATIENT);
    const options = { key: "turns_per_minute", value: "0" };
    const here = { channel: PLACES.general, as: PEOPLE.mira };
    await tell("/local/interact", { kind: "command", name: "config", subcommand: "set", options, ...here });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: BROWSER_PATIENCE_MS });
  });
  afterAll(async () => {
    await browser?.close();
    await playground?.stop();
  });
  beforeEach(async () => {
    faults = [];
    await tell("/local/reset", {});
    await tell("/local/options", PATIENT);
    page = await browser.newPage({ viewport: { width: 1100, height: 760 } });
    page.setDefaultTimeout(BROWSER_PATIENCE_MS);
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (line) => line.type() === "error" && !line.text().includes(BROKEN) && faults.push(line.text()));
    await page.goto(playground.url);
    await page.locator("#message:enabled").waitFor();
  });
  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });

  async function tell(path: string, body: unknown): Promise<unknown> {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(playground.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  const messages = () => page.locator("#messages > li");
  const box = () => page.getByLabel("Message", { exact: true });
  async function ask(text: string): Promise<void> {
    const before = await messages().count();
    await box().fill(`/chat ${text}`);
    await page.keyboard.press("Enter");
    await messages().nth(before).locator(".prose > :not(.thinking)").first().waitFor();
    await page.getByRole("button", { name: /Stop$/ }).waitFor({ state: "detached" });
  }

  return {
    get page() {
      return page;
    },
    get url() {
      return playground.url;
    },
    get box() {
      return box();
    },
    get messages() {
      return messages();
    },
    ask,
    tell,
  };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds serious or critical on the page as it is: the rule and the elements. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[];
  };
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
    );
}

/** Runs in the page: finds how far from the left each of the words is in the first element of the selector. */
const LEFTS = `(selector, words) => {
  const texts = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
  const lefts = words.map(() => NaN);
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    words.forEach((word, n) => {
      const start = node.nodeValue.indexOf(word);
      if (start < 0) return;
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, start + word.length);
      lefts[n] = range.getBoundingClientRect().left;
    });
  return lefts;
}`;

/** Finds how far from the left each of the words begins on the screen, within the first element of the selector; NaN if it is not there. */
export const findLefts = (page: Page, selector: string, words: readonly string[]): Promise<number[]> =>
  page.evaluate(`(${LEFTS})(${JSON.stringify(selector)}, ${JSON.stringify(words)})`);
