// Who is refused, through the production Worker, by every way in: commands, message commands, completions, buttons and forms, in servers,
// direct messages and where only a person brought the bot along. A refused person reads one private sentence, and no model is called.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { accessText } from "../../src/core/copy/access.ts";
import { stopText } from "../../src/core/copy/control-answers.ts";
import { ownerText } from "../../src/core/copy/owner-answers.ts";
import type { Act, Interact } from "../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { startDeployed } from "../support/deployed.ts";
import { channelAt, createE2eWorld, type E2eWorld, MIRA, newChannel, THEO, until } from "../support/e2e-harness.ts";
import type { Product } from "../support/product.ts";

const { juno: JUNO, wren: WREN } = PEOPLE;
const PRIVATE_SERVER = accessText({ reason: "private_server" });
const UNLISTED_SERVER = accessText({ reason: "unlisted_server" });
const PRIVATE_VISITOR = accessText({ reason: "private_visitor" });
const CHAT: Act = { kind: "command", name: "chat", options: { message: "hi" } };

let world: E2eWorld;
let product: Product;

/** A world and a product with these variables, for the tests of one group. */
function withVariables(variables: readonly string[]): void {
  beforeAll(async () => {
    world = await createE2eWorld();
    product = await startDeployed("production", `${world.devVars}\n${variables.join("\n")}\n`);
    world.connect(product.url);
  });
  afterEach(() => expect(world.discord.violations).toEqual([]));
  afterAll(async () => {
    await product?.stop();
    await world?.close();
  });
}

/** Kills the runtime, so that every copy of a scope is gone. */
async function forgetCopies(): Promise<void> {
  await product.killNine();
  await product.restart();
}

/** What this person read last there, and whether only they see it. */
const read = (channel: string, as: string) => {
  const { content, ephemeral } = world.discord.messages(channel, as).at(-1) ?? {};
  return [content, ephemeral];
};

/** Does it. Returns what the person then reads, and whether only they see it. */
async function told(act: Act, as: string, channel: string, circumstances: Partial<Interact> = {}) {
  expect(await world.discord.interact({ ...circumstances, ...act, as, channel } as Interact)).toMatchObject({
    ok: true,
  });
  return read(channel, as);
}
const privately = (sentence: string) => [sentence, true];
const owner = (subcommand: string, options: Record<string, string>) =>
  told({ kind: "command", name: "owner", subcommand, options }, MIRA, PLACES.dmOfMira);

