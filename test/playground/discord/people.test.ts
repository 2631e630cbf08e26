// The people's side: what an interaction contains, how it is signed, what each person sees, files, and the bot's own messages.
import { webcrypto } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signedRequest } from "../../../src/playground/discord/sign.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../../../src/playground/key.ts";
import { AS_BOT, deferred, inline, type Received, SILENT, testWorld } from "./world.ts";

const HELLO = { content: "hello", ...SILENT };
const MANAGE_MESSAGES = 1n << 13n;

const permissionsIn = (sent: Received | undefined): bigint =>
  BigInt((sent?.member as { permissions: string } | undefined)?.permissions ?? 0);

async function isSigned(request: Request): Promise<boolean> {
  const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const key = await webcrypto.subtle.importKey("raw", bytes(DEVELOPMENT_PUBLIC_KEY_HEX), "Ed25519", false, ["verify"]);
  const text = `${request.headers.get("x-signature-timestamp")}${await request.text()}`;
  const signature = bytes(request.headers.get("x-signature-ed25519") ?? "");
  return webcrypto.subtle.verify("Ed25519", key, signature, new TextEncoder().encode(text));
}

describe("a signature", () => {
  it("is valid for the published key, over the timestamp and the raw body", async () => {
    const { discord, clock } = testWorld();
    const request = await discord.sign('{"type":1}');
    expect(request.headers.get("x-signature-timestamp")).toBe(String(clock.now / 1000));
    expect(await isSigned(request)).toBe(true);
  });

  it("can be made for another time or by another key, and can be short, not hex or missing", async () => {
    const { discord } = testWorld();
    const other = "11".repeat(32);
    expect(await isSigned(await discord.sign("{}", { timestamp: "1" }))).toBe(true);
    expect(await isSigned(await discord.sign("{}", { key: other }))).toBe(false);
    const bent = ["ab", "zz".repeat(64), null].map((signature) => signedRequest("{}", { timestamp: "1", signature }));
    const headers = (await Promise.all(bent)).map((request) => request.headers.get("x-signature-ed25519"));
    expect(headers).toEqual(["ab", "zz".repeat(64), null]);
  });
});

