// The page in a real browser, over a real playground: what a person sees who types, stops, clicks and narrows the window. Needs
// Chromium at /usr/bin/chromium.
import { createServer } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { launchPlayground, type Playground } from "../../src/playground/launch.ts";

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

let playground: Playground;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // The shell may name a real model; this test must not speak to it.
  const vars = { OPENAI_API_KEY: "local", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "parley-local" };
  playground = await launchPlayground({ port, quiet: true, vars });
  // One person asks more often here than people do.
  const options = { key: "turns_per_minute", value: "0" };
  const here = { channel: PLACES.general, as: PEOPLE.mira };
  await tell("/local/interact", { kind: "command", name: "config", subcommand: "set", options, ...here });
  browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
});
afterAll(async () => {
  await browser?.close();
  await playground?.stop();
});

beforeEach(async () => {
  faults = [];
  await tell("/local/reset", {});
  page = await browser.newPage({ viewport: { width: 1100, height: 760 } });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (line) => line.text().includes("Content Security Policy") && faults.push(line.text()));
  await page.goto(playground.url);
});
afterEach(async () => {
  await page.close();
  expect(faults).toEqual([]);
});

const PATIENCE = { timeout: 20_000 };
const messages = () => page.locator("#messages > li");
const stop = () => page.getByRole("button", { name: /Stop$/ });

/** Waits for an answer that has text and no Stop button; a turn that is still at work would meet the next test's reset. */
async function ended(): Promise<void> {
  await messages().last().locator(".prose > :not(.thinking)").first().waitFor();
  await stop().waitFor({ state: "detached" });
}

async function send(text: string): Promise<void> {
  await page.getByLabel("Message, sent with /chat").fill(text);
  await page.keyboard.press("Enter");
}

async function tell(path: string, body: unknown): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(playground.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}

function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((found) => {
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => found(typeof address === "object" && address ? address.port : 0));
    });
  });
}

