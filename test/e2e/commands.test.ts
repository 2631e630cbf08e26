// Every command once through the production Worker, over real sockets: what a person does, and what they then read. A command
// without a round trip here is a failure.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { settingKeys } from "../../src/channel/settings.ts";
import { connectionFaultText, connectionText } from "../../src/core/copy/connections.ts";
import { say } from "../../src/core/copy/notices.ts";
import { ownerText } from "../../src/core/copy/owner-answers.ts";
import { cancelText, remindersText } from "../../src/core/copy/reminders.ts";
import { settingHistoryText } from "../../src/core/copy/settings.ts";
import { commands, messageCommands } from "../../src/discord/commands/commands.ts";
import type { Act, Interact, Outcome } from "../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { startDeployed } from "../support/deployed.ts";
import {
  createE2eWorld,
  type E2eChannel,
  type E2eWorld,
  MIRA,
  newChannel,
  requestTexts,
  THEO,
} from "../support/e2e-harness.ts";
import type { Product } from "../support/product.ts";
import { withinADay } from "../support/within-a-day.ts";
import { personRoundTrips } from "./person-round-trips.ts";

/** Juno owns the application. */
const { juno: OWNER, wren: WREN } = PEOPLE;
/** A server that no test uses. */
const ELSEWHERE = "1180000000000000999";

let world: E2eWorld;
let product: Product;

beforeAll(async () => {
  world = await createE2eWorld();
  // Everyone is let in, as on one's own machine, and there is a known owner.
  const devVars = `${world.devVars}\nOWNER_IDS=${OWNER}\nMCP_ADD=managers\n`;
  product = await startDeployed("production", devVars);
  world.connect(product.url);
});
afterEach(() => expect(world.discord.violations).toEqual([]));
afterAll(async () => {
  await product?.stop();
  await world?.close();
});

/** One channel and what Mira does in it. */
class Room {
  readonly channel: E2eChannel = newChannel(world);

  do(act: Act, as = MIRA): Promise<Outcome> {
    return world.discord.interact({ ...act, as, channel: this.channel.id } as Interact);
  }

  use(path: string, options: Extract<Act, { kind: "command" }>["options"] = {}): Promise<Outcome> {
    const [name = "", subcommand] = path.split(" ");
    return this.do({ kind: "command", name, options, ...(subcommand && { subcommand }) });
  }

  /** What Mira read last, even if only she sees it. */
  read(): string {
    return world.discord.messages(this.channel.id, MIRA).at(-1)?.content ?? "";
  }

  /** Uses a command that answers at once, and reads the answer. */
  async answer(path: string, options: Extract<Act, { kind: "command" }>["options"] = {}): Promise<string> {
    expect(await this.use(path, options)).toMatchObject({ seen: "message" });
    return this.read();
  }

  /** Asks with these words, and waits for the answer. */
  async ask(message: string, answer: string): Promise<string[]> {
    const before = this.channel.answers().length;
    world.model.script([{ chunks: [{ text: answer }] }]);
    await this.use("chat", { message });
    return this.channel.settled(before + 1);
  }

  /** Begins an answer that continues until it is ended. */
  async begin(): Promise<void> {
    world.model.script([{ chunks: [{ text: "Once upon a time" }, { hang: true }] }]);
    await this.use("chat", { message: "a story" });
  }
}

/** Uses one of the owner's commands in a direct message with the bot, and reads the answer. */
async function ownerReads(subcommand: string, options: Record<string, string> = {}): Promise<string> {
  const channel = PLACES.dmOfJuno;
  await world.discord.interact({ kind: "command", as: OWNER, channel, name: "owner", subcommand, options });
  return world.discord.messages(channel, OWNER).at(-1)?.content ?? "";
}

/** The names of the tools that the model was last offered. */
function offered(): string[] {
  const body = world.model.log.at(-1)?.body as { tools?: { function: { name: string } }[] } | undefined;
  return (body?.tools ?? []).map((tool) => tool.function.name);
}

