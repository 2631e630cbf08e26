// The page in a real browser, over a real playground: what a person sees who types, stops, clicks and narrows the window. The message box has
// its own file.
import { describe, expect, it } from "vitest";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { BROWSER_PATIENCE_MS, pageTest } from "../support/page-browser.ts";

const at = pageTest();
const PATIENCE = { timeout: BROWSER_PATIENCE_MS };
const stop = () => at.page.getByRole("button", { name: /Stop$/ });

/** Waits for an answer that has text and no Stop button; a turn that is still at work would meet the next test's reset. */
async function ended(): Promise<void> {
  await at.messages.last().locator(".prose > :not(.thinking)").first().waitFor();
  await stop().waitFor({ state: "detached" });
}

/** Asks with /chat. */
async function send(text: string): Promise<void> {
  await at.box.fill(`/chat ${text}`);
  await at.page.keyboard.press("Enter");
}

/** Records in the page how long the words of the newest answer are, each time they change below a Stop button. */
const NOTE_LENGTHS = `lengths = [];
  new MutationObserver(() => {
    const words = document.querySelector("#messages > li:last-child .prose:not(:has(.thinking))");
    const isStoppable = [...document.querySelectorAll("button")].some((one) => /Stop$/.test(one.textContent));
    if (words && isStoppable) lengths.push(words.textContent.length);
  }).observe(document.getElementById("messages"), { childList: true, subtree: true, characterData: true })`;

