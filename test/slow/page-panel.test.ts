// The side panel in a real browser: Discord's requests, what the model was sent, the log, trouble on demand, the trace.
import { beforeEach, describe, expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { howOften } from "../../src/playground/page/panel/counts.ts";
import { BROWSER_PATIENCE_MS, pageTest } from "../support/page-browser.ts";

const at = pageTest();
const PATIENCE = { timeout: BROWSER_PATIENCE_MS };

/** The parts of a browser that the tests, which have no browser types, look at. */
type HTMLElementLike = { style: { colorScheme: string } };

const tab = (name: string) => at.page.getByRole("tab", { name });
const panel = () => at.page.getByRole("complementary", { name: "Inside" });
const rows = () => at.page.locator(".watched:visible > li");

/** Opens the panel at a tab. */
async function look(name: string): Promise<void> {
  if (!(await panel().isVisible())) await at.page.getByRole("button", { name: "Look inside" }).click();
  await tab(name).click();
}

/** Chooses a kind of trouble this many times. */
async function spoil(title: string, kind: string, times: number): Promise<void> {
  await look("Faults");
  await at.page.getByLabel(`${title}: what goes wrong`).selectOption({ label: kind });
  await at.page.getByLabel(`${title}: how often`).fill(String(times));
  const form = at.page.locator(".trouble", { has: at.page.getByRole("heading", { name: title, exact: true }) });
  await form.getByRole("button", { name: "Do it" }).click();
  await panel()
    .getByRole("status")
    .getByText(`${howOften(times)}: ${kind}.`)
    .waitFor();
}

beforeEach(() => at.page.setViewportSize({ width: 1400, height: 800 }));

describe("the panel", () => {
  it("is closed at first, and stays as a person left it", async () => {
    expect(await panel().isVisible()).toBe(false);
    await look("Model");
    await at.page.reload();
    await expect.poll(() => tab("Model").getAttribute("aria-selected"), PATIENCE).toBe("true");
    await panel().getByRole("button", { name: "Close" }).click();
    await at.page.reload();
    await at.page.locator("#message:enabled").waitFor();
    expect(await panel().isVisible()).toBe(false);
  });

  it("covers the room in a narrow window, and can be left with its button", async () => {
    await at.page.setViewportSize({ width: 390, height: 780 });
    await look("Discord");
    expect((await panel().boundingBox())?.width).toBe(390);
    await panel().getByRole("button", { name: "Close" }).click();
    expect(await panel().isVisible()).toBe(false);
  });
});

describe("Discord's requests", () => {
  it("appear as they come, with their status, and open to their body", async () => {
    await look("Discord");
    await panel().getByText("No request yet.").waitFor();
    await at.ask("hello");
    await panel().getByText("all valid").waitFor();
    const answer = rows().filter({ hasText: "Ahoy, Mira" }).first();
    expect(await answer.innerText()).toMatch(/PATCH\s+\/webhooks\/…0002\/…\/messages\/@original\s+200/);
    await answer.locator("summary").click();
    await answer.getByText('"content":').waitFor();
  });

  it("are counted and marked if Discord would refuse them, but not if it only rate-limits them", async () => {
    await at.tell("/local/weather", { forecast: "limited", method: "PATCH" });
    await look("Discord");
    await at.ask("hello");
    await rows().filter({ hasText: "429" }).waitFor();
    await panel().getByText("all valid").waitFor();
    await fetch(`${at.url}/api/v10/channels/${PLACES.general}/messages`, { method: "POST", body: "{}" });
    await panel().getByText("1 that Discord would refuse").waitFor();
    expect(await rows().first().innerText()).toContain("✗ Discord would refuse this");
  });
});

describe("what the model was sent", () => {
  it("is listed by request, and opens to the conversation as the model saw it", async () => {
    await look("Model");
    await at.ask("what time is it in Tokyo?");
    await expect.poll(() => rows().count(), PATIENCE).toBe(2);
    await rows().first().locator("summary").first().click();
    const roles = async () => (await rows().first().locator(".said > b").allInnerTexts()).slice(-3);
    await expect.poll(roles, PATIENCE).toEqual(["user", "assistant", "tool"]);
    expect(await rows().first().innerText()).toContain('get_current_time {"timezone":"Asia/Tokyo"}');
    // A row that is open stays open while others come.
    await at.ask("hello");
    await expect.poll(() => rows().count(), PATIENCE).toBe(3);
    expect(await rows().nth(1).locator(".said").first().isVisible()).toBe(true);
  });
});

describe("the log", () => {
  it("has the Workers' lines as they come, and their requests if a person wants them", async () => {
    await look("Log");
    const log = panel().getByRole("log");
    await log.getByText("Ready on http://127.0.0.1").first().waitFor();
    await at.ask("hello");
    await log.getByText("turn released the lock").last().waitFor();
    expect(await log.innerText()).not.toContain("POST /v1/chat/completions");
    await panel().getByRole("checkbox").check();
    await log.getByText("POST /v1/chat/completions").last().waitFor();
  });

  it("has each line once, even after another tab was looked at", async () => {
    await look("Log");
    const ready = () => panel().getByRole("log").getByText("Ready on http://127.0.0.1");
    await ready().first().waitFor();
    const before = await ready().count();
    await look("Model");
    await look("Log");
    await at.ask("hello");
    await panel().getByRole("log").getByText("turn released the lock").last().waitFor();
    expect(await ready().count()).toBe(before);
  });
});

describe("trouble", () => {
  it("with Discord meets the next requests", async () => {
    await spoil("Discord", "503: Discord is down", 2);
    await at.ask("hello");
    await look("Discord");
    await expect.poll(() => rows().filter({ hasText: "503" }).count(), PATIENCE).toBe(2);
  });

  it("with the model affects its next answer, which a person sees as the bot's small line", async () => {
    await spoil("Model", "401: the key is refused", 1);
    await at.ask("hello");
    await at.messages.locator(".subtext", { hasText: "did not accept the bot's key" }).waitFor();
  });

  it("with a tool begins with a call, and the model learns how it ended", async () => {
    await spoil("Tools", "the page that it reads answers 503", 1);
    await at.ask("read the tide tables");
    await at.messages.last().getByText("answered 503").waitFor();
  });

  it("lets time pass for Discord", async () => {
    await look("Faults");
    await at.page.getByRole("button", { name: "Let 15 minutes pass" }).click();
    await panel().getByText("15 minutes have passed").waitFor();
  });

  it("kills the runtime in the middle of an answer, which continues when it is back", async () => {
    await look("Faults");
    // The next life's model knows nothing about this, and counts.
    await at.tell("/local/model/script", [{ chunks: [{ text: "1, 2, 3, 4, 5, " }, { hang: true }] }]);
    await at.box.fill("/chat count to 150");
    await at.page.keyboard.press("Enter");
    await at.messages.getByText("1, 2, 3, 4, 5").waitFor();
    await at.page.getByRole("button", { name: "kill -9 the runtime" }).click();
    await at.page.getByText("Connection lost").waitFor();
    await at.page.getByText("Connection lost").waitFor({ state: "hidden", timeout: 120_000 });
    await at.messages.getByText("149, 150.").waitFor({ timeout: 120_000 });
    expect(await at.messages.count()).toBe(1);
    await look("Log");
    await panel().getByRole("log").getByText("took over a turn").waitFor();
  });
});

describe("the trace", () => {
  it("is there when the runtime is back, even if it was away when the tab was opened", async () => {
    await at.ask("hello");
    await at.page.route("**/inspect/**", (route) => route.abort());
    const asked = at.page.waitForEvent("requestfailed");
    await look("Trace");
    await asked;
    await at.page.unroute("**/inspect/**");
    await at.tell("/local/typing", { channel: PLACES.general, as: PEOPLE.theo });
    await at.page.frameLocator("#panel iframe").getByRole("heading", { name: "hello" }).waitFor();
  });

  it("leads from a message of the reply to that message next to it", async () => {
    await at.ask("hello");
    await look("Trace");
    await at.page.frameLocator("#panel iframe").getByRole("link", { name: "Message 1" }).click();
    const answer = await at.messages.last().getAttribute("data-id");
    await expect.poll(() => at.page.locator(".message.found").getAttribute("data-id"), PATIENCE).toBe(answer);
    const frame = at.page.frameLocator("#panel iframe");
    await frame.getByRole("heading", { name: "hello" }).waitFor();
    // On a phone the panel is in front of the messages.
    await at.page.setViewportSize({ width: 390, height: 780 });
    await frame.getByRole("link", { name: "Message 1" }).click();
    await panel().waitFor({ state: "hidden" });
  });

  it("says that there is no turn, then shows the running one, and the newest one of a channel that is entered", async () => {
    let newest: string | null = null;
    await at.page.route("**/inspect/**", async (route) => {
      const path = new URL(route.request().url()).pathname;
      const turns = newest === null ? [] : [{ turnId: newest }];
      if (path === `/inspect/channel/${PLACES.general}.json`) return route.fulfill({ json: { turns } });
      if (path.startsWith("/inspect/channel/")) return route.fulfill({ json: { turns: [] } });
      if (path.endsWith(".json")) return route.fulfill({ json: {} });
      return route.fulfill({ contentType: "text/html", body: `<p>The trace of ${path}</p>` });
    });
    await look("Trace");
    await panel().getByText("No turn yet").waitFor();
    await at.tell("/local/model/script", [{ chunks: [{ text: "Once upon a time" }, { hang: true }] }]);
    await at.page.getByRole("button", { name: "A long story" }).click();
    const stop = at.page.getByRole("button", { name: /Stop$/ });
    const frame = at.page.frameLocator("#panel iframe");
    await frame.getByText(`The trace of /inspect/turn/${PLACES.general}/`).waitFor();
    // The frame has the theme that was chosen for the page.
    const scheme = () => frame.locator("html").evaluate((one) => (one as unknown as HTMLElementLike).style.colorScheme);
    for (const theme of ["light", "dark", ""]) {
      await at.page.getByRole("button", { name: /^Colors/ }).click();
      await expect.poll(scheme, PATIENCE).toBe(theme);
    }
    newest = (await frame.locator("p").innerText()).split("/").at(-1) ?? "";
    await stop.click();
    await stop.waitFor({ state: "detached" });
    await at.page.getByRole("button", { name: "late night ideas" }).click();
    await panel().getByText("No turn yet").waitFor();
    await at.page.getByRole("button", { name: "#general" }).click();
    await frame.getByText(`/inspect/turn/${PLACES.general}/${newest}`).waitFor();
    expect(await panel().getByRole("link", { name: "All turns" }).getAttribute("href")).toBe(
      `/inspect/channel/${PLACES.general}`,
    );
  });
});