const ROUND_TRIPS: Record<string, (room: Room) => Promise<void>> = {
  async chat(room) {
    const file = {
      attachment: { filename: "notes.txt", contentType: "text/plain", text: "The key is under the mat." },
    };
    world.model.script([{ chunks: [{ text: "Under the mat." }] }]);
    await room.use("chat", { message: "where is the key?", file });
    expect(await room.channel.settled(1)).toEqual(["Under the mat."]);
    expect(requestTexts(world).at(-1)).toContain("The key is under the mat.");
  },

  async "ask-long"(room) {
    expect(await room.use("ask-long")).toMatchObject({ seen: "modal" });
    world.model.script([{ chunks: [{ text: "Two lines." }] }]);
    const files = [{ filename: "a.txt", contentType: "text/plain", text: "abc" }];
    const sent = await room.do({ kind: "submit", customId: "ask-long", fields: { question: "one\ntwo", files } });
    expect(sent).toMatchObject({ seen: "thinking" });
    expect(await room.channel.settled(1)).toEqual(["Two lines."]);
    expect(requestTexts(world).at(-1)).toMatch(/one\ntwo[\s\S]*abc/);
  },

  async "Ask about this"(room) {
    const messageId = world.discord.speak({ as: THEO, channel: room.channel.id, content: "Cats are liquid." });
    world.model.script([{ chunks: [{ text: "They flow." }] }]);
    expect(await room.do({ kind: "message-command", name: "Ask about this", messageId })).toMatchObject({
      seen: "thinking",
    });
    expect(await room.channel.settled(1)).toEqual(["They flow."]);
    expect(requestTexts(world).at(-1)).toContain("> Cats are liquid.");
  },

  async stop(room) {
    await room.begin();
    expect(await room.answer("stop")).toBe(`Stopped the answer to <@${MIRA}>.`);
    await room.channel.settled(1);
  },

  async "bot kill"(room) {
    await room.begin();
    expect(await room.answer("bot kill")).toBe(`Stopped the answer to <@${MIRA}>.`);
    await room.channel.settled(1);
  },

  async "bot status"(room) {
    expect(await room.answer("bot status")).toContain("Nothing is running.\nNo one is waiting.");
  },

  "bot usage": () =>
    withinADay(async () => {
      const room = new Room();
      await room.ask("hi", "Hello.");
      expect(await room.answer("bot usage")).toMatch(
        /^\*\*Today\*\*\nYou, in this channel: 1 answer, [\d,]+ tokens: [\d,]+ in \(0 cached\), [\d,]+ out\. Cost: .+\.\nThis channel: 1 answer \(no limit\), .+\nYou, in the whole server: /,
      );
    }),

  async "bot trace"(room) {
    await room.ask("hi", "Hello.");
    expect(await room.answer("bot trace")).toContain("completed");
  },

  async "reminders list"(room) {
    expect(await room.answer("reminders list")).toBe(remindersText([], false));
  },

  async "reminders cancel"(room) {
    expect(await room.answer("reminders cancel", { number: 3 })).toBe(cancelText("not_found", 3));
  },

  async "config show"(room) {
    expect((await room.answer("config show")).split("\n")).toHaveLength(settingKeys.length);
  },

  async "config set"(room) {
    const typing = { kind: "autocomplete", name: "config", subcommand: "set" } as const;
    const offered = await room.do({ ...typing, options: { key: "kill" }, focused: "key" });
    expect(offered.shown).toEqual([{ name: expect.stringMatching(/^kill_policy: /), value: "kill_policy" }]);
    const prompt = { key: "system_prompt", value: "You are a pirate." };
    expect(await room.answer("config set", prompt)).toBe("Now set to: `system_prompt`: `You are a pirate.` (set here)");
    await room.ask("hi", "Arr.");
    expect(JSON.stringify(world.model.log.at(-1)?.body)).toContain("You are a pirate.");
  },

  async "config clear"(room) {
    await room.use("config set", { key: "max_messages", value: "2" });
    expect(await room.answer("config clear", { key: "max_messages" })).toBe(
      "Now set to: `max_messages`: `5` (default)",
    );
    const server = { key: "follow_up", scope: "server" };
    expect(await room.answer("config set", { ...server, value: "queue" })).toContain(
      "In this channel now: `follow_up`: `queue` (from the server)",
    );
    expect(await room.answer("config show")).toContain("`follow_up`: `queue` (from the server)");
    await room.ask("hi", "Hello.");
    expect(await room.answer("config clear", server)).toContain("Cleared for this server: `follow_up`.");
  },

  async "config history"(room) {
    expect(await room.answer("config history")).toBe(settingHistoryText([]));
    await room.use("config set", { key: "max_messages", value: "2" });
    expect(await room.answer("config history")).toMatch(/^<t:\d+:f> <@\d+>: `max_messages` from not set to `2`$/);
    await room.use("config set", { key: "link_previews", value: "true", scope: "server" });
    await room.use("config clear", { key: "link_previews", scope: "server" });
    expect(await room.answer("config history", { scope: "server" })).toMatch(
      /`link_previews` from `true` to not set\n/,
    );
  },

  async model(room) {
    expect(await room.answer("model")).toContain("**in use here**");
    const typing = { kind: "autocomplete", name: "model" } as const;
    const offered = await room.do({ ...typing, options: { name: "" }, focused: "name" });
    expect(offered.shown).toEqual([{ name: "default", value: "default" }]);
    expect(await room.answer("model", { name: "default" })).toBe("Now set to: `model`: `default` (set here)");
    expect(await room.answer("model", { name: "gone" })).toMatch(/^`model` must be one of the configured models/);
  },

  async "owner servers"(room) {
    expect(await ownerReads("servers")).toMatch(/^(Servers|No one)/);
    expect(await room.answer("owner servers")).toBe(ownerText.ownersOnly);
  },

  async "owner allow"() {
    expect(await ownerReads("allow", { server: ELSEWHERE })).toContain(ownerText.allowed(ELSEWHERE));
    expect(await ownerReads("servers")).toContain(`\`${ELSEWHERE}\``);
  },

  async "owner deny"() {
    const wanted = { server: ELSEWHERE, reason: "Too loud." };
    expect(await ownerReads("deny", wanted)).toContain(ownerText.denied(ELSEWHERE, "Too loud."));
    expect(await ownerReads("servers")).toContain("denied: Too loud.");
  },

  async "owner block"() {
    expect(await ownerReads("block", { user: WREN })).toContain(ownerText.blocked(WREN));
    expect(await ownerReads("block", { user: OWNER })).toBe(ownerText.isOwner);
    await ownerReads("unblock", { user: WREN });
  },

  async "owner unblock"() {
    await ownerReads("block", { user: WREN });
    expect(await ownerReads("unblock", { user: `<@${WREN}>` })).toContain(ownerText.unblocked(WREN));
    expect(await ownerReads("unblock", { user: WREN })).toBe(ownerText.unchanged);
  },

  async "owner usage"(room) {
    await room.ask("hi", "Hello.");
    expect(await ownerReads("usage")).toMatch(/today/i);
    expect(await room.answer("owner usage")).toBe(ownerText.ownersOnly);
  },

  async "owner pause"() {
    expect(await ownerReads("pause", { state: "on" })).toContain(ownerText.paused);
    expect(await ownerReads("pause", { state: "off" })).toContain(ownerText.resumed);
  },

  async "tools list"(room) {
    expect(await room.answer("tools list")).toContain("`roll_dice` (safe): offered");
  },

  async "tools connect"(room) {
    expect(await room.answer("tools connect", { server: "wiki" })).toBe(connectionFaultText("no_key", undefined));
  },

  async "tools disconnect"(room) {
    expect(await room.answer("tools disconnect", { server: "wiki" })).toBe(connectionText.notConnected("wiki"));
  },

  async "tools add"(room) {
    const reason = "its host is not on the public internet";
    const wanted = { name: "docs", url: "https://10.0.0.1/mcp" };
    expect(await room.answer("tools add", wanted)).toBe(connectionFaultText("bad_address", reason));
  },

  async "tools remove"(room) {
    expect(await room.answer("tools remove", { name: "docs" })).toBe(connectionFaultText("not_added", undefined));
  },

  async "deliberate mode"(room) {
    expect(await room.answer("deliberate mode", { state: "on" })).toBe(
      "Deliberate tool mode is on here, and on for you. While it is on, a tool stays offered for 4 turns after it is used.",
    );
    await room.ask("hi", "Hello.");
    expect(offered()).toEqual([]);
    await room.ask("roll a d20", "No.");
    expect(offered()).toEqual(["roll_dice"]);
  },

  async "deliberate context"(room) {
    await room.use("deliberate mode", { state: "on" });
    expect(await room.answer("deliberate context", { turns: 1 })).toContain(
      "While it is on, a tool stays offered for 1 turn after",
    );
    const call = { name: "roll_dice", arguments: { notation: "1d6" } };
    world.model.script([{ chunks: [{ call }] }, { chunks: [{ text: "Rolled." }] }]);
    await room.use("chat", { message: "roll a d6" });
    await room.channel.settled(1);
    expect(await room.answer("tools list")).toContain("`roll_dice` (safe): offered for 1 more turn");
    await room.ask("nice", "Indeed.");
    expect(offered()).toEqual(["roll_dice"]);
    await room.ask("nice", "Indeed.");
    expect(offered()).toEqual([]);
  },

  async "deliberate trigger"(room) {
    const typing = { kind: "autocomplete", name: "deliberate", subcommand: "trigger" } as const;
    const options = { action: "add", tool: "roll" };
    const choices = await room.do({ ...typing, options, focused: "tool" });
    expect(choices.shown).toEqual([{ name: "roll_dice", value: "roll_dice" }]);
    await room.use("deliberate mode", { state: "on" });
    const trigger = { tool: "roll_dice", phrase: "fate" };
    expect(await room.answer("deliberate trigger", { ...trigger, action: "add" })).toBe("`roll_dice`: phrase `fate`");
    await room.ask("what says fate?", "No.");
    expect(offered()).toEqual(["roll_dice"]);
    const bad = { action: "add", tool: "roll_dice", pattern: "(a+)+" };
    expect(await room.answer("deliberate trigger", bad)).toMatch(
      /^The pattern is not allowed: .* Nothing was changed\.$/,
    );
    await room.use("deliberate trigger", { ...trigger, action: "remove" });
    expect(await room.answer("deliberate trigger", { action: "list" })).toContain("no triggers of its own");
  },

  async "deliberate me"(room) {
    expect(await room.answer("deliberate me", { state: "on" })).toContain("off here, and on for you");
    await room.ask("hi", "Hello.");
    expect(offered()).toEqual([]);
  },

  async scene(room) {
    for (const name of ["Ada", "Bob"]) await room.use("persona create", { name, prompt: `You are ${name}.` });
    world.model.script([{ chunks: [{ text: "I begin." }] }, { chunks: [{ text: "I end." }] }]);
    await room.use("scene", { personas: "Ada, Bob", prompt: "Is it late?" });
    expect(await room.channel.settled(3)).toEqual(["-# Scene: Ada, Bob", "**Ada:** I begin.", "**Bob:** I end."]);
  },

  async "persona create"(room) {
    expect(await room.answer("persona create", { name: "Ada", prompt: "You are exact." })).toContain("Ada");
  },

  async "persona edit"(room) {
    await room.use("persona create", { name: "Ada", prompt: "You are exact." });
    expect(await room.answer("persona edit", { name: "Ada", prompt: "You are loud." })).toContain("Ada");
  },

  async "persona delete"(room) {
    await room.use("persona create", { name: "Ada", prompt: "You are exact." });
    await room.use("persona delete", { name: "Ada" });
    expect(await room.answer("persona list")).not.toContain("Ada");
  },

  async "persona list"(room) {
    await room.use("persona create", { name: "Ada", prompt: "You are exact." });
    expect(await room.answer("persona list")).toContain("Ada");
  },

  async "persona use"(room) {
    await room.use("persona create", { name: "Ada", prompt: "You are exact." });
    expect(await room.answer("persona use", { name: "Ada" })).toContain("Ada");
  },
};

const paths = Object.entries(commands).flatMap(([name, entry]) =>
  "subcommands" in entry ? Object.keys(entry.subcommands).map((subcommand) => `${name} ${subcommand}`) : [name],
);

describe("one round trip through the production Worker", () => {
  it.each([...paths, ...messageCommands])("works for %s", async (path) => {
    const roundTrip = { ...ROUND_TRIPS, ...personRoundTrips(() => world) }[path];
    expect(roundTrip, `a round trip of ${path}`).toBeTypeOf("function");
    await roundTrip?.(new Room());
  });

  it("ends in a polite sentence for a button, a form or a command of another version", async () => {
    const room = new Room();
    const polite = async (act: Act) => {
      expect(await room.do(act)).toMatchObject({ seen: "message" });
      return room.read();
    };
    expect(await polite({ kind: "raw", type: 2, data: { name: "dance", type: 1 } })).toBe(say.unknownCommand("dance"));
    expect(await polite({ kind: "raw", type: 5, data: { custom_id: "dance", components: [] } })).toBe(say.unknownModal);
    expect(await polite({ kind: "raw", type: 3, data: { custom_id: "dance:1", component_type: 2 } })).toBe(
      say.unknownComponent,
    );
  });
});