describe("the playground's page", () => {
  it("streams an answer into one message, with a Stop button until its end", async () => {
    await at.page.evaluate(NOTE_LENGTHS);
    await send("count to 150");
    await at.page.getByText("149, 150.").waitFor();
    await ended();
    const lengths = (await at.page.evaluate("lengths")) as number[];
    expect(lengths.at(-1)).toBeGreaterThan(lengths[0] ?? Number.NaN);
    expect(await at.messages.count()).toBe(1);
    expect(await at.messages.locator(".command").innerText()).toMatch(/Mira\s+used\s+\/chat$/);
    await at.page.getByRole("button", { name: "/chat" }).click();
    expect(await at.messages.locator(".asked").innerText()).toBe("count to 150");
  });

  it("stops a long answer at the model's socket, and keeps the text so far", async () => {
    await at.page.getByRole("button", { name: "A long story" }).click();
    await at.page.getByText("Lanternfall").waitFor();
    await stop().click();
    await at.page.getByText("Stopped by").waitFor();
    await ended();
    expect(await at.page.getByText("Far Lantern").count()).toBe(0);
    const log = async () => await (await fetch(`${at.url}/local/model/log`)).json();
    await expect.poll(log, PATIENCE).toMatchObject([{ status: 200, aborted: true, finished: false }]);
  });

  it("shows code as code, and continues a long answer in a second message", async () => {
    await send("show me code");
    await ended();
    expect(await at.messages.locator(".code pre").innerText()).toContain("export function admit(");
    expect(await at.page.locator("#messages").innerText()).not.toContain("```");
    await send("a very long answer with code");
    await at.page.getByText("nothing was lost between the messages").waitFor();
    await ended();
    expect(await at.messages.count()).toBe(3);
    // Discord shows the second message as a reply to the first.
    expect(await at.messages.last().locator(".reply-line strong").innerText()).toBe("Parley");
  });

  it("shows a table as code, with its columns aligned", async () => {
    await send("show me a table");
    await ended();
    const table = await at.messages.locator(".code pre").first().innerText();
    expect(table).toContain("Parrots       | こんにちは |  12.50 |  🦜");
    expect(await at.page.locator("#messages").innerText()).not.toContain("|---");
  });

  it("sends a file with a message, which the model reads and the message list names", async () => {
    const notes = { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Notes\nroll 3d6") };
    await at.page.getByLabel("File", { exact: true }).setInputFiles(notes);
    await at.page.getByText("📎 notes.md").waitFor();
    await send("what is in it?");
    await at.page.getByText("I leafed through").waitFor();
    await ended();
    expect(await at.messages.last().innerText()).toContain("notes.md: 2 lines, and it begins with “# Notes roll 3d6”");
    expect(await at.messages.locator(".asked").textContent()).toBe("what is in it? file:notes.md");
    expect(await at.page.getByText("📎 notes.md").count()).toBe(0);
    const archive = { name: "all.zip", mimeType: "application/zip", buffer: Buffer.from([80, 75, 3, 4]) };
    await at.page.getByLabel("File", { exact: true }).setInputFiles(archive);
    await send("and in this one?");
    await at.messages.locator(".subtext", { hasText: "I skipped all.zip" }).waitFor();
    await ended();
  });

  it("shows a model's words as text, never as markup or as a link that runs code", async () => {
    const text = "<img src=x onerror=alert(1)> [run](javascript:alert(1)) **bold**";
    await at.tell("/local/model/script", [{ chunks: [{ text }] }]);
    await send("anything");
    await at.page.getByText("onerror=alert(1)").waitFor();
    await ended();
    expect(await at.messages.locator("img, a").count()).toBe(0);
    expect(await at.messages.locator("strong", { hasText: "bold" }).count()).toBe(1);
  });

  it("shows a failure as the product's small warning line, and speaks as the chosen person", async () => {
    await at.page.getByRole("radio", { name: "Theo" }).check();
    await at.page.getByRole("button", { name: "Fail" }).click();
    await at.messages.locator(".subtext", { hasText: "⚠️" }).waitFor();
    await ended();
    expect(await at.messages.locator(".command").innerText()).toMatch(/^T?\s*Theo\s+used\s+\/chat/);
  });

  it("shows who asked above each answer, even if a question is repeated", async () => {
    for (const count of [1, 2]) {
      await send("hello");
      await expect.poll(() => at.page.getByText("Ahoy, Mira").count(), PATIENCE).toBe(count);
      await ended();
    }
    expect(await at.messages.locator(".command:visible").count()).toBe(2);
  });

  it("says who everyone is in the shown server, and goes where the chosen person is", async () => {
    const people = () => at.page.locator(".person").allInnerTexts();
    const place = () => at.page.locator("#place-name").innerText();
    await expect
      .poll(people, PATIENCE)
      .toEqual(["J\nJuno\nowner", "M\nMira\nmoderator", "T\nTheo\nmember", "W\nWren\nnot a member"]);
    await at.page.getByRole("radio", { name: "Wren" }).check();
    await expect.poll(place, PATIENCE).toBe("Lighthouse");
    await expect
      .poll(people, PATIENCE)
      .toEqual(["J\nJuno\nowner", "M\nMira\nnot a member", "T\nTheo\nmember", "W\nWren\nserver owner"]);
    expect(await at.page.getByRole("button", { name: "Parley Lounge: Wren is not a member" }).isDisabled()).toBe(true);
    await send("hello");
    await at.page.getByText("Ahoy, Wren").waitFor();
    await ended();
    await at.page.getByRole("radio", { name: "Theo" }).check();
    await at.page.getByText("Ahoy, Wren").waitFor();
    await at.page.getByRole("button", { name: "Parley Lounge" }).click();
    await expect.poll(place, PATIENCE).toBe("Parley Lounge");
    expect(await at.page.locator("#channels button").allInnerTexts()).toEqual(["#general", "↳ late night ideas"]);
    await at.page.getByRole("radio", { name: "Juno" }).check();
    await at.page.getByRole("button", { name: "#staff" }).waitFor();
  });

  it("shows a private answer only to its asker, and a group's bot only to the person who brought it along", async () => {
    await at.page.getByRole("radio", { name: "Theo" }).check();
    await at.box.fill("/bot status");
    await at.page.keyboard.press("Enter");
    await at.messages.locator(".note", { hasText: "Only you can see this" }).waitFor();
    await at.page.getByRole("radio", { name: "Mira" }).check();
    await at.messages.first().waitFor({ state: "detached" });
    await at.page.getByRole("radio", { name: "Theo" }).check();
    await at.messages.locator(".note").waitFor();
    await at.page.getByRole("button", { name: "Direct messages" }).click();
    await at.page.getByRole("button", { name: "weekend plans" }).click();
    await expect.poll(() => at.page.locator("#topic").innerText(), PATIENCE).toContain("The bot is not here");
    await send("hello");
    await at.page.getByRole("alert").getByText("only for people who installed it").waitFor();
    await at.page.getByRole("radio", { name: "Wren" }).check();
    await at.page.getByRole("alert").waitFor({ state: "hidden" });
    await at.box.fill("");
    await send("hello");
    await at.page.getByText("Ahoy, Wren").waitFor();
    await ended();
  });

  it("shows nothing to click before it is connected, and no text field under a command's fields", async () => {
    await at.page.route("**/local/state**", (route) => route.abort());
    await at.page.reload();
    await at.page.getByText("Connection lost").waitFor();
    expect(await at.page.locator("#suggestions").isVisible()).toBe(false);
    await at.page.unroute("**/local/state**");
    await at.box.fill("/config set");
    await at.page.keyboard.press("Enter");
    await at.page.getByLabel("key").waitFor();
    expect(await at.page.locator("#composer").isVisible()).toBe(false);
  });

  it("lists the commands after a slash, completes their options, and shows the result of one", async () => {
    await at.box.fill("/config s");
    await at.page.keyboard.press("ArrowDown");
    await at.page.keyboard.press("Enter");
    await at.page.getByLabel("key").fill("follow_up");
    await at.page.getByLabel("value").focus();
    const offered = at.page.locator("#offers-value option");
    await expect
      .poll(() => offered.evaluateAll((all) => all.map((one) => one.getAttribute("value"))), PATIENCE)
      .toEqual(["interrupt", "queue", "steer"]);
    await at.page.getByLabel("value").fill("queue");
    await at.page.keyboard.press("Enter");
    await at.messages.getByText("Now set to:").waitFor();
    expect(await at.messages.locator(".note").innerText()).toContain("Only you can see this");
  });

  it("sets an option that is true or false", async () => {
    await at.box.fill("/chat");
    await at.page.keyboard.press("Enter");
    await at.page.getByRole("textbox", { name: "message What" }).fill("hello");
    await at.page.getByLabel("thread").fill("True");
    await at.page.getByRole("button", { name: "Send", exact: true }).last().click();
    await at.messages.getByRole("link", { name: "# hello" }).waitFor();
  });

  it("uses a command once, however often its button is pressed", async () => {
    let uses = 0;
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await at.page.route("**/local/interact", async (route) => {
      uses++;
      await held;
      await route.continue();
    });
    await at.box.fill("/chat");
    await at.page.keyboard.press("Enter");
    await at.page.getByRole("textbox", { name: "message What" }).fill("hello");
    await at.page.keyboard.press("Enter");
    await at.page.keyboard.press("Enter");
    answer();
    await at.page.locator("#composer").waitFor();
    expect(uses).toBe(1);
    await ended();
  });

  it("opens the form of /ask-long, submits its text and file, and asks about a message from its menu", async () => {
    await at.box.fill("/ask-long");
    await at.page.keyboard.press("Enter");
    await at.page.getByLabel("Your question").fill("one\ntwo");
    const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("abc") };
    const [question, files] = [at.page.getByLabel("Your question"), at.page.getByLabel("Files")];
    const below = async () => ((await files.boundingBox())?.y ?? 0) - ((await question.boundingBox())?.y ?? 0);
    // The label, the box and the picker each have a separate line.
    expect(await below()).toBeGreaterThan((await question.boundingBox())?.height ?? Number.NaN);
    await files.setInputFiles(notes);
    await at.page.route("**/local/interact", (route) => route.abort());
    await at.page.getByRole("button", { name: "Submit" }).click();
    // The line above the box is covered by the form.
    await at.page.getByRole("dialog").getByRole("alert").getByText("does not answer").waitFor();
    await at.page.unroute("**/local/interact");
    await at.page.getByRole("button", { name: "Submit" }).click();
    await ended();
    expect(await at.messages.locator(".asked").textContent()).toBe("one\ntwo");
    await at.messages.first().hover();
    await at.page.getByRole("button", { name: "Ask about this" }).click();
    await at.messages.nth(1).waitFor();
    await ended();
    expect(await at.messages.nth(1).locator(".command").innerText()).toContain("Ask about this");
  });

  it("keeps the name of a command on one line, and all fields of its form within reach in a low window", async () => {
    await at.page.setViewportSize({ width: 390, height: 780 });
    await at.box.fill("/");
    const heights = await at.page.locator("#palette .pill").evaluateAll((all) => all.map((one) => one.clientHeight));
    expect(new Set(heights).size).toBe(1);
    await at.page.setViewportSize({ width: 640, height: 400 });
    await at.box.fill("/deliberate trigger");
    await at.page.keyboard.press("Enter");
    await at.page.getByLabel("action").waitFor();
    expect(await at.page.evaluate("document.documentElement.scrollHeight")).toBe(400);
    const submit = at.page.locator("#command").getByRole("button", { name: "Send" });
    await at.page.locator("#command").hover();
    await at.page.mouse.wheel(0, 600);
    await expect.poll(async () => ((await submit.boundingBox())?.y ?? 400) < 370, PATIENCE).toBe(true);
  });

  it("goes back to the previous channel, and forward again, with the browser's buttons", async () => {
    const title = () => at.page.getByRole("heading", { level: 1 }).innerText();
    await expect.poll(title, PATIENCE).toBe("#general");
    await at.page.getByRole("button", { name: "↳ late night ideas" }).click();
    await expect.poll(title, PATIENCE).toBe("↳ late night ideas");
    await at.page.getByRole("radio", { name: "Theo" }).check();
    await expect.poll(() => at.page.url(), PATIENCE).toContain(`as=${PEOPLE.theo}`);
    await at.page.goBack();
    await expect.poll(title, PATIENCE).toBe("#general");
    await at.page.goForward();
    await expect.poll(title, PATIENCE).toBe("↳ late night ideas");
    expect(await at.page.getByRole("radio", { name: "Theo" }).isChecked()).toBe(true);
  });

  it("says that the connection is lost, and reconnects by itself", async () => {
    await at.page.route("**/local/events**", (route) => route.abort());
    await at.page.reload();
    await at.page.getByText("Connection lost").waitFor();
    await at.page.unroute("**/local/events**");
    await at.page.getByText("Connection lost").waitFor({ state: "hidden" });
    await send("hello");
    await at.page.getByText("Ahoy, Mira").waitFor();
    await ended();
  });

  it("fits a phone: nothing scrolls sideways, and the channels slide in and out", async () => {
    await at.page.setViewportSize({ width: 390, height: 780 });
    await send("show me code");
    await at.messages.locator(".code pre").waitFor();
    await ended();
    const widths = "[document.documentElement.scrollWidth, document.getElementById('scroller').scrollWidth]";
    for (const width of [390, 320]) {
      await at.page.setViewportSize({ width, height: 780 });
      expect(await at.page.evaluate(widths)).toEqual([width, width]);
    }
    const thread = at.page.locator("#channels button.thread");
    expect(await thread.isVisible()).toBe(false);
    await at.page.getByRole("button", { name: "Channels" }).click();
    await thread.click();
    await expect.poll(() => at.page.getByRole("heading", { level: 1 }).innerText(), PATIENCE).toMatch(/^↳ /);
    await thread.waitFor({ state: "hidden" });
    expect(await at.messages.count()).toBe(0);
  });
});