describe("an interaction", () => {
  it("in a guild carries the member with computed permissions, the channel and the options", async () => {
    const world = testWorld();
    const options = { state: "on", turns: 4, ratio: 0.5, loud: true };
    await world.discord.interact({
      as: PEOPLE.mira,
      channel: PLACES.thread,
      kind: "command",
      name: "deliberate",
      subcommand: "mode",
      options,
    });
    const [sent] = world.received;
    expect(sent).toMatchObject({
      type: 2,
      application_id: "1180000000000000002",
      guild_id: PLACES.guild,
      channel_id: PLACES.thread,
      channel: { id: PLACES.thread, type: 11, parent_id: PLACES.general },
      context: 0,
      authorizing_integration_owners: { 0: PLACES.guild },
      attachment_size_limit: 10 * 1024 * 1024,
      version: 1,
      entitlements: [],
      data: {
        name: "deliberate",
        options: [
          {
            type: 1,
            name: "mode",
            options: [
              { name: "state", type: 3, value: "on" },
              { name: "turns", type: 4, value: 4 },
              { name: "ratio", type: 10, value: 0.5 },
              { name: "loud", type: 5, value: true },
            ],
          },
        ],
      },
    });
    expect(permissionsIn(sent) & MANAGE_MESSAGES).toBe(MANAGE_MESSAGES);
    expect(sent).not.toHaveProperty("user");
  });

  it("in a DM carries the user and no guild, and from a plain member no moderator permission", async () => {
    const world = testWorld();
    await world.discord.interact({ as: PEOPLE.theo, channel: PLACES.dmOfTheo, kind: "command", name: "chat" });
    await world.discord.interact({ as: PEOPLE.theo, channel: PLACES.general, kind: "command", name: "chat" });
    const [dm, guild] = world.received;
    expect(dm).toMatchObject({
      user: { id: PEOPLE.theo },
      context: 1,
      channel: { type: 1 },
      authorizing_integration_owners: { 0: "0" },
    });
    expect(dm).not.toHaveProperty("member");
    expect(permissionsIn(guild) & MANAGE_MESSAGES).toBe(0n);
  });

  it("of a message command carries the whole message, whatever the intents", async () => {
    const world = testWorld();
    const messageId = world.discord.speak({
      as: PEOPLE.theo,
      channel: PLACES.general,
      content: "what is this?",
      file: { filename: "a.txt", text: "abc" },
    });
    await world.discord.interact({
      as: PEOPLE.mira,
      channel: PLACES.general,
      kind: "message-command",
      name: "Ask about this",
      messageId,
    });
    expect(world.received[0]?.data).toMatchObject({
      type: 3,
      target_id: messageId,
      resolved: {
        messages: { [messageId]: { content: "what is this?", attachments: [{ filename: "a.txt", size: 3 }] } },
      },
    });
  });

  it("of a modal is sent only once its form is filled in, nested as it was shown", async () => {
    const world = testWorld();
    const question = { type: 18, label: "Question", component: { type: 4, style: 2, custom_id: "q", max_length: 5 } };
    const file = { type: 18, label: "File", component: { type: 19, custom_id: "f", required: false } };
    world.endpoint(() => inline({ type: 9, data: { custom_id: "ask", title: "Ask", components: [question, file] } }));
    const here = { as: PEOPLE.theo, channel: PLACES.general };
    await world.discord.interact({ ...here, kind: "command", name: "ask-long" });
    const submit = (fields: Record<string, string | { filename: string; text: string }[]>) =>
      world.discord.interact({ ...here, kind: "submit", customId: "ask", fields });
    expect((await submit({ q: "" })).error).toBe("q is required.");
    expect((await submit({ q: "too long" })).error).toBe("q must have 0 to 5 characters.");
    world.endpoint(() => inline({ type: 5 }));
    const one = { filename: "a.txt", text: "abc" };
    expect((await submit({ q: "why?", f: [one, one] })).error).toBe("f must have 1 to 1 files.");
    expect((await submit({ q: "why?", f: [one] })).seen).toBe("thinking");
    const data = world.received.at(-1)?.data as {
      components: unknown[];
      resolved: { attachments: Record<string, unknown> };
    };
    const [id = "", attachment] = Object.entries(data.resolved.attachments)[0] ?? [];
    expect(attachment).toMatchObject({ filename: "a.txt", size: 3, ephemeral: true });
    expect(data.components).toMatchObject([
      { type: 18, component: { type: 4, custom_id: "q", value: "why?" } },
      { type: 18, component: { type: 19, custom_id: "f", values: [id] } },
    ]);
    expect(world.received).toHaveLength(2);
  });

  it("of type PING is answered with a PONG, and carries neither data nor channel", async () => {
    const world = testWorld();
    world.endpoint(() => inline({ type: 1 }));
    expect((await world.discord.interact({ as: "1", channel: "2", kind: "ping" })).seen).toBe("pong");
    expect(Object.keys(world.received[0] ?? {}).sort()).toEqual([
      "application_id",
      "entitlements",
      "id",
      "token",
      "type",
      "user",
      "version",
    ]);
  });
});

