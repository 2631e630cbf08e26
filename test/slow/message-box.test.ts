// The page's message box in a real browser: mentions, replies, direct messages, typing, edits, reactions, and a list that keeps up.
// A bot that answers at once listens at the Gateway if a test says so.
import { afterEach, describe, expect, it } from "vitest";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { type AnsweringBot, answeringBot } from "../support/answering-bot.ts";
import { BROWSER_PATIENCE_MS, pageTest } from "../support/page-browser.ts";

const at = pageTest();
const PATIENCE = { timeout: BROWSER_PATIENCE_MS };
const general = PLACES.general;
const { mira, theo } = PEOPLE;

let bot: AnsweringBot | undefined;
afterEach(() => {
  bot?.leave();
  bot = undefined;
});

const button = (name: string) => at.page.getByRole("button", { name, exact: true });
const message = (text: string) => at.messages.filter({ hasText: text });
const press = (key: string) => at.page.keyboard.press(key);

/** Writes it as a person would, and sends it. */
async function write(text: string): Promise<void> {
  await at.box.fill(text);
  await press("Enter");
}

/** Makes Theo write, who is not in the browser. */
const speak = (content: string, more: object = {}) =>
  at.tell("/local/speak", { as: theo, channel: general, content, ...more }) as Promise<{ messageId: string }>;

/** What Discord has stored. */
async function stored(channel: string = general): Promise<Record<string, unknown>[]> {
  const state = await fetch(`${at.url}/local/state?channel=${channel}&as=${mira}`);
  return ((await state.json()) as { messages: Record<string, unknown>[] }).messages;
}

const distanceToEnd = () =>
  at.page
    .locator("#scroller")
    .evaluate((one) => Math.round(one.scrollHeight - one.scrollTop - one.clientHeight)) as Promise<number>;

