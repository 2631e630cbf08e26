// The life of an interaction and its token, under a clock that the test moves.
import { describe, expect, it } from "vitest";
import { deferred, inline, type Received, SILENT, type TestWorld, testWorld } from "./world.ts";

const MINUTE_MS = 60_000;
const HELLO = { content: "hello", ...SILENT };
const chat = { as: "21", channel: "10", kind: "command", name: "chat", options: { message: "hi" } } as const;

const callback = (world: TestWorld, { id, token }: Received, answer: object, query = "") =>
  world.rest("POST", `/interactions/${id}/${token}/callback${query}`, answer);

describe("the first answer", () => {
  it("given inline counts at 3 s and is too late after that", async () => {
    const world = testWorld();
    const answerAfter = async (ms: number) => {
      world.endpoint(() => {
        world.clock.now += ms;
        return inline({ type: 5 });
      });
      return (await world.discord.interact(chat)).seen;
    };
    expect([await answerAfter(3_000), await answerAfter(3_001)]).toEqual(["thinking", "failed"]);
    expect(world.discord.messages("10", "21").map(({ loading, failed }) => failed ?? loading)).toEqual([
      true,
      "The application did not respond",
    ]);
  });

  it("may come later if an option says so, as for a runtime that starts on a busy machine", async () => {
    const world = testWorld({ firstAnswerMs: 60_000 });
    world.endpoint(() => {
      world.clock.now += 59_000;
      return inline({ type: 5 });
    });
    expect((await world.discord.interact(chat)).seen).toBe("thinking");
  });

  it("given by callback counts at 3 s, and after that is for an unknown interaction", async () => {
    const world = testWorld();
    const answers: unknown[] = [];
    const answerAfter = async (ms: number) => {
      world.endpoint(async (interaction) => {
        world.clock.now += ms;
        const { status, code } = await callback(world, interaction, { type: 5 });
        answers.push([status, code]);
        return new Response(null, { status: 202 });
      });
      return (await world.discord.interact(chat)).seen;
    };
    expect([await answerAfter(3_000), await answerAfter(3_001)]).toEqual(["thinking", "failed"]);
    expect(answers).toEqual([
      [204, null],
      [404, 10062],
    ]);
  });

  it("may come by callback after a 202, and the client gives up if it does not come", async () => {
    const world = testWorld();
    world.endpoint(() => new Response(null, { status: 202 }));
    expect((await world.discord.interact(chat)).seen).toBe("pending");
    expect((await world.discord.interact(chat)).seen).toBe("pending");
    const [first] = world.received;
    expect(first && (await callback(world, first, { type: 4, data: HELLO })).status).toBe(204);
    world.clock.now += 3_001;
    expect(world.discord.messages("10", "21").map(({ content, failed }) => failed ?? content)).toEqual([
      "hello",
      "The application did not respond",
    ]);
  });

  it("shows one error line if it never comes, even to a listener that reads on every change", async () => {
    const world = testWorld();
    world.endpoint(() => new Response(null, { status: 202 }));
    await world.discord.interact(chat);
    world.discord.onChange(() => void world.discord.messages("10", "21"));
    world.clock.now += 3_001;
    expect(world.discord.messages("10", "21")).toHaveLength(1);
  });

  it("given twice is a 40060, whether by callback or inline", async () => {
    const world = testWorld();
    const codes: (number | null)[] = [];
    world.endpoint(async (interaction) => {
      codes.push(
        (await callback(world, interaction, { type: 5 })).code,
        (await callback(world, interaction, { type: 5 })).code,
      );
      return inline({ type: 5 });
    });
    await world.discord.interact(chat);
    expect(codes).toEqual([null, 40060]);
    expect(world.discord.violations).toMatchObject([{ refusal: { body: { code: 40060 } } }]);
    expect(world.discord.messages("10", "21")).toHaveLength(1);
  });

  it("given by callback returns the reply's id and whether Discord forced it to be ephemeral", async () => {
    const world = testWorld();
    const returned: unknown[] = [];
    world.endpoint(async (interaction) => {
      returned.push((await callback(world, interaction, { type: 5 }, "?with_response=true")).body.interaction);
      return new Response(null, { status: 202 });
    });
    const { messageId, interactionId } = await world.discord.interact({ ...chat, forceEphemeral: true });
    expect(returned).toEqual([
      {
        id: interactionId,
        type: 2,
        channel_id: "10",
        guild_id: "1180000000000000001",
        response_message_id: messageId,
        response_message_loading: true,
        response_message_ephemeral: true,
      },
    ]);
  });

  it.each([
    ["an error", () => new Response("no", { status: 500 })],
    ["not JSON", () => new Response("{}", { headers: { "content-type": "text/plain" } })],
    ["broken JSON", () => new Response("{", { headers: { "content-type": "application/json" } })],
    ["a dropped connection", () => Promise.reject(new TypeError("fetch failed"))],
  ])("that is %s leaves a dead token and an error in the client", async (_, answer) => {
    const world = testWorld();
    world.endpoint(answer);
    const { seen, token } = await world.discord.interact(chat);
    expect(seen).toBe("failed");
    const reply = await world.rest("PATCH", `/webhooks/1180000000000000002/${token}/messages/@original`, HELLO);
    expect(reply).toMatchObject({ status: 404, code: 10015 });
  });
});

