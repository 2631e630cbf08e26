// How the page looks in a real browser: light and dark, the colors of code, pictures, a phone, touch, the keyboard, and what axe finds.
import { describe, expect, it } from "vitest";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { BROWSER_PATIENCE_MS, findBarriers, pageTest } from "../support/page-browser.ts";

const at = pageTest();
const PATIENCE = { timeout: BROWSER_PATIENCE_MS };
const DARK = "rgb(49, 51, 56)";
const LIGHT = "rgb(255, 255, 255)";
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const styleOf = (selector: string, property: string) =>
  at.page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`);
const ground = () => styleOf("body", "backgroundColor");

describe("the theme", () => {
  it("is the system's until a person chooses one, which is kept", async () => {
    await at.page.emulateMedia({ colorScheme: "dark" });
    expect(await ground()).toBe(DARK);
    await at.page.emulateMedia({ colorScheme: "light" });
    expect(await ground()).toBe(LIGHT);
    const choice = () => at.page.getByRole("button", { name: /^Colors/ });
    await choice().click();
    await choice().click();
    expect(await ground()).toBe(DARK);
    await at.page.reload();
    await at.page.getByRole("button", { name: "Colors: dark" }).waitFor();
    expect(await ground()).toBe(DARK);
    await choice().click();
    expect(await ground()).toBe(LIGHT);
    await at.page.emulateMedia({ colorScheme: "dark" });
    expect(await ground()).toBe(DARK);
  });
});

it("shows in high contrast which channel, person and command are chosen", async () => {
  await at.page.emulateMedia({ forcedColors: "active" });
  await at.box.fill("/bot");
  for (const chosen of ["#channels [aria-current]", ".person:has(:checked)", ".offer[aria-selected='true']"])
    expect([chosen, await styleOf(chosen, "outlineStyle")]).toEqual([chosen, "solid"]);
  expect(await styleOf("#composer", "borderTopStyle")).toBe("solid");
});

describe("a message", () => {
  it("has its code in colors, each different from the text's", async () => {
    await at.ask("show me code");
    expect(await at.messages.locator(".code .hljs-keyword").first().innerText()).toBe("type");
    const colors = ["keyword", "string", "comment", "title"].map((name) => styleOf(`.code .hljs-${name}`, "color"));
    expect(new Set([...(await Promise.all(colors)), await styleOf(".code code", "color")]).size).toBe(5);
  });

  it("shows a persona's picture and an image from the network, which the page's policy lets through", async () => {
    await at.page.route("https://pictures.example/**", (route) =>
      route.fulfill({ contentType: "image/png", body: Buffer.from(DOT, "base64") }),
    );
    const headers = {
      authorization: `Bot ${APPLICATION.botToken}`,
      "content-type": "application/json",
      "user-agent": "DiscordBot (https://example.org, 1.0)",
    };
    const post = async (path: string, body: object) => {
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      return (await fetch(`${at.url}/api/v10${path}`, init)).json();
    };
    const hook = (await post(`/channels/${PLACES.general}/webhooks`, { name: "Captain" })) as Record<string, string>;
    const avatar_url = "https://pictures.example/captain.png";
    const said = { content: "Aye.", avatar_url, username: "Captain", allowed_mentions: { parse: [] } };
    await post(`/webhooks/${hook.id}/${hook.token}?wait=true`, said);
    const file = { filename: "map.png", contentType: "image/png", base64: DOT };
    await at.tell("/local/speak", { as: PEOPLE.theo, channel: PLACES.general, content: "", file });
    const widths = () =>
      at.messages
        .locator("img")
        .evaluateAll((all) => all.map((one) => (one as unknown as { naturalWidth: number }).naturalWidth));
    await expect.poll(widths, PATIENCE).toEqual([1, 1]);
    expect(await at.messages.locator(".avatar img").getAttribute("src")).toBe(avatar_url);
  });
});

describe("a person who can't see it, or has no pointer,", () => {
  it.each(["light", "dark"] as const)("meets no serious barrier in a conversation, in %s", async (colorScheme) => {
    await at.page.emulateMedia({ colorScheme });
    expect(await findBarriers(at.page)).toEqual([]);
    await at.ask("show me code");
    await at.ask("show me a table");
    await at.ask("fail");
    await at.box.fill("/bot status");
    await at.page.keyboard.press("Enter");
    await at.messages.locator(".note", { hasText: "Only you can see this" }).waitFor();
    const here = { as: PEOPLE.theo, channel: PLACES.general };
    const said =
      "**bold** `code` [a link](https://example.org) <t:1:R> ||hidden|| <@1180000000000000021>\n> quoted\n-# small";
    const { messageId } = (await at.tell("/local/speak", { ...here, content: said })) as { messageId: string };
    await at.tell("/local/touch", { kind: "react", as: PEOPLE.theo, messageId, emoji: "🎉" });
    await at.page.getByRole("button", { name: "🎉 1" }).waitFor();
    await at.messages.last().hover();
    expect(await findBarriers(at.page)).toEqual([]);
    await at.messages.last().getByRole("button", { name: "Reply" }).click();
    await at.box.fill("@the");
    expect(await findBarriers(at.page)).toEqual([]);
    await at.box.fill("/");
    await at.page.getByRole("option").first().waitFor();
    expect(await findBarriers(at.page)).toEqual([]);
    await at.box.fill("/config set");
    await at.page.keyboard.press("Enter");
    await at.page.getByLabel("key").waitFor();
    expect(await findBarriers(at.page)).toEqual([]);
  });

  it.each(["light", "dark"] as const)(
    "meets none in the side panel, in %s, wide and on a phone",
    async (colorScheme) => {
      await at.page.emulateMedia({ colorScheme });
      await at.ask("roll 3d6");
      await at.tell("/local/weather", { forecast: "malformed" });
      await at.ask("roll 2d6");
      await at.page.getByRole("button", { name: "Look inside" }).click();
      for (const name of ["Trace", "Discord", "Model", "Log", "Faults"]) {
        await at.page.getByRole("tab", { name }).click();
        const rows = at.page.locator(".watched:visible summary");
        if (name === "Discord" || name === "Model") await rows.first().click();
        expect([name, await findBarriers(at.page)]).toEqual([name, []]);
      }
      await at.page.setViewportSize({ width: 390, height: 780 });
      for (const name of ["Discord", "Faults"]) {
        await at.page.getByRole("tab", { name }).click();
        expect([name, await findBarriers(at.page)]).toEqual([name, []]);
        expect(await at.page.evaluate("document.documentElement.scrollWidth")).toBe(390);
      }
    },
  );

  it("reaches everything with the keyboard: the panel and its tabs, and back", async () => {
    const focused = () => at.page.evaluate("document.activeElement.textContent");
    await at.page.getByRole("button", { name: "Look inside" }).focus();
    await at.page.keyboard.press("Enter");
    expect(await focused()).toBe("Trace");
    await at.page.keyboard.press("ArrowRight");
    expect([await focused(), await at.page.locator("#requests").isVisible()]).toEqual(["Discord", true]);
    await at.page.keyboard.press("ArrowLeft");
    await at.page.keyboard.press("ArrowLeft");
    expect(await focused()).toBe("Faults");
    await at.page.keyboard.press("Escape");
    expect(await focused()).toContain("Look inside");
    expect(await at.page.locator("#panel").isVisible()).toBe(false);
  });

  it("gets with the keyboard into the channels that a narrow window opens, and back to their button", async () => {
    await at.page.setViewportSize({ width: 390, height: 780 });
    const focused = () => at.page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent");
    await at.page.getByRole("button", { name: "Channels" }).focus();
    await at.page.keyboard.press("Enter");
    expect(await focused()).toBe("#general");
    await at.page.keyboard.press("Escape");
    expect(await focused()).toBe("Channels");
    await at.page.locator("#rail").waitFor({ state: "hidden" });
    await at.box.focus();
    await at.page.keyboard.press("Escape");
    expect(await at.page.evaluate("document.activeElement.id")).toBe("message");
  });

  it("keeps the keyboard's place when a button or a message disappears, and while choosing who speaks", async () => {
    await at.box.fill("/chat count to 150");
    await at.tell("/local/model/script", [{ chunks: [{ text: "1, 2, " }, { hang: true }] }]);
    await at.page.keyboard.press("Enter");
    await at.page.getByRole("button", { name: /Stop$/ }).focus();
    await at.page.keyboard.press("Enter");
    await at.messages.first().getByText("Stopped by").waitFor();
    await at.page.getByRole("button", { name: /Stop$/ }).waitFor({ state: "detached" });
    expect(await at.messages.first().evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    // The list would cut off a line around it.
    expect(await styleOf(".message:focus-visible", "outlineOffset")).toBe("-2px");
    await at.ask("roll 3d6");
    // A click on Delete is refused until the channel knows that Discord has the last words.
    const traced = { kind: "command", name: "bot", subcommand: "trace", as: PEOPLE.mira, channel: PLACES.general };
    await expect
      .poll(async () => {
        await at.tell("/local/interact", traced);
        return at.messages.last().textContent();
      }, PATIENCE)
      .toContain("delivered");
    await at.page.getByRole("button", { name: /Delete$/ }).press("Enter");
    await at.messages.getByText(" makes ").waitFor({ state: "detached" });
    expect(await at.page.evaluate("document.activeElement.matches('#messages > li')")).toBe(true);
    await at.page.getByRole("radio", { name: "Mira" }).focus();
    for (const name of ["Theo", "Wren"]) {
      await at.page.keyboard.press("ArrowRight");
      const radio = at.page.getByRole("radio", { name });
      await expect.poll(() => at.page.url(), PATIENCE).toContain(`as=${await radio.getAttribute("value")}`);
      await expect.poll(() => radio.evaluate((one) => one === one.ownerDocument.activeElement), PATIENCE).toBe(true);
    }
  });

  it("hears which command or name the keys have marked, and gets to the reactions after their button", async () => {
    const marked = () =>
      at.page.evaluate("document.getElementById(message.getAttribute('aria-activedescendant') ?? '')?.textContent");
    await at.box.fill("/bot");
    await at.page.keyboard.press("ArrowDown");
    expect(await marked()).toMatch(/^\/bot status/);
    await at.box.fill("@the");
    expect(await marked()).toMatch(/Theo/);
    await at.box.fill("none");
    expect(await marked()).toBeUndefined();
    await at.page.keyboard.press("Enter");
    await at.messages.last().getByRole("button", { name: "React", exact: true }).focus();
    await at.page.keyboard.press("Enter");
    await at.page.keyboard.press("Tab");
    expect(await at.page.evaluate("document.activeElement.ariaLabel")).toBe("React with 👍");
  });

  it("opens the tools of a message by touch", async () => {
    const { messageId } = (await at.tell("/local/speak", {
      ...{ as: PEOPLE.theo, channel: PLACES.general },
      content: "touch me",
    })) as { messageId: string };
    const context = await at.page
      .context()
      .browser()
      ?.newContext({
        ...{ hasTouch: true, isMobile: true },
        viewport: { width: 390, height: 780 },
      });
    context?.setDefaultTimeout(BROWSER_PATIENCE_MS);
    const phone = await context?.newPage();
    await phone?.goto(at.url);
    const message = phone?.locator(`[data-id="${messageId}"]`);
    await message?.getByText("touch me").tap();
    await message?.getByRole("button", { name: "Reply" }).tap();
    await phone?.getByRole("group", { name: "Reply" }).waitFor();
    await context?.close();
  });
});
