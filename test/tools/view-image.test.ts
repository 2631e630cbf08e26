// The tools that change what the model sees instead of answering: pictures, and the handles of messages.
import { describe, expect, it } from "vitest";
import { createMessageLookup, findPerson, sentPictures } from "../../durable-objects/turn/message-lookup.ts";
import { newTurn, type TurnRecord } from "../../src/core/state/record.ts";
import { createChannelActions } from "../../src/discord/rest/bot-actions.ts";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import type { Pictures } from "../../src/toolkit/define/tool-services.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import { tools } from "../../src/tools/index.ts";
import { testWorld } from "../playground/discord/world.ts";
import { memoryStore } from "../support/memory-store.ts";
import { testRequest } from "../support/store-contract.ts";
import { unlimited } from "./unlimited.ts";

const picture = (filename: string, contentType = "image/png") => ({
  id: filename,
  filename,
  contentType,
  size: 1,
  url: `https://cdn.discordapp.com/${filename}`,
  proxyUrl: "",
});

/** A channel with two finished turns and one that runs, each with files. */
function conversation() {
  const store = memoryStore();
  const turns = [
    { id: "1", files: [picture("old.png", "")] },
    { id: "2", files: [picture("notes.txt", "text/plain"), picture("drawing.svg", "image/svg+xml")] },
    { id: "3", files: [picture("a.png"), picture("b.png")] },
  ].map(({ id, files }): TurnRecord => {
    const request = { ...testRequest(id), channelId: "1180000000000000010", attachments: files };
    return {
      ...newTurn(request, id === "3" ? "running" : "finished", 0, Number(id)),
      parts: [{ state: "sent", id: `90${id}` }],
    };
  });
  for (const turn of turns) {
    store.insertTurn(turn);
    const speaker = { id: PEOPLE.mira, name: "Mira", number: 1, at: 1 };
    store.addMessage({ turnId: turn.id, role: "user", text: "look", details: "", calls: [], native: null, speaker });
  }
  return { store, turn: turns.at(-1) as TurnRecord };
}

async function view(args: object, over: Partial<Pictures> = {}, abilities = ["images"], now = 0) {
  const { store, turn } = conversation();
  const pictures: Pictures = {
    sent: () => sentPictures(store, turn.id),
    heard: async () => ({ ok: true, value: [] }),
    person: (reference) => findPerson(store, turn.id, reference),
    profile: async (id) => ({ ok: true, value: `https://cdn.discordapp.com/avatars/${id}/a.png` }),
    ...over,
  };
  const availability = {
    botToken: false,
    permissions: new Set<string>(),
    modelAbilities: new Set(abilities),
    settings: new Set<string>(),
  };
  const runtime = new ToolRuntime(createToolRegistry(tools), { services: { pictures }, availability });
  const { meta: _meta, ...result } = await runtime.execute(
    { name: "view_image", arguments: JSON.stringify(args) },
    { now },
  );
  return result;
}
const restart = (text: string, url: string) => ({
  ok: true,
  data: { type: "context_restart_image", enhanced_context_item: { text, images: [url] } },
});