describe("the people's view", () => {
  it("shows an ephemeral message only to its addressee", async () => {
    const world = testWorld();
    world.endpoint(() => inline({ type: 4, data: { ...HELLO, flags: 64 } }));
    const { messageId = "" } = await world.discord.interact({
      as: "21",
      channel: "10",
      kind: "command",
      name: "chat",
      options: { message: "psst" },
    });
    expect(world.discord.messages("10", "21")).toMatchObject([
      { id: messageId, ephemeral: true, interaction: { userId: "21", command: "/chat", text: "psst" } },
    ]);
    expect(world.discord.messages("10", "22")).toEqual([]);
    const path = `/channels/10/messages/${messageId}`;
    expect(await world.rest("GET", path, undefined, AS_BOT)).toMatchObject({ status: 404, code: 10008 });
  });

  it("refuses a click on a button that is hidden, disabled or missing", async () => {
    const world = testWorld();
    const row = (disabled: boolean) => [
      { type: 1, components: [{ type: 2, style: 1, label: "Go", custom_id: "go", disabled }] },
    ];
    world.endpoint(() => inline({ type: 4, data: { ...HELLO, flags: 64, components: row(false) } }));
    const { messageId = "", token } = await world.discord.interact({
      as: "21",
      channel: "10",
      kind: "command",
      name: "chat",
    });
    const click = async (as: string, customId = "go") =>
      (await world.discord.interact({ as, channel: "10", kind: "click", messageId, customId })).seen;
    expect([await click("22"), await click("21", "gone")]).toEqual(["impossible", "impossible"]);
    await world.rest("PATCH", `/webhooks/1180000000000000002/${token}/messages/@original`, { components: row(true) });
    expect(await click("21")).toBe("impossible");
    expect(world.received).toHaveLength(1);
  });

  it("reports changes to a subscriber, until it unsubscribes", async () => {
    const world = testWorld();
    let changes = 0;
    const stop = world.discord.onChange(() => {
      changes += 1;
    });
    world.discord.speak({ as: PEOPLE.mira, channel: PLACES.general, content: "hi" });
    stop();
    world.discord.speak({ as: PEOPLE.mira, channel: PLACES.general, content: "hi" });
    expect(changes).toBe(1);
  });
});

describe("files", () => {
  it("come as multipart, are kept or dropped by an edit, and can be fetched", async () => {
    const world = testWorld();
    const { webhook, messageId } = await deferred(world);
    const form = new FormData();
    form.set("payload_json", JSON.stringify({ ...HELLO, attachments: [{ id: "0", description: "the log" }] }));
    form.set("files[0]", new File(["abc"], "log.txt", { type: "text/plain" }));
    form.set("files[1]", new File(["de"], "more.txt", { type: "text/plain" }));
    const sent = await world.rest("PATCH", `${webhook}/messages/@original`, form);
    const files = sent.body.attachments as { id: string; filename: string; url: string }[];
    expect(files).toMatchObject([
      { filename: "log.txt", size: 3, description: "the log" },
      { filename: "more.txt", size: 2 },
    ]);
    expect(await (await world.discord.fetch(new Request(files[1]?.url ?? ""))).text()).toBe("de");
    await world.rest("PATCH", `${webhook}/messages/@original`, { content: "same files", ...SILENT });
    await world.rest("PATCH", `${webhook}/messages/@original`, { attachments: [{ id: files[0]?.id }] });
    expect(world.discord.messages("10", "21")).toMatchObject([
      { id: messageId, attachments: [{ filename: "log.txt", text: "abc" }] },
    ]);
  });
});