describe("the playground's page", () => {
  it("streams an answer into one message, with a Stop button until its end", async () => {
    await send("count to 150");
    await stop().waitFor();
    const early = (await messages().locator(".prose").first().innerText()).length;
    await expect
      .poll(async () => (await messages().locator(".prose").first().innerText()).length, PATIENCE)
      .toBeGreaterThan(early);
    await page.getByText("149, 150.").waitFor();
    await ended();
    expect(await messages().count()).toBe(1);
    expect(await messages().locator(".command").innerText()).toMatch(/Mira\s+used\s+\/chat\s+count to 150/);
  });

  it("stops a long answer at the model's socket, and keeps the text so far", async () => {
    await page.getByRole("button", { name: "A long story" }).click();
    await page.getByText("Lanternfall").waitFor();
    await stop().click();
    await page.getByText("Stopped by").waitFor();
    await ended();
    expect(await page.getByText("Far Lantern").count()).toBe(0);
    const log = async () => await (await fetch(`${playground.url}/local/model/log`)).json();
    await expect.poll(log, PATIENCE).toMatchObject([{ status: 200, aborted: true, finished: false }]);
  });

  it("shows code as code, and continues a long answer in a second message", async () => {
    await send("show me code");
    await ended();
    expect(await messages().locator(".code pre").innerText()).toContain("export function admit(");
    expect(await page.locator("#messages").innerText()).not.toContain("```");
    await send("a very long answer with code");
    await page.getByText("nothing was lost between the messages").waitFor();
    await ended();
    expect(await messages().count()).toBe(3);
    expect(await page.locator("#messages > .continued").count()).toBe(1);
  });

  it("shows a table as code, with its columns aligned", async () => {
    await send("show me a table");
    await ended();
    const table = await messages().locator(".code pre").first().innerText();
    expect(table).toContain("Parrots       | こんにちは |  12.50 |  🦜");
    expect(await page.locator("#messages").innerText()).not.toContain("|---");
  });

  it("sends a file with a message, which the model reads and the message list names", async () => {
    const notes = { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Notes\nroll 3d6") };
    await page.getByLabel("File", { exact: true }).setInputFiles(notes);
    await page.getByText("📎 notes.md").waitFor();
    await send("what is in it?");
    await page.getByText("I leafed through").waitFor();
    await ended();
    expect(await messages().last().innerText()).toContain("notes.md: 2 lines, and it begins with “# Notes roll 3d6”");
    expect(await messages().locator(".command").innerText()).toContain("what is in it? file:notes.md");
    expect(await page.getByText("📎 notes.md").count()).toBe(0);
    const archive = { name: "all.zip", mimeType: "application/zip", buffer: Buffer.from([80, 75, 3, 4]) };
    await page.getByLabel("File", { exact: true }).setInputFiles(archive);
    await send("and in this one?");
    await messages().locator(".subtext", { hasText: "I skipped all.zip" }).waitFor();
    await ended();
  });

  it("shows a model's words as text, never as markup or as a link that runs code", async () => {
    const text = "<img src=x onerror=alert(1)> [run](javascript:alert(1)) **bold**";
    await tell("/local/model/script", [{ chunks: [{ text }] }]);
    await send("anything");
    await page.getByText("onerror=alert(1)").waitFor();
    await ended();
    expect(await messages().locator("img, a").count()).toBe(0);
    expect(await messages().locator("strong", { hasText: "bold" }).count()).toBe(1);
  });

  it("shows a failure as the product's small warning line, and speaks as the chosen person", async () => {
    await page.getByRole("radio", { name: "Theo" }).check();
    await page.getByRole("button", { name: "Fail" }).click();
    await messages().locator(".subtext", { hasText: "⚠️" }).waitFor();
    await ended();
    expect(await messages().locator(".command").innerText()).toMatch(/^T?\s*Theo\s+used\s+\/chat/);
  });

  it("shows who asked above each answer, also when a question is repeated", async () => {
    for (const count of [1, 2]) {
      await send("hello");
      await expect.poll(() => page.getByText("Ahoy, Mira").count(), PATIENCE).toBe(count);
      await ended();
    }
    expect(await messages().locator(".command:visible").count()).toBe(2);
  });

  it("says who everyone is in the shown server, and goes where the chosen person is", async () => {
    const people = () => page.locator(".person").allInnerTexts();
    const place = () => page.locator("#place-name").innerText();
    await expect
      .poll(people, PATIENCE)
      .toEqual(["J\nJuno\nowner", "M\nMira\nmoderator", "T\nTheo\nmember", "W\nWren\nnot a member"]);
    await page.getByRole("radio", { name: "Wren" }).check();
    await expect.poll(place, PATIENCE).toBe("Lighthouse");
    await expect
      .poll(people, PATIENCE)
      .toEqual(["J\nJuno\nowner", "M\nMira\nnot a member", "T\nTheo\nmember", "W\nWren\nserver owner"]);
    expect(await page.getByRole("button", { name: "Parley Lounge: Wren is not a member" }).isDisabled()).toBe(true);
    await send("hello");
    await page.getByText("Ahoy, Wren").waitFor();
    await ended();
    await page.getByRole("radio", { name: "Theo" }).check();
    await page.getByText("Ahoy, Wren").waitFor();
    await page.getByRole("button", { name: "Parley Lounge" }).click();
    await expect.poll(place, PATIENCE).toBe("Parley Lounge");
    expect(await page.locator("#channels button").allInnerTexts()).toEqual(["#general", "↳ late night ideas"]);
    await page.getByRole("radio", { name: "Juno" }).check();
    await page.getByRole("button", { name: "#staff" }).waitFor();
  });

  it("shows a private answer to its asker only, and a group's bot only to who brought it along", async () => {
    await page.getByRole("radio", { name: "Theo" }).check();
    await page.getByLabel("Message, sent with /chat").fill("/bot status");
    await page.keyboard.press("Enter");
    await messages().locator(".note", { hasText: "Only you can see this" }).waitFor();
    await page.getByRole("radio", { name: "Mira" }).check();
    await messages().first().waitFor({ state: "detached" });
    await page.getByRole("radio", { name: "Theo" }).check();
    await messages().locator(".note").waitFor();
    await page.getByRole("button", { name: "Direct messages" }).click();
    await page.getByRole("button", { name: "weekend plans" }).click();
    await expect.poll(() => page.locator("#topic").innerText(), PATIENCE).toContain("The bot is not here");
    await send("hello");
    await page.getByRole("alert").getByText("only for people who installed it").waitFor();
    await page.getByRole("radio", { name: "Wren" }).check();
    await page.getByRole("alert").waitFor({ state: "hidden" });
    await page.getByLabel("Message, sent with /chat").fill("");
    await send("hello");
    await page.getByText("Ahoy, Wren").waitFor();
    await ended();
  });

  it("shows nothing to click before it is connected, and no text field under a command's fields", async () => {
    await page.route("**/local/state**", (route) => route.abort());
    await page.reload();
    await page.getByText("Connection lost").waitFor();
    expect(await page.locator("#suggestions").isVisible()).toBe(false);
    await page.unroute("**/local/state**");
    await page.getByLabel("Message, sent with /chat").fill("/config set");
    await page.keyboard.press("Enter");
    await page.getByLabel("key").waitFor();
    expect(await page.locator("#composer").isVisible()).toBe(false);
  });

  it("lists the commands after a slash, completes their options, and shows the result of one", async () => {
    await page.getByLabel("Message, sent with /chat").fill("/config s");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByLabel("key").fill("follow_up");
    await page.getByLabel("value").focus();
    const offered = page.locator("#offers-value option");
    await expect
      .poll(() => offered.evaluateAll((all) => all.map((one) => one.getAttribute("value"))), PATIENCE)
      .toEqual(["interrupt", "queue", "steer"]);
    await page.getByLabel("value").fill("queue");
    await page.keyboard.press("Enter");
    await messages().getByText("Now set to:").waitFor();
    expect(await messages().locator(".note").innerText()).toContain("Only you can see this");
  });

  it("opens the form of /ask-long, submits its text and file, and asks about a message from its menu", async () => {
    await page.getByLabel("Message, sent with /chat").fill("/ask-long");
    await page.keyboard.press("Enter");
    await page.getByLabel("Your question").fill("one\ntwo");
    const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("abc") };
    await page.getByLabel("Files").setInputFiles(notes);
    await page.getByRole("button", { name: "Submit" }).click();
    await ended();
    expect(await messages().locator(".asked").innerText()).toBe("one\ntwo");
    await messages().first().hover();
    await page.getByRole("button", { name: "Ask about this" }).click();
    await messages().nth(1).waitFor();
    await ended();
    expect(await messages().nth(1).locator(".command").innerText()).toContain("Ask about this");
  });

  it("says that the connection is lost, and reconnects by itself", async () => {
    await page.route("**/local/events**", (route) => route.abort());
    await page.reload();
    await page.getByText("Connection lost").waitFor();
    await page.unroute("**/local/events**");
    await page.getByText("Connection lost").waitFor({ state: "hidden" });
    await send("hello");
    await page.getByText("Ahoy, Mira").waitFor();
    await ended();
  });

  it("fits a phone: nothing scrolls sideways, and the channels slide in and out", async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    await send("show me code");
    await messages().locator(".code pre").waitFor();
    await ended();
    const widths = "[document.documentElement.scrollWidth, document.getElementById('scroller').scrollWidth]";
    expect(await page.evaluate(widths)).toEqual([390, 390]);
    const thread = page.locator("#channels button.thread");
    expect(await thread.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Channels" }).click();
    await thread.click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText(), PATIENCE).toMatch(/^↳ /);
    await thread.waitFor({ state: "hidden" });
    expect(await messages().count()).toBe(0);
  });
});