describe("view_image", () => {
  it("shows the newest picture of the conversation, or one by its name", async () => {
    expect(await view({ image: "latest" })).toMatchObject(
      restart("The picture a.png, sent by user 10:", "https://cdn.discordapp.com/a.png"),
    );
    expect(await view({ image: " OLD.png " })).toMatchObject(
      restart("The picture old.png, sent by user 10:", "https://cdn.discordapp.com/old.png"),
    );
  });

  it("shows a person's profile picture", async () => {
    expect(await view({ user: `<@${PEOPLE.mira}>` })).toMatchObject(
      restart(`The profile picture of <@${PEOPLE.mira}>:`, `https://cdn.discordapp.com/avatars/${PEOPLE.mira}/a.png`),
    );
  });

  it("treats an empty field, as models fill them in, like one that is left out", async () => {
    expect(await view({ image: "latest", user: "" })).toMatchObject(
      restart("The picture a.png, sent by user 10:", "https://cdn.discordapp.com/a.png"),
    );
    expect(await view({ image: " ", user: PEOPLE.mira })).toMatchObject(
      restart(`The profile picture of <@${PEOPLE.mira}>:`, `https://cdn.discordapp.com/avatars/${PEOPLE.mira}/a.png`),
    );
  });

  it("also knows the person by name, if only one person has it", async () => {
    const picture = restart(`The profile picture of <@${PEOPLE.mira}>:`, expect.anything());
    expect(await view({ user: "@Mira" })).toMatchObject(picture);
    expect(await view({ user: "@Two" })).toMatchObject({ ok: false });
  });

  it.each([
    [{ image: "notes.txt" }, "there is no picture notes.txt here; pictures sent to you: a.png, b.png, old.png"],
    [{ user: "Noor" }, `"Noor" is neither a known person's @Name nor a mention or an id`],
    [{}, "image, user: give exactly one of image and user (got none)"],
    [{ image: "latest", user: PEOPLE.mira }, "image, user: give exactly one of image and user (got image and user)"],
  ])("says what is wrong with %j", async (args, error) => {
    expect(await view(args)).toMatchObject({ ok: false, error });
  });

  it.each([
    ["old.png", { image: "old.png" }],
    ["the newest one", { image: "latest" }],
  ])("asks for %s again if Discord has let its address expire", async (_, args) => {
    const now = Date.UTC(2030, 0, 1);
    const ending = (seconds: number) => (now / 1000 + seconds).toString(16);
    const signed = (ex: string) => ({
      sent: () => [
        {
          ...{ filename: "old.png", at: 1, sentBy: "Mira", isOthers: false },
          url: `https://cdn.discordapp.com/1/2/old.png?ex=${ex}&is=1&hm=a`,
        },
      ],
    });
    expect(await view(args, signed(ending(0)), ["images"], now)).toMatchObject({
      ok: false,
      error: "Discord no longer serves old.png, which was sent too long ago; ask for it to be sent again",
    });
    expect(await view(args, signed(ending(300)), ["images"], now)).toMatchObject({ ok: true });
  });

  it("shows a picture that somebody posted outside the conversation, if none in it is meant", async () => {
    const posted = (filename: string) => ({
      filename,
      at: 0,
      url: `https://cdn.discordapp.com/posted/${filename}`,
      sentBy: "Theo",
      isOthers: true,
    });
    const heard: Pictures["heard"] = async () => ({ ok: true, value: [posted("cat.png"), posted("dog.png")] });
    const cat = restart("The picture cat.png, sent by Theo:", "https://cdn.discordapp.com/posted/cat.png");
    expect(await view({ image: "cat.png" }, { heard })).toMatchObject(cat);
    expect(await view({ image: "latest" }, { heard, sent: () => [] })).toMatchObject(cat);
    expect((await view({ image: "cow.png" }, { heard })).error).toBe(
      "there is no picture cow.png here; pictures sent to you: a.png, b.png, old.png",
    );
    const refused = { ok: false, error: "the bot is not a member here or may not see this channel" } as const;
    expect(await view({ image: "cat.png" }, { heard: async () => refused })).toMatchObject(refused);
  });

  it.each([
    ["latest", "the one posted beside it, where that is newer", 1, "https://cdn.discordapp.com/posted"],
    ["a.png", "the one posted beside it, where that is newer", 1, "https://cdn.discordapp.com/posted"],
    ["latest", "the one sent to the bot, which is in the channel, too", 0, "https://cdn.discordapp.com/a.png"],
    ["a.png", "the one sent to the bot, which is in the channel, too", 0, "https://cdn.discordapp.com/a.png"],
  ])("for %s takes %s", async (image, _, later, url) => {
    const at = testRequest("3").receivedAt + later;
    const posted = { filename: "a.png", at, sentBy: "Theo", isOthers: true, url: "https://cdn.discordapp.com/posted" };
    expect(await view({ image }, { heard: async () => ({ ok: true, value: [posted] }) })).toMatchObject({
      data: { enhanced_context_item: { images: [url] } },
    });
    const heard = async () => ({ ok: false, error: "Discord can't be reached" }) as const;
    expect(await view({ image }, { heard })).toMatchObject({ ok: true });
  });

  it("says that there are no pictures, and passes on why there is no profile picture", async () => {
    expect((await view({ image: "latest" }, { sent: () => [] })).error).toBe("no picture was sent here");
    const profile = async () => ({ ok: false, error: "there is no such person" }) as const;
    expect((await view({ user: PEOPLE.mira }, { profile })).error).toBe("there is no such person");
  });

  it("is denied to a model that takes only text", async () => {
    expect(await view({ image: "latest" }, {}, [])).toMatchObject({
      status: "denied",
      error: "view_image needs a model that supports images",
    });
  });
});

describe("a profile picture", () => {
  const { discord } = testWorld();
  const actions = createChannelActions(
    {
      fetch: (url, init) => discord.fetch(new Request(url, init)),
      baseUrl: "http://discord.local/api/v10",
      userAgent: "DiscordBot (https://example.org, 1.0)",
      botToken: APPLICATION.botToken,
      ...unlimited(),
    },
    "1",
    APPLICATION.id,
  );
  const signal = new AbortController().signal;

  it("of a person without one is Discord's default for their id", async () => {
    const wheel = (BigInt(PEOPLE.theo) >> 22n) % 6n;
    expect(await actions.profilePicture(PEOPLE.theo, signal)).toEqual({
      ok: true,
      value: `https://cdn.discordapp.com/embed/avatars/${wheel}.png`,
    });
    discord.failNext(1, Response.json({ id: "1", avatar: "a_b" }));
    expect(await actions.profilePicture("1180000000000000777", signal)).toEqual({
      ok: true,
      value: "https://cdn.discordapp.com/avatars/1180000000000000777/a_b.png?size=512",
    });
    expect(await actions.profilePicture("1180000000000000777", signal)).toEqual({
      ok: false,
      error: "there is no such person",
    });
  });
});

describe("a message", () => {
  it("is found by its id, by its link in this channel, and by its handle once handles are revealed", () => {
    const { store, turn } = conversation();
    const find = createMessageLookup(store, turn);
    const link = (channel: string) => `https://discord.com/channels/1180000000000000001/${channel}/1180000000000000555`;
    expect(
      [" 1180000000000000555 ", link("1180000000000000010"), link("1180000000000000011"), "ref_1", "last"].map(find),
    ).toEqual(["1180000000000000555", "1180000000000000555", null, null, null]);
    store.saveTurn({ ...turn, enrichment: { ...turn.enrichment, metadata: true } });
    expect(["ref_1", "ref_3", "ref_9"].map(find)).toEqual(["901", "903", null]);
  });

  it("gets its handle from a tool that answers only with a restart", async () => {
    const runtime = new ToolRuntime(createToolRegistry(tools));
    expect(await runtime.execute({ name: "reveal_message_metadata" })).toMatchObject({
      ok: true,
      data: { type: "context_restart_message_metadata" },
    });
  });
});
