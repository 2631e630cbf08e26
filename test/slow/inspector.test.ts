// The inspector's pages in a real browser, over fixtures: nothing that the browser complains about, nothing that axe finds, and what the
// little script does.
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { InspectedTurn } from "../../src/core/state/inspected.ts";
import { CHANNEL, finishedTurn, privateTurn, runningTurn, TURN, turnLines } from "../support/inspected.ts";
import { INSPECT_TOKEN, type InspectorServer, serveInspector } from "../support/inspector-server.ts";
import { BROWSER_PATIENCE_MS, findLefts } from "../support/page-browser.ts";

const HOSTILE = "<img src=x onerror=alert(1)>\u202e\0 \"'</script>".repeat(3) + "x".repeat(20_000);
const HOSTILE_ID = "7";
const PRIVATE_ID = "8";
const PAGES = [
  "/inspect",
  `/inspect/channel/${CHANNEL}`,
  `/inspect/turn/${CHANNEL}/${TURN}`,
  `/inspect/turn/${CHANNEL}/${runningTurn.turnId}`,
  `/inspect/turn/${CHANNEL}/${PRIVATE_ID}`,
  `/inspect/turn/${CHANNEL}/${HOSTILE_ID}`,
  "/inspect/nothing",
];

const hostileTurn: InspectedTurn = {
  ...finishedTurn,
  ...{ question: HOSTILE, userName: HOSTILE, thoughts: HOSTILE, model: HOSTILE.slice(0, 300) },
  rows: finishedTurn.rows.map((row) => ({ ...row, text: HOSTILE, speaker: HOSTILE.slice(0, 3000) })),
  events: finishedTurn.events.map((event) => ({ ...event, detail: HOSTILE.slice(0, 3000) })),
  toolCallList: finishedTurn.toolCallList.map((call) => ({ ...call, tool: "x".repeat(200), result: HOSTILE })),
};

let server: InspectorServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let faults: string[];
/** The current state of the running turn, and the function that tells its page of a change. */
let running: InspectedTurn;
let tellChanged: () => void = () => {};
/** What the next page of the channel's turns is requested with, and what happens when somebody begins to watch it. */
let before: number | null;
let onWatch: () => void;
let breakStream: () => void = () => {};

beforeAll(async () => {
  server = await serveInspector({
    turn: async (_, id) =>
      [finishedTurn, running, { ...privateTurn, turnId: PRIVATE_ID }, { ...hostileTurn, turnId: HOSTILE_ID }].find(
        ({ turnId }) => turnId === id,
      ) ?? null,
    turns: async () => ({ turns: [{ ...hostileTurn, turnId: HOSTILE_ID }, ...turnLines], before }),
    watch: async () =>
      new ReadableStream({
        start(controller) {
          onWatch();
          breakStream = () => controller.close();
          tellChanged = () => controller.enqueue(new TextEncoder().encode("data: changed\n\n"));
          controller.enqueue(new TextEncoder().encode(": open\n\n"));
        },
      }),
  });
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
    timeout: BROWSER_PATIENCE_MS,
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});
beforeEach(async () => {
  running = runningTurn;
  before = 1;
  onWatch = () => {};
  faults = [];
  await open({});
});
afterEach(async () => {
  await context.close();
  expect(faults).toEqual([]);
});

/** A new browser window that is signed in. */
async function open(options: { colorScheme?: "light" | "dark"; width?: number }): Promise<void> {
  await context?.close();
  const viewport = { width: options.width ?? 1100, height: 800 };
  context = await browser.newContext({ colorScheme: options.colorScheme ?? "light", viewport });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  context.setDefaultTimeout(BROWSER_PATIENCE_MS);
  page = await context.newPage();
  page.on("dialog", (dialog) => {
    faults.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => faults.push(error.message));
  // Pages that say "not found" or ask for the token come with that status, which the browser reports.
  page.on("console", (line) => line.type() === "error" && !/40[14]/.test(line.text()) && faults.push(line.text()));
  await page.goto(`${server.url}/inspect`);
  await page.getByLabel("Token").fill(INSPECT_TOKEN);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}

const visit = (path: string) => page.goto(server.url + path);

describe("in light and dark, wide and on a phone", () => {
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1100, 760, 390, 320])
      it(`no page has a fault: ${colorScheme}, ${width} pixels`, async () => {
        await open({ colorScheme, width });
        for (const path of PAGES) {
          await visit(path);
          await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
          expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, width]);
          expect([path, await findBarriers()]).toEqual([path, []]);
        }
      });

  it("the form has no fault either", async () => {
    await context.clearCookies();
    await visit("/inspect");
    expect(await findBarriers()).toEqual([]);
    await page.getByLabel("Token").waitFor();
  });
});

