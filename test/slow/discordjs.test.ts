// The real discord.js judges the local Discord: it logs in, talks, loses its socket and comes back. It knows nothing about
// us, and stops at anything that Discord would not send.
import {
  Client,
  type ClientEvents,
  Events,
  GatewayIntentBits,
  type Interaction,
  type Message,
  MessageFlags,
  Partials,
} from "discord.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import type { FrameEntry } from "../../src/playground/gateway/state.ts";
import { HOMES, type ListeningWorld } from "../support/local-worlds.ts";

const { mira, theo } = PEOPLE;
const { general, dmOfTheo, guild, secondGuild } = PLACES;
const ME = `<@${APPLICATION.id}>`;
const PATIENCE_MS = 60_000;
const INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.GuildMessageTyping,
  GatewayIntentBits.DirectMessages,
];

describe.each(Object.entries(HOMES))("discord.js with the local Discord in %s", (_home, start) => {
  let world: ListeningWorld;
  let client: Client<true>;

  const makeClient = (intents: readonly GatewayIntentBits[]) =>
    new Client({
      intents: [...intents],
      partials: [Partials.Channel],
      rest: { api: `${world.url}/api` },
      allowedMentions: { parse: [], repliedUser: false },
    });
  const write = async (words: object) =>
    ((await world.tell("/local/speak", { as: theo, channel: general, ...words })) as { messageId: string }).messageId;
  const act = (body: object) => world.tell("/local/gateway/act", body);
  const frames = async () => (await world.tell("/local/gateway/log")) as FrameEntry[];
  const sent = async (op: number) => (await frames()).filter((frame) => frame.kind === "in" && frame.op === op);
  const shown = async (channel: string, as: string = theo) =>
    ((await world.tell(`/local/state?channel=${channel}&as=${as}`)) as { messages: Record<string, unknown>[] })
      .messages;

  /** The next matching event, while `cause` happens. */
  async function hear<E extends keyof ClientEvents>(
    event: E,
    cause: () => Promise<unknown>,
    fits: (...args: ClientEvents[E]) => boolean = () => true,
  ): Promise<ClientEvents[E]> {
    const { promise, resolve, reject } = Promise.withResolvers<ClientEvents[E]>();
    const listener = (...args: ClientEvents[E]) => void (fits(...args) && resolve(args));
    const limit = AbortSignal.timeout(PATIENCE_MS);
    limit.addEventListener("abort", () => reject(new Error(`never came: ${event}`)));
    client.on(event, listener);
    await cause();
    return promise.finally(() => client.off(event, listener));
  }
  const hearMessage = async (words: object): Promise<Message> => {
    const [message] = await hear(
      Events.MessageCreate,
      () => write(words),
      ({ author }) => !author.bot,
    );
    return message;
  };

  beforeAll(async () => {
    world = await start();
    const started = makeClient(INTENTS);
    const ready = new Promise<Client<true>>((resolve) => started.once(Events.ClientReady, resolve));
    await started.login(APPLICATION.botToken);
    client = await ready;
  });
  afterAll(async () => {
    await client?.destroy();
    await world?.stop();
  });

  it("is ready, and knows its servers, channels, threads and roles", () => {
    expect(client.user.id).toBe(APPLICATION.id);
    expect([...client.guilds.cache.keys()]).toEqual([guild, secondGuild]);
    const home = client.guilds.cache.get(guild);
    expect([home?.available, home?.members.me?.id, home?.ownerId]).toEqual([true, APPLICATION.id, PEOPLE.juno]);
    expect(home?.channels.cache.get(PLACES.thread)).toMatchObject({ type: 11, parentId: general });
    expect(home?.roles.botRoleFor(client.user)?.managed).toBe(true);
  });

  it("hears a mention and answers it with a reply, which the page shows", async () => {
    const message = await hearMessage({ content: `${ME} are you there?` });
    expect(message.mentions.has(client.user)).toBe(true);
    expect([message.content, message.guildId, message.member?.displayName]).toEqual([
      `${ME} are you there?`,
      guild,
      "Theo",
    ]);
    await message.reply("I am.");
    expect((await shown(general)).at(-1)).toMatchObject({
      content: "I am.",
      author: { bot: true },
      repliesTo: { id: message.id, author: "Theo" },
      pings: [],
    });
  });

  it("hears a direct message, and answers there", async () => {
    const message = await hearMessage({ channel: dmOfTheo, content: "psst" });
    expect([message.content, message.guild, message.channel.isDMBased()]).toEqual(["psst", null, true]);
    await message.reply("yes?");
    expect((await shown(dmOfTheo)).at(-1)).toMatchObject({ content: "yes?" });
  });

  it("does not read a message that does not mention it, but does read a reply to its own words", async () => {
    expect((await hearMessage({ content: "behind your back" })).content).toBe("");
    const own = (await shown(general)).find(({ content }) => content === "I am.") as { id: string };
    const reply = await hearMessage({ content: "good", replyTo: own.id });
    expect([reply.content, reply.mentions.repliedUser?.id]).toEqual(["good", APPLICATION.id]);
    expect((await reply.fetchReference()).content).toBe("I am.");
    expect((await hearMessage({ content: "silently", replyTo: own.id, ping: false })).content).toBe("");
  });

  it("edits and deletes its messages, types, reacts, and sees what others do with theirs", async () => {
    const message = await hearMessage({ content: `${ME} go on` });
    await message.react("⏳");
    const answer = await message.reply("a");
    await answer.edit("b");
    await (message.channel as { sendTyping?: () => Promise<void> }).sendTyping?.();
    await message.reactions.cache.get("⏳")?.users.remove(client.user);
    expect((await shown(general)).slice(-2)).toMatchObject([{ id: message.id }, { content: "b", edits: 1 }]);
    expect((await shown(general)).at(-2)).not.toHaveProperty("reactions");
    await answer.delete();
    const touch = (kind: string, more: object = {}) =>
      world.tell("/local/touch", { kind, as: theo, messageId: message.id, ...more });
    const [, edited] = await hear(Events.MessageUpdate, () => touch("edit", { content: `${ME} stop` }));
    expect(edited.content).toBe(`${ME} stop`);
    const [reaction] = await hear(Events.MessageReactionAdd, () => touch("react", { emoji: "👍", as: mira }));
    expect(reaction.emoji.name).toBe("👍");
    const [typing] = await hear(Events.TypingStart, () => world.tell("/local/typing", { as: theo, channel: general }));
    expect(typing.user.id).toBe(theo);
    const [gone] = await hear(Events.MessageDelete, () => touch("delete"));
    expect(gone.id).toBe(message.id);
  });

  it.each([
    ["loses its socket", () => act({ act: "drop" })],
    ["is asked to reconnect", () => act({ act: "reconnect" })],
    ["is closed with 4000", () => act({ act: "close", code: 4000 })],
    ["is told that its session continues elsewhere", () => act({ act: "invalidate", resumable: true })],
  ])("%s, resumes on the other URL, and gets what was said in the meantime", async (_what, end) => {
    const [identifies, resumes] = [await sent(2), await sent(6)];
    const resumed = hear(Events.ShardResume, end);
    await world.tell("/local/gateway", { holdEvents: true });
    const id = await write({ channel: dmOfTheo, content: "while you were away" });
    const missed = hear(
      Events.MessageCreate,
      () => world.tell("/local/gateway", { holdEvents: false }),
      (one) => one.id === id,
    );
    expect((await missed)[0].content).toBe("while you were away");
    await resumed;
    expect([(await sent(2)).length - identifies.length, (await sent(6)).length - resumes.length]).toEqual([0, 1]);
    expect((await frames()).findLast(({ kind }) => kind === "open")).toMatchObject({ resumeUrl: true });
  });

  it("starts over when its session is over", async () => {
    const before = (await sent(2)).length;
    await hear(Events.ShardReady, () => act({ act: "invalidate", resumable: false }));
    expect((await sent(2)).length - before).toBe(1);
    expect((await hearMessage({ content: `${ME} still there?` })).content).toBe(`${ME} still there?`);
  });

  it("answers a command that comes over the Gateway", async () => {
    await world.tell("/local/options", { interactionsEndpoint: false, firstAnswerMs: PATIENCE_MS });
    const answer = async (interaction: Interaction) => {
      if (interaction.isChatInputCommand())
        await interaction.reply({ content: `/${interaction.commandName}`, flags: MessageFlags.SuppressEmbeds });
    };
    client.once(Events.InteractionCreate, answer);
    const used = { kind: "command", as: theo, channel: general, name: "chat", options: { message: "hi" } };
    expect(await world.tell("/local/interact", used)).toMatchObject({ ok: true, seen: "message", status: null });
    expect((await shown(general)).at(-1)).toMatchObject({ content: "/chat", interaction: { command: "/chat" } });
  });

  it("is refused an intent that is off in the portal, and reads everything once it is on", async () => {
    const intents = [...INTENTS, GatewayIntentBits.MessageContent];
    await expect(makeClient(intents).login(APPLICATION.botToken)).rejects.toThrow("disallowed intents");
    await world.tell("/local/options", { messageContentIntent: true });
    const reader = makeClient(intents);
    await reader.login(APPLICATION.botToken);
    const heard = new Promise<Message>((resolve) => reader.once(Events.MessageCreate, resolve));
    await write({ content: "in front of you" });
    expect((await heard).content).toBe("in front of you");
    await reader.destroy();
  });

  it("did nothing that Discord would object to", async () => {
    expect(await world.tell("/local/violations")).toEqual([]);
  });
});