describe("a token", () => {
  it("works for 15 minutes and is invalid a millisecond later", async () => {
    const world = testWorld();
    const { webhook } = await deferred(world);
    world.clock.now += 15 * MINUTE_MS;
    expect(await world.rest("PATCH", `${webhook}/messages/@original`, HELLO)).toMatchObject({ status: 200 });
    world.clock.now += 1;
    expect((await world.rest("PATCH", `${webhook}/messages/@original`, HELLO)).body).toEqual({
      message: "Invalid Webhook Token",
      code: 50027,
    });
  });

  it("of another application, or one that was never issued, is an unknown webhook", async () => {
    const world = testWorld();
    const { token } = await deferred(world);
    const replies = [
      await world.rest("POST", `/webhooks/1180000000000000099/${token}`, HELLO),
      await world.rest("POST", "/webhooks/1180000000000000002/none", HELLO),
    ];
    expect(replies.map(({ status, code }) => [status, code])).toEqual([
      [404, 10015],
      [404, 10015],
    ]);
  });

  it("is fresh with every click, for the same message", async () => {
    const world = testWorld();
    const { webhook, messageId } = await deferred(world);
    const components = [{ type: 1, components: [{ type: 2, style: 1, label: "Continue", custom_id: "go" }] }];
    await world.rest("PATCH", `${webhook}/messages/@original`, { ...HELLO, components });
    world.clock.now += 16 * MINUTE_MS;
    world.endpoint(() => inline({ type: 6 }));
    const click = await world.discord.interact({ as: "22", channel: "10", kind: "click", messageId, customId: "go" });
    expect(click).toMatchObject({ seen: "update", messageId });
    const renewed = `/webhooks/1180000000000000002/${click.token}/messages/@original`;
    expect(await world.rest("PATCH", renewed, { content: "longer", ...SILENT })).toMatchObject({
      status: 200,
      body: { id: messageId, content: "longer" },
    });
  });

  it("reaches only messages created with it, and none that a person deleted", async () => {
    const world = testWorld();
    const one = await deferred(world);
    const other = await deferred(world);
    expect(await world.rest("PATCH", `${one.webhook}/messages/${other.messageId}`, HELLO)).toMatchObject({
      code: 10008,
    });
    expect(world.discord.delete(one.messageId)).toBe(true);
    expect(await world.rest("PATCH", `${one.webhook}/messages/@original`, HELLO)).toMatchObject({
      status: 404,
      code: 10008,
    });
    expect(await world.rest("DELETE", `${other.webhook}/messages/@original`)).toMatchObject({ status: 204 });
    expect(world.discord.messages("10", "21")).toEqual([]);
  });
});

describe("the 10015 window", () => {
  it("lasts as long as configured after an inline deferral", async () => {
    const world = testWorld({ webhookRaceMs: 400 });
    const { webhook } = await deferred(world);
    const edit = async () => (await world.rest("PATCH", `${webhook}/messages/@original`, HELLO)).code;
    const early = await edit();
    world.clock.now += 399;
    const stillEarly = await edit();
    world.clock.now += 1;
    expect([early, stillEarly, await edit()]).toEqual([10015, 10015, null]);
  });

  it("lasts for as many requests as configured, however long that takes", async () => {
    const world = testWorld({ webhookRaceRequests: 2 });
    const { webhook } = await deferred(world);
    const codes = [];
    for (let n = 0; n < 4; n++) codes.push((await world.rest("PATCH", `${webhook}/messages/@original`, HELLO)).code);
    expect(codes).toEqual([10015, 10015, null, null]);
  });

  it("does not follow a callback, because Discord has processed it by the time it answers", async () => {
    const world = testWorld({ webhookRaceMs: 400, webhookRaceRequests: 2 });
    world.endpoint(async (interaction) => {
      await callback(world, interaction, { type: 5 });
      return new Response(null, { status: 202 });
    });
    const { webhook } = await deferred(world);
    expect(await world.rest("PATCH", `${webhook}/messages/@original`, HELLO)).toMatchObject({ status: 200 });
  });
});

describe("follow-ups", () => {
  it("fill a deferral first, and keep its visibility", async () => {
    const world = testWorld();
    world.endpoint(() => inline({ type: 5, data: { flags: 64 } }));
    const { webhook, messageId } = await deferred(world);
    const first = await world.rest("POST", webhook, HELLO);
    const second = await world.rest("POST", webhook, HELLO);
    expect([first.body.id === messageId, second.body.id === messageId]).toEqual([true, false]);
    expect(world.discord.messages("10", "21").map(({ ephemeral, loading }) => [ephemeral, loading])).toEqual([
      [true, false],
      [false, false],
    ]);
  });

  it("end at five if only a person installed the application", async () => {
    const world = testWorld();
    const { token } = await world.discord.interact({ ...chat, userInstallOnly: true });
    const webhook = `/webhooks/1180000000000000002/${token}`;
    await world.rest("PATCH", `${webhook}/messages/@original`, HELLO);
    const codes = [];
    for (let n = 0; n < 6; n++) codes.push((await world.rest("POST", webhook, HELLO)).code);
    expect(codes).toEqual([null, null, null, null, null, 40094]);
  });
});