describe("the message box", () => {
  it("sends what is written as an ordinary message, with its lines, and completes the mention of the bot", async () => {
    bot = await answeringBot(at.url);
    expect(await at.box.getAttribute("placeholder")).toBe("Message #general — write @Parley or / for commands");
    await at.box.pressSequentially("hey @pa");
    await at.page.getByRole("option", { name: "Parley" }).waitFor();
    await press("Tab");
    await at.box.pressSequentially("hello");
    await press("Shift+Enter");
    await at.box.pressSequentially("you and @the");
    await at.page.getByRole("option", { name: "Theo" }).click();
    await press("Enter");
    await at.page.getByText("Heard you, mira.").waitFor();
    expect(await stored()).toMatchObject([
      { content: `hey <@${APPLICATION.id}> hello\nyou and <@${theo}>`, author: { name: "Mira" } },
      { content: "Heard you, mira.", repliesTo: { author: "Mira", pings: false } },
    ]);
    expect(await at.messages.first().locator(".mention").allInnerTexts()).toEqual(["@Parley", "@Theo"]);
    expect(await at.box.inputValue()).toBe("");
  });

  it("tells a person who writes to no one how to ask, until they have asked", async () => {
    bot = await answeringBot(at.url);
    const line = at.page.getByRole("status").getByText("That was between people.");
    await write("hello?");
    await line.waitFor();
    await write("@Parley hello");
    await at.page.getByText("Heard you, mira.").waitFor();
    await line.waitFor({ state: "hidden" });
    await write("and hello Theo");
    await message("and hello Theo").waitFor();
    expect(await line.isHidden()).toBe(true);
  });

  it("asks by a mention if the bot listens, and by /chat if it doesn't, and then says so", async () => {
    await write("@Parley hello");
    await at.page.getByRole("status").getByText("it hears only commands").waitFor();
    await button("❔ Help").click();
    await message("local model").locator(".command").waitFor();
    bot = await answeringBot(at.url);
    await at.page.getByText("it hears only commands").waitFor({ state: "hidden" });
    await button("🎲 Roll 3d6").click();
    await at.page.getByText("Heard you, mira.").waitFor();
    await expect.poll(async () => (await stored()).at(-2)?.content, PATIENCE).toBe(`<@${APPLICATION.id}> roll 3d6`);
  });

  it("answers every direct message, in a separate place", async () => {
    bot = await answeringBot(at.url);
    await button("Direct messages").click();
    await expect
      .poll(() => at.box.getAttribute("placeholder"), PATIENCE)
      .toBe("Message @Parley — write anything, or / for commands");
    await write("hello");
    await at.page.getByText("Heard you, mira.").waitFor();
    expect(await stored()).toEqual([]);
  });

  it("leaves a mark if something was said elsewhere, until the person looks there", async () => {
    await button("Direct messages").click();
    await expect.poll(() => at.box.getAttribute("placeholder"), PATIENCE).toMatch("Message @Parley");
    await speak("psst");
    await button("Parley Lounge (unread)").waitFor();
    await button("Parley Lounge (unread)").click();
    await message("psst").waitFor();
    await button("Parley Lounge").waitFor();
    await button("↳ late night ideas").click();
    await at.page.getByText("Welcome to ↳ late night ideas").waitFor();
    await speak("again");
    await button("#general (unread)").click();
    await message("again").waitFor();
    await button("#general").waitFor();
  });

  it("replies by the button and by the keyboard, with the ping on or off, or not at all", async () => {
    await speak("a question for **everyone**");
    await message("a question").hover();
    await message("a question").getByRole("button", { name: "Reply" }).click();
    const bar = at.page.getByRole("group", { name: "Reply" });
    expect(await bar.innerText()).toMatch(/^Replying to Theo a question for everyone\s+@ ON\s+✕$/);
    await bar.getByRole("button", { name: "@ ON" }).click();
    await write("without a ping");
    await expect
      .poll(async () => (await stored()).at(-1), PATIENCE)
      .toMatchObject({ content: "without a ping", repliesTo: { author: "Theo", pings: false } });
    await bar.waitFor({ state: "hidden" });
    const reply = message("a question").first().getByRole("button", { name: "Reply" });
    await reply.focus();
    await press("Enter");
    await bar.waitFor();
    await press("Escape");
    await bar.waitFor({ state: "hidden" });
    await write("no reply");
    await expect.poll(async () => (await stored()).at(-1)?.content, PATIENCE).toBe("no reply");
    expect((await stored()).at(-1)).not.toHaveProperty("repliesTo");
  });

  it("draws a reply below a line that leads to its message, and says if that message is gone", async () => {
    const { messageId } = await speak("the first of many");
    for (let n = 0; n < 30; n++) await speak(`line ${n}`);
    const { messageId: answer } = await speak("here is why", { replyTo: messageId });
    const line = message("here is why").locator(".reply-line");
    expect(await line.innerText()).toMatch(/Theo\s+the first of many/);
    await line.getByRole("button").click();
    await expect.poll(() => at.page.locator(".message.found").getAttribute("data-id"), PATIENCE).toBe(messageId);
    expect(await distanceToEnd()).toBeGreaterThan(300);
    await at.tell("/local/touch", { kind: "delete", as: theo, messageId });
    await message("here is why").getByText("The original message was deleted").waitFor();
    expect(answer).not.toBe(messageId);
  });

  it("says who is typing, and notifies Discord when the person does", async () => {
    bot = await answeringBot(at.url);
    await write("@Parley hold this");
    await at.page.getByText("Parley is typing…").waitFor();
    await at.tell("/local/typing", { as: theo, channel: general });
    await at.page.getByText("Parley and Theo are typing…").waitFor();
    await at.box.pressSequentially("well");
    const typing = async () => {
      const state = await fetch(`${at.url}/local/state?channel=${general}&as=${theo}`);
      return ((await state.json()) as { typing: string[] }).typing;
    };
    await expect.poll(typing, PATIENCE).toContain(mira);
  });

  it("edits the last message by ↑, deletes one, and offers neither for another person's", async () => {
    await speak("Theo's own");
    await write("first @Parley");
    await message("first").waitFor();
    await press("ArrowUp");
    const field = at.page.getByLabel("Edit the message");
    expect(await field.inputValue()).toBe("first @Parley");
    await field.fill("second @Parley");
    await press("Enter");
    await message("second").getByText("(edited)").waitFor();
    expect((await stored()).at(-1)?.content).toBe(`second <@${APPLICATION.id}>`);
    await expect.poll(() => at.box.evaluate((one) => one === one.ownerDocument.activeElement), PATIENCE).toBe(true);
    await press("ArrowUp");
    await field.fill("third");
    await press("Escape");
    await field.waitFor({ state: "detached" });
    await message("second").hover();
    await message("second").getByRole("button", { name: "Delete" }).click();
    await message("second").waitFor({ state: "detached" });
    expect(
      await message("Theo's own")
        .getByRole("button", { name: /Edit|Delete/ })
        .count(),
    ).toBe(0);
  });

  it("adds a reaction and takes it back, from the message's tools and from the reaction itself", async () => {
    const { messageId } = await speak("nice?");
    await at.tell("/local/touch", { kind: "react", as: theo, messageId, emoji: "🎉" });
    await button("🎉 1").click();
    await button("🎉 2").waitFor();
    await message("nice?").hover();
    await message("nice?").getByRole("button", { name: "React", exact: true }).click();
    await button("React with 👍").click();
    await button("👍 1").click();
    await button("👍 1").waitFor({ state: "detached" });
    expect((await stored())[0]?.reactions).toEqual([{ emoji: "🎉", count: 2, mine: true }]);
  });

  it("keeps to the end of the list after sending, and leaves a reader who scrolled up where they are", async () => {
    for (let n = 0; n < 40; n++) await speak(`line ${n}`);
    await message("line 39").waitFor();
    await expect.poll(distanceToEnd, PATIENCE).toBe(0);
    await at.box.pressSequentially("one");
    for (let n = 0; n < 6; n++) await press("Shift+Enter");
    await at.box.pressSequentially("two");
    await press("Enter");
    await speak("three\n\nthree");
    await message("three").waitFor();
    await expect.poll(distanceToEnd, PATIENCE).toBe(0);
    await at.page.locator("#scroller").hover();
    await at.page.mouse.wheel(0, -600);
    await expect.poll(distanceToEnd, PATIENCE).toBeGreaterThan(300);
    const before = await at.page.locator("#scroller").evaluate((one) => one.scrollTop);
    await speak("four");
    await message("four").waitFor();
    expect(await at.page.locator("#scroller").evaluate((one) => one.scrollTop)).toBe(before);
    await button("Jump to the newest ↓").click();
    await expect.poll(distanceToEnd, PATIENCE).toBe(0);
  });

  it("keeps to the end of the list when a message above becomes shorter while the list grows", async () => {
    const { messageId } = await speak("above\n".repeat(12));
    for (let n = 0; n < 30; n++) await speak(`line ${n}`);
    await message("line 29").waitFor();
    await expect.poll(distanceToEnd, PATIENCE).toBe(0);
    // A caller that asks what is under the pointer between a change and its frame makes the browser lay out the list early.
    await at.page.evaluate(`new MutationObserver(() => document.elementFromPoint(600, 300))
      .observe(document.getElementById("messages"), { childList: true, subtree: true })`);
    // Both are in one event, and so in one frame.
    await Promise.all([
      at.tell("/local/touch", { kind: "edit", as: theo, messageId, content: "less" }),
      speak("below\n".repeat(12)),
    ]);
    await message("below").waitFor();
    await expect.poll(distanceToEnd, PATIENCE).toBe(0);
    expect(await button("Jump to the newest ↓").isVisible()).toBe(false);
  });

  it("shows a new thread in the rail and by its name at once, and goes there by its link", async () => {
    const { messageId } = await speak("let us talk");
    const headers = { authorization: `Bot ${APPLICATION.botToken}`, "content-type": "application/json" };
    const agent = { "user-agent": "DiscordBot (https://example.org, 1.0)" };
    const path = `/api/v10/channels/${general}/messages/${messageId}/threads`;
    await fetch(at.url + path, { method: "POST", headers: { ...headers, ...agent }, body: '{"name":"more of it"}' });
    await speak(`It goes on in <#${messageId}>`);
    await button("↳ more of it").waitFor();
    await message("It goes on").getByRole("link", { name: "#more of it" }).click();
    await expect.poll(() => at.page.getByRole("heading", { level: 1 }).innerText(), PATIENCE).toBe("↳ more of it");
  });

  it("gives a refused message back with its reply, and says why", async () => {
    await speak("too short");
    await message("too short").hover();
    await message("too short").getByRole("button", { name: "Reply" }).click();
    await write("x".repeat(2001));
    await at.page.getByRole("alert").getByText("at most 2000 characters").waitFor();
    expect(await at.box.inputValue()).toHaveLength(2001);
    await at.page.getByRole("group", { name: "Reply" }).waitFor();
  });

  it("also uses a command that is typed alone by the send button, and with a space after it", async () => {
    await at.box.fill("/help");
    await button("Send").click();
    await at.messages.last().locator(".command").getByText("/help").waitFor();
    await at.box.fill("/bot status ");
    await press("Enter");
    await at.messages.last().locator(".command").getByText("/bot status").waitFor();
  });

  it("keeps what was left in the box with its channel, and closes the fields of a command", async () => {
    const title = () => at.page.getByRole("heading", { level: 1 }).innerText();
    await at.box.fill("half a sentence for everyone");
    await button("Direct messages").click();
    await expect.poll(title, PATIENCE).toBe("@Parley");
    expect(await at.box.inputValue()).toBe("");
    await at.box.fill("/config set");
    await press("Enter");
    await at.page.getByLabel("value").waitFor();
    await button("Parley Lounge").click();
    await expect.poll(title, PATIENCE).toBe("#general");
    expect(await at.page.getByLabel("value").isVisible()).toBe(false);
    expect(await at.box.inputValue()).toBe("half a sentence for everyone");
    // Choosing another speaker doesn't change the channel.
    await at.page.getByRole("radio", { name: "Theo" }).check();
    await expect.poll(() => at.page.url(), PATIENCE).toContain(`as=${theo}`);
    expect(await at.box.inputValue()).toBe("half a sentence for everyone");
  });

  it("attaches a file to a message without words, and shows a picture as one", async () => {
    const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const picture = { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(dot, "base64") };
    await at.page.getByLabel("File", { exact: true }).setInputFiles(picture);
    await at.box.focus();
    await press("Enter");
    const shown = at.page.getByRole("img", { name: "dot.png" });
    await shown.waitFor();
    await expect
      .poll(() => shown.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth), PATIENCE)
      .toBe(1);
  });

  it("runs nothing from a file that is opened", async () => {
    const words = "<p>a page</p><script>document.title = 'it ran'</script>";
    const file = { filename: "a.html", contentType: "text/html", base64: Buffer.from(words).toString("base64") };
    await at.tell("/local/speak", { channel: PLACES.general, as: PEOPLE.mira, content: "", file });
    const [opened] = await Promise.all([
      at.page.waitForEvent("popup"),
      at.messages.getByRole("link", { name: "a.html" }).click(),
    ]);
    await opened.getByText("a page").waitFor();
    expect(await opened.title()).toBe("");
    await opened.close();
  });

  it("fits a phone, with a reply above the box and the tools within the window", async () => {
    await at.page.setViewportSize({ width: 390, height: 780 });
    await speak(`a long question ${"that goes on ".repeat(20)}`);
    await at.messages.first().hover();
    const tools = await at.messages.first().locator(".menu").boundingBox();
    expect(tools && tools.x >= 0 && tools.x + tools.width <= 390).toBe(true);
    await at.messages.first().getByRole("button", { name: "Reply" }).click();
    const widths = "[document.documentElement.scrollWidth, document.getElementById('scroller').scrollWidth]";
    expect(await at.page.evaluate(widths)).toEqual([390, 390]);
  });
});