/** What axe finds. The page's policy lets no script in, so axe runs in the browser's own world. */
async function findBarriers(): Promise<string[]> {
  const session = await context.newCDPSession(page);
  const { result } = await session.send("Runtime.evaluate", {
    expression: `${axe.source}; axe.run(document).then(({ violations }) => violations.map(({ id, impact, nodes }) => id + " (" + impact + "): " + nodes.map((node) => node.html.slice(0, 200)).slice(0, 3).join(" ")))`,
    ...{ awaitPromise: true, returnByValue: true },
  });
  await session.detach();
  return result.value as string[];
}

describe("a turn's page", () => {
  it("opens a lane with the keyboard, and a tool's lane from the conversation", async () => {
    await visit(`/inspect/turn/${CHANNEL}/${TURN}`);
    const lane = page.locator("#lane-wait-0");
    await lane.locator("summary").focus();
    await page.keyboard.press("Enter");
    await lane.locator(".detail").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.locator("#lane-model-0 .detail").getByText("rate limited; tried again").waitFor();
    await page.getByRole("link", { name: "web_search" }).click();
    await page.locator("#lane-tool-44-0 .detail").getByText("parrots lighthouse").waitFor();
  });

  it("has bars as long as what they show", async () => {
    await visit(`/inspect/turn/${CHANNEL}/${TURN}`);
    const width = async (selector: string) => (await page.locator(selector).first().boundingBox())?.width ?? 0;
    const track = await width(".track");
    expect(await width("#lane-wait-0 rect")).toBeCloseTo((track * 4200) / 61_900, 0);
    expect(await width("#lane-model-2 rect.work")).toBeCloseTo((track * 19_900) / 61_900, 0);
  });

  it("copies its data", async () => {
    await visit(`/inspect/turn/${CHANNEL}/${TURN}`);
    await page.getByRole("button", { name: "Copy as JSON" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied: unknown = JSON.parse(String(await page.evaluate("navigator.clipboard.readText()")));
    expect(copied).toEqual(finishedTurn);
  });

  it("renews itself while the turn runs, keeps what is open and where the focus is, and stops at the end", async () => {
    await visit(`/inspect/turn/${CHANNEL}/${runningTurn.turnId}`);
    await page.getByText("Live", { exact: true }).waitFor();
    const lane = page.locator("#lane-wait-0");
    await lane.locator("summary").click();
    running = { ...runningTurn, modelCalls: finishedTurn.modelCalls };
    tellChanged();
    await page.locator("#lane-model-2").waitFor();
    expect(await lane.getAttribute("open")).toBe("");
    expect(await page.evaluate("document.activeElement.parentElement.id")).toBe("lane-wait-0");
    running = { ...finishedTurn, turnId: runningTurn.turnId };
    tellChanged();
    await page.getByText("answered", { exact: true }).first().waitFor();
    await page.getByText("Live", { exact: true }).waitFor({ state: "detached" });
    expect(await lane.getAttribute("open")).toBe("");
  });

  it("renews itself under a reader who has opened a long text and is at a link", async () => {
    const rows = runningTurn.rows.map((row) => ({ ...row, text: "parrot ".repeat(1000) }));
    running = { ...runningTurn, rows };
    await visit(`/inspect/turn/${CHANNEL}/${runningTurn.turnId}`);
    await page.getByText("Live", { exact: true }).waitFor();
    const longs = page.locator("#conversation .more");
    await longs.nth(1).locator("summary").click();
    await page.locator("#conversation a").last().focus();
    const focused = () => page.evaluate("[document.activeElement.href, document.activeElement.isConnected]");
    const before = await focused();
    running = { ...runningTurn, rows, modelCalls: finishedTurn.modelCalls };
    tellChanged();
    await page.locator("#lane-model-2").waitFor();
    const isOpen = (nth: number) => longs.nth(nth).evaluate((one) => one.hasAttribute("open"));
    expect([await isOpen(0), await isOpen(1)]).toEqual([false, true]);
    expect(await focused()).toEqual(before);
  });

  it("keeps the order of a sentence in Hebrew around words in Latin script", async () => {
    const rows = runningTurn.rows.map((row) => ({ ...row, text: "הריצו npm start (again), ואז עוד" }));
    running = { ...runningTurn, rows };
    await visit(`/inspect/turn/${CHANNEL}/${runningTurn.turnId}`);
    const lefts = await findLefts(page, ".rows .words", ["הריצו", "npm", "ואז"]);
    expect(lefts).toEqual(lefts.toSorted((one, other) => other - one));
    expect(lefts).not.toContain(Number.NaN);
  });

  it("looks again when its stream is back, because it was not notified of changes in the meantime", async () => {
    await visit(`/inspect/turn/${CHANNEL}/${runningTurn.turnId}`);
    await page.getByText("Live", { exact: true }).waitFor();
    running = { ...runningTurn, modelCalls: finishedTurn.modelCalls };
    await page.evaluate(`wasLost = false;
      new MutationObserver(() => (wasLost ||= document.querySelector("#live").textContent === ""))
        .observe(document.querySelector("#live"), { childList: true })`);
    breakStream();
    // It is back a few seconds later, so the page records that it was gone.
    await expect.poll(() => page.evaluate("wasLost")).toBe(true);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.locator("#lane-model-2").waitFor();
  });

  it("looks again if a request for its content gets no answer", async () => {
    await page.clock.install();
    await visit(`/inspect/turn/${CHANNEL}/${runningTurn.turnId}`);
    await page.getByText("Live", { exact: true }).waitFor();
    const asked = page.waitForRequest(/\/inspect\/turn\//);
    await page.route(/\/inspect\/turn\//, () => {}, { times: 1 });
    tellChanged();
    await asked;
    running = { ...runningTurn, modelCalls: finishedTurn.modelCalls };
    tellChanged();
    await page.clock.fastForward(20_000);
    await page.locator("#lane-model-2").waitFor();
  });

  it("asks for the token again instead of copying a page that says it is missing", async () => {
    await visit(`/inspect/turn/${CHANNEL}/${TURN}`);
    await context.clearCookies();
    await page.getByRole("button", { name: "Copy as JSON" }).click();
    await page.getByLabel("Token").waitFor();
    expect(page.url()).toBe(`${server.url}/inspect/turn/${CHANNEL}/${TURN}`);
  });

  it("shows its data if the browser doesn't allow copying", async () => {
    await visit(`/inspect/turn/${CHANNEL}/${TURN}`);
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))");
    await page.getByRole("button", { name: "Copy as JSON" }).click();
    await page.waitForURL(/\.json$/);
  });

  it("shows the whole name of every setting", async () => {
    for (const width of [1280, 1100, 760, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await visit(`/inspect/channel/${CHANNEL}`);
      const cut =
        "[...document.querySelectorAll('td code')].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)";
      expect([width, await page.evaluate(cut)]).toEqual([width, []]);
    }
  });

  it("breaks no words of its own in a table on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    const broken = `[...document.querySelectorAll("table:not(.wide) th, td")].flatMap((cell) => {
      const text = cell.childNodes.length === 1 && cell.firstChild.nodeType === 3 ? cell.firstChild : null;
      return [...(text?.data ?? "").matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
      }).map(([word]) => word);
    })`;
    for (const path of PAGES) {
      await visit(path);
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      expect([path, await page.evaluate(broken)]).toEqual([path, []]);
    }
  });

  /** Someone types in the filter of a channel's page, and the channel changes in the meantime. */
  const changeWhileTyping = async () => {
    await visit(`/inspect/channel/${CHANNEL}`);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByLabel("Person's id").fill("42");
    const before = server.reader.asked.length;
    tellChanged();
    await expect.poll(() => server.reader.asked.length).toBeGreaterThan(before);
  };

  it("shows what changed in a channel between its page and its stream, of which it was not notified", async () => {
    onWatch = () => {
      before = null;
    };
    await visit(`/inspect/channel/${CHANNEL}`);
    await page.getByRole("link", { name: "Older turns" }).waitFor({ state: "detached" });
  });

  it("leaves a channel's page alone while someone types in its filter", async () => {
    await changeWhileTyping();
    expect(await page.getByLabel("Person's id").inputValue()).toBe("42");
    await page.keyboard.press("Enter");
    await page.waitForURL(/person=42/);
  });

  it("shows what has changed in the meantime as soon as the filter is left", async () => {
    await changeWhileTyping();
    await page.evaluate("document.querySelector('main h1').textContent = 'Of before'");
    await page.locator("h2").first().click();
    await page.getByText("Of before").waitFor({ state: "detached" });
  });
});