describe("a private bot", () => {
  withVariables([`OWNER_IDS=${MIRA}`, "SERVERS=claimed", "VISITORS=owners"]);

  it("refuses a stranger's message command, button, form and completion, and starts nothing", async () => {
    const messageId = world.discord.speak({ as: WREN, channel: PLACES.lobby, content: "Cats are liquid." });
    const question = { type: 18, component: { type: 4, custom_id: "question", value: "hi" } };
    const refused: Act[] = [
      CHAT,
      { kind: "command", name: "ask-long" },
      { kind: "message-command", name: "Ask about this", messageId },
      { kind: "raw", type: 5, data: { custom_id: "ask-long", components: [question] } },
      { kind: "raw", type: 3, data: { custom_id: `forget:${THEO}`, component_type: 2 } },
    ];
    for (const act of refused) expect(await told(act, THEO, PLACES.lobby)).toEqual(privately(PRIVATE_SERVER));
    const typing = { kind: "autocomplete", name: "config", subcommand: "set" } as const;
    const asks = { ...typing, options: { key: "k" }, focused: "key", as: THEO, channel: PLACES.lobby } as const;
    expect(await world.discord.interact(asks)).toMatchObject({ seen: "choices", shown: [] });
    expect(await told(CHAT, THEO, PLACES.dmOfTheo)).toEqual(privately(PRIVATE_VISITOR));
    expect(await told(CHAT, THEO, PLACES.lobby, { userInstallOnly: true })).toEqual(privately(PRIVATE_VISITOR));
    expect(await told(CHAT, WREN, PLACES.groupDm)).toEqual(privately(PRIVATE_VISITOR));
    expect(await told({ kind: "command", name: "owner", subcommand: "servers" }, THEO, PLACES.dmOfTheo)).toEqual(
      privately(ownerText.ownersOnly),
    );
    expect([world.model.log, channelAt(world, PLACES.lobby, THEO).messages()]).toEqual([[], []]);
  });

  it("refuses the queued question after a pause, and finishes the running answer", async () => {
    const channel = newChannel(world);
    world.model.script([{ chunks: [{ text: "Half an ans" }, { hang: true }] }, { chunks: [{ text: "Whole." }] }]);
    await channel.say(MIRA, "go on");
    await until("the half", () => channel.answers()[0]?.startsWith("Half") ?? false);
    await channel.say(THEO, "and I?");
    await until("the place", () => channel.answers()[1]?.includes("number 1") ?? false);
    expect(await owner("pause", { state: "on" })).toEqual(privately(`${ownerText.paused}\n${ownerText.within}`));
    await forgetCopies();
    expect(await channel.settled(2)).toEqual(["Whole.", expect.stringContaining(accessText({ reason: "paused" }))]);
    expect(await told(CHAT, THEO, channel.id)).toEqual(privately(accessText({ reason: "paused" })));
    expect(world.model.log).toHaveLength(2);
    await owner("pause", { state: "off" });
    world.model.reset();
  });

  it("refuses a person who has a button or an open form from before the server was denied", async () => {
    const channel = newChannel(world);
    await forgetCopies();
    world.model.script([{ chunks: [{ text: "On and on" }, { hang: true }] }]);
    await channel.say(THEO, "go on");
    await until("the text", () => channel.answers()[0]?.startsWith("On") ?? false);
    const form = { as: THEO, channel: channel.id, kind: "command", name: "ask-long" } as const;
    expect(await world.discord.interact(form)).toMatchObject({ seen: "modal" });
    await owner("deny", { server: PLACES.guild, reason: "Only for tests." });
    world.model.script([{ chunks: [{ text: "On and on, to the end." }] }]);
    await forgetCopies();
    const denied = privately(accessText({ reason: "server_denied", because: "Only for tests." }));
    const submit: Act = { kind: "submit", customId: "ask-long", fields: { question: "hi" } };
    expect(await told(submit, THEO, channel.id)).toEqual(denied);
    expect(await channel.settled(1)).toEqual(["On and on, to the end."]);
    // Stopping is never refused: running answers continue, and whoever may stop them still may.
    const stopped = privately(stopText({ result: "nothing_to_stop" }));
    expect(await told({ kind: "command", name: "stop" }, THEO, channel.id)).toEqual(stopped);
    expect(world.model.log).toHaveLength(2);
  });
});

describe("lists", () => {
  const lists = [`ALLOWED_SERVERS=${PLACES.guild}`, `ALLOWED_USERS=${THEO}, ${MIRA}`];
  withVariables([`OWNER_IDS=${WREN}`, "SERVERS=listed", "VISITORS=listed", ...lists]);

  it("let in the servers that they name, and no other, even after an owner used the bot there", async () => {
    const channel = newChannel(world);
    await channel.say(THEO, "hi");
    await channel.settled(1);
    const lobby = channelAt(world, PLACES.lobby, WREN);
    await lobby.say(WREN, "hello");
    await lobby.settled(1);
    expect(await told(CHAT, THEO, PLACES.lobby)).toEqual(privately(UNLISTED_SERVER));
    await forgetCopies();
    expect(await told(CHAT, THEO, PLACES.lobby)).toEqual(privately(UNLISTED_SERVER));
    expect(world.model.log).toHaveLength(2);
  });

  it("let in the people that they name, in direct messages and where they brought the bot along", async () => {
    const before = world.model.log.length;
    const dm = channelAt(world, PLACES.dmOfTheo, THEO);
    await dm.say(THEO, "hi");
    await dm.settled(1);
    expect(await told(CHAT, JUNO, PLACES.dmOfJuno)).toEqual(privately(PRIVATE_VISITOR));
    const channel = newChannel(world);
    expect(await told(CHAT, JUNO, channel.id, { userInstallOnly: true })).toEqual(privately(PRIVATE_VISITOR));
    await told(CHAT, THEO, channel.id, { userInstallOnly: true });
    await until("the visitor's answer", () => world.model.log.length === before + 2);
    await told(CHAT, WREN, PLACES.groupDm);
    await until("the owner's answer", () => world.model.log.length === before + 3);
  });
});