describe("the bot's own messages", () => {
  const send = { content: "part 2", nonce: "turn-1-2", enforce_nonce: true, ...SILENT };

  it("are created once per nonce, for two minutes", async () => {
    const world = testWorld();
    const post = async () => (await world.rest("POST", `/channels/${PLACES.general}/messages`, send, AS_BOT)).body.id;
    const first = await post();
    world.clock.now += 120_000;
    const repeated = await post();
    world.clock.now += 1;
    expect([repeated === first, (await post()) === first]).toEqual([true, false]);
  });

  it("are created once per nonce in all conversations together, and not again after they were deleted", async () => {
    const world = testWorld();
    const post = (channel: string) => world.rest("POST", `/channels/${channel}/messages`, send, AS_BOT);
    const { body } = await post(PLACES.general);
    expect((await post(PLACES.dmOfTheo)).body).toMatchObject({ id: body.id, channel_id: PLACES.general });
    world.discord.delete(String(body.id));
    expect(await post(PLACES.general)).toMatchObject({ status: 404, code: 10008 });
    world.clock.now += 120_001;
    expect(await post(PLACES.general)).toMatchObject({ status: 200 });
  });

  it("can be edited and deleted, while people's messages can only be read, and are empty without the intent", async () => {
    const world = testWorld();
    const theirs = world.discord.speak({ as: PEOPLE.theo, channel: PLACES.general, content: "secret" });
    const path = `/channels/${PLACES.general}/messages`;
    const ours = (await world.rest("POST", path, send, AS_BOT)).body.id;
    const codes = [
      await world.rest("PATCH", `${path}/${theirs}`, HELLO, AS_BOT),
      await world.rest("DELETE", `${path}/${theirs}`, undefined, AS_BOT),
      await world.rest("PATCH", `${path}/${ours}`, HELLO, AS_BOT),
    ].map(({ code }) => code);
    expect(codes).toEqual([50005, 50013, null]);
    const read = async () => {
      const { body } = await world.rest("GET", `${path}?limit=10`, undefined, AS_BOT);
      return (body as unknown as { content: string }[]).map(({ content }) => content);
    };
    const blind = await read();
    world.discord.configure({ messageContentIntent: true });
    expect([blind, await read()]).toEqual([
      ["hello", ""],
      ["hello", "secret"],
    ]);
    expect(await world.rest("DELETE", `${path}/${ours}`, undefined, AS_BOT)).toMatchObject({ status: 204 });
  });

  it("need a channel that exists and a bot that is in it", async () => {
    const world = testWorld();
    expect(await world.rest("POST", "/channels/404/messages", send, AS_BOT)).toMatchObject({
      status: 404,
      code: 10003,
    });
    world.discord.configure({ botIsMember: false });
    expect(await world.rest("POST", `/channels/${PLACES.general}/messages`, send, AS_BOT)).toMatchObject({
      status: 403,
      code: 50001,
    });
  });
});

describe("a test's controls", () => {
  it("fail the next matching requests instead of Discord, and log the answers", async () => {
    const world = testWorld();
    const { webhook } = await deferred(world);
    world.discord.failNext(
      2,
      Response.json({ message: "busy", code: 130000 }, { status: 503 }),
      ({ method }) => method === "PATCH",
    );
    await world.rest("POST", webhook, HELLO);
    for (let n = 0; n < 3; n++) await world.rest("PATCH", `${webhook}/messages/@original`, HELLO);
    expect(world.discord.log.map(({ method, route, status, code }) => [method, route, status, code])).toEqual([
      ["POST", "/webhooks/{app}/{token}", 200, null],
      ["PATCH", "/webhooks/{app}/{token}/messages/{message}", 503, 130000],
      ["PATCH", "/webhooks/{app}/{token}/messages/{message}", 503, 130000],
      ["PATCH", "/webhooks/{app}/{token}/messages/{message}", 200, null],
    ]);
  });

  it("reset everything to the initial state", async () => {
    const world = testWorld({ webhookRaceMs: 5 });
    world.discord.configure({ webhookRaceMs: 0 });
    await deferred(world, { as: "77", channel: "88" });
    world.discord.reset();
    expect([
      world.discord.channels(PEOPLE.mira).map(({ name }) => name),
      world.discord.people().map(({ name }) => name),
    ]).toEqual([
      ["general", "late night ideas", "staff", "Parley"],
      ["Mira", "Theo", "Juno", "Wren"],
    ]);
    expect([world.discord.messages("88", "77"), world.discord.log]).toEqual([[], []]);
    const { webhook } = await deferred(world);
    expect(await world.rest("PATCH", `${webhook}/messages/@original`, HELLO)).toMatchObject({ code: 10015 });
  });
});
