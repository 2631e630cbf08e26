// Each rule of the local Discord, row by row: it refuses what Discord refuses, and accepts the valid form.
import { describe, expect, it } from "vitest";
import { AS_BOT, deferred, faultsIn, inline, SILENT, testWorld } from "./world.ts";

const button = (extra: object = {}) => ({ type: 2, style: 2, label: "Stop", custom_id: "stop", ...extra });
const rows = (...buttons: object[]) => [{ type: 1, components: buttons }];
const emoji = (count: number) => "🦜".repeat(count);
const words = (count: number) => "x".repeat(count);

const GOOD: [name: string, body: object][] = [
  ["2000 emoji, which are 4000 UTF-16 units", { content: emoji(2000) }],
  ["an embed and no content", { embeds: [{ description: words(4096) }] }],
  ["two buttons with ids of their own", { content: "x", components: rows(button(), button({ custom_id: "retry" })) }],
  [
    "a link button",
    { content: "x", components: rows({ type: 2, style: 5, label: "Docs", url: "https://example.org" }) },
  ],
  ["five rows", { content: "x", components: [1, 2, 3, 4, 5].flatMap((n) => rows(button({ custom_id: `${n}` }))) }],
  ["embeds of 6000 characters", { embeds: [{ description: words(4096) }, { description: words(1904) }] }],
  ["components v2 with a text of 4000", { flags: 1 << 15, components: [{ type: 10, content: words(4000) }] }],
];

const BAD: [name: string, body: object, faults: string[]][] = [
  ["2001 code points", { content: emoji(2001) }, ["content: BASE_TYPE_MAX_LENGTH"]],
  ["a field Discord does not know", { content: "x", contnet: "x" }, ["contnet: LOCAL_UNKNOWN_FIELD"]],
  [
    "an unknown field deep inside",
    { content: "x", components: rows(button({ labl: "x" })) },
    ["components.0.components.0.labl: LOCAL_UNKNOWN_FIELD"],
  ],
  ["content of the wrong type", { content: 7 }, ["content: BASE_TYPE_BAD_TYPE"]],
  [
    "a custom_id of 101 characters",
    { content: "x", components: rows(button({ custom_id: words(101) })) },
    ["components.0.components.0.custom_id: BASE_TYPE_MAX_LENGTH"],
  ],
  [
    "the same custom_id twice",
    { content: "x", components: rows(button(), button()) },
    ["components.0.components.1.custom_id: COMPONENT_CUSTOM_ID_DUPLICATED"],
  ],
  [
    "six buttons in a row",
    { content: "x", components: rows(...[1, 2, 3, 4, 5, 6].map((n) => button({ custom_id: `${n}` }))) },
    ["components.0.components: BASE_TYPE_MAX_LENGTH"],
  ],
  [
    "six rows",
    { content: "x", components: [1, 2, 3, 4, 5, 6].flatMap((n) => rows(button({ custom_id: `${n}` }))) },
    ["components: BASE_TYPE_BAD_LENGTH"],
  ],
  [
    "a button with neither label nor emoji",
    { content: "x", components: rows({ type: 2, style: 2, custom_id: "a" }) },
    ["components.0.components.0.label: BUTTON_COMPONENT_LABEL_REQUIRED"],
  ],
  [
    "a link button with a custom_id",
    { content: "x", components: rows(button({ style: 5, url: "https://example.org" })) },
    ["components.0.components.0.custom_id: BUTTON_COMPONENT_CUSTOM_ID"],
  ],
  [
    "a component type that does not exist",
    { content: "x", components: rows({ type: 77 }) },
    ["components.0.components.0: UNION_TYPE_CHOICES"],
  ],
  [
    "embeds of 6001 characters",
    { embeds: [{ description: words(4096) }, { description: words(1904), footer: { text: "x" } }] },
    ["embeds: MAX_EMBED_SIZE_EXCEEDED"],
  ],
  [
    "content beside components v2",
    { content: "x", flags: 1 << 15, components: [{ type: 10, content: "x" }] },
    ["content: MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"],
  ],
  [
    "a text display without components v2",
    { content: "x", components: [{ type: 10, content: "x" }] },
    ["components.0.type: UNION_TYPE_CHOICES"],
  ],
  ["a flag that only Discord sets", { content: "x", flags: 1 << 7 }, ["flags: MESSAGE_INVALID_FLAGS"]],
  [
    "an attachment that was not sent",
    { content: "x", attachments: [{ id: "0" }] },
    ["attachments.0.id: ATTACHMENT_NOT_FOUND"],
  ],
  [
    "an attachment whose id is a number",
    { content: "x", attachments: [{ id: 0 }] },
    ["attachments.0.id: BASE_TYPE_BAD_TYPE"],
  ],
];

describe("a follow-up", () => {
  it.each(GOOD)("is accepted with %s", async (_, body) => {
    const world = testWorld();
    const { webhook } = await deferred(world);
    expect(await world.rest("POST", webhook, { ...SILENT, ...body })).toMatchObject({ status: 200 });
    expect(world.discord.violations).toEqual([]);
  });

  it.each(BAD)("is refused with %s, and the refusal names the field", async (_, body, faults) => {
    const world = testWorld();
    const { webhook } = await deferred(world);
    const reply = await world.rest("POST", webhook, { ...SILENT, ...body });
    expect([reply.status, reply.code, faultsIn(reply)]).toEqual([400, 50035, faults]);
    expect(world.discord.violations.map(({ body: sent }) => sent)).toEqual([{ ...SILENT, ...body }]);
  });

  it.each([
    ["nothing", {}],
    ["white space", { content: " \n " }],
    ["only buttons", { components: rows(button()) }],
  ])("is refused as empty with %s", async (_, body) => {
    const world = testWorld();
    const { webhook } = await deferred(world);
    expect(await world.rest("POST", webhook, { ...SILENT, ...body })).toMatchObject({ status: 400, code: 50006 });
  });
});

describe("mentions", () => {
  it.each([
    ["no allowed_mentions", {}],
    ["a parse list that pings", { allowed_mentions: { parse: ["users"] } }],
    ["a named user", { allowed_mentions: { parse: [], users: ["1"] } }],
    ["a pinged reply", { allowed_mentions: { parse: [], replied_user: true } }],
  ])("are refused with %s, on every creation and edit that has content", async (_, mentions) => {
    const world = testWorld();
    const { webhook } = await deferred(world);
    const body = { content: "hi @everyone", ...mentions };
    const replies = [
      await world.rest("PATCH", `${webhook}/messages/@original`, body),
      await world.rest("POST", webhook, body),
      await world.rest("POST", "/channels/10/messages", body, AS_BOT),
    ];
    expect(replies.map(faultsIn)).toEqual(Array(3).fill(["allowed_mentions: LOCAL_MENTIONS_NOT_SILENCED"]));
  });

  it("are recorded when the rule is off, so that a test can still check who was pinged", async () => {
    const world = testWorld({ requireSilentMentions: false });
    const { webhook } = await deferred(world);
    await world.rest("POST", webhook, { content: "<@7> <@&8> @everyone", allowed_mentions: { parse: ["users"] } });
    await world.rest("POST", webhook, { content: "<@7> @here" });
    await world.rest("POST", webhook, { content: "<@7> @here", ...SILENT });
    expect(world.discord.pinged()).toEqual(["7", "7", "everyone"]);
  });
});

describe("a request", () => {
  it("without the kind of User-Agent that Discord requires is blocked before anything else", async () => {
    const world = testWorld();
    expect(await world.rest("GET", "/nowhere", undefined, { "user-agent": "curl/8" })).toMatchObject({
      status: 403,
      code: 40333,
    });
  });

  it("for an unknown path is not found, and with a wrong method not allowed", async () => {
    const world = testWorld();
    const replies = [await world.rest("GET", "/nowhere"), await world.rest("PUT", "/channels/10/messages", [])];
    expect(replies.map(({ body }) => body)).toEqual([
      { message: "404: Not Found", code: 0 },
      { message: "405: Method Not Allowed", code: 0 },
    ]);
  });

  it("on a bot route needs the bot's token", async () => {
    const world = testWorld();
    const replies = [
      await world.rest("GET", "/channels/1180000000000000010/messages"),
      await world.rest("GET", "/channels/1180000000000000010/messages", undefined, { authorization: "Bearer x" }),
      await world.rest("GET", "/channels/1180000000000000010/messages", undefined, AS_BOT),
    ];
    expect(replies.map(({ status, code }) => [status, code])).toEqual([
      [401, 0],
      [401, 0],
      [200, null],
    ]);
  });

  it("with a broken escape, or an id that is not a snowflake, gets an ordinary error", async () => {
    const world = testWorld();
    const list = "/channels/1180000000000000010/messages";
    const replies = [
      await world.rest("GET", `${list}/%zz`, undefined, AS_BOT),
      await world.rest("GET", `${list}?after=yesterday`, undefined, AS_BOT),
      await world.rest("GET", `${list}?limit=101`, undefined, AS_BOT),
    ];
    expect(replies.map(({ code }) => code)).toEqual([10008, 50035, 50035]);
  });

  it("is refused if it is not JSON, or has another content type", async () => {
    const world = testWorld();
    const { webhook } = await deferred(world);
    const send = (body: string, type: string) =>
      world.discord.fetch(
        new Request(`http://x/api/v10${webhook}`, {
          method: "POST",
          body,
          headers: { "content-type": type, "user-agent": "DiscordBot (x, 1)" },
        }),
      );
    expect(await (await send("no form", "multipart/form-data; boundary=x")).json()).toMatchObject({ code: 50109 });
    expect(await (await send("{", "application/json")).json()).toMatchObject({ code: 50109 });
    expect(await (await send("content=x", "application/x-www-form-urlencoded")).json()).toMatchObject({ code: 50035 });
  });
});

describe("commands", () => {
  const path = "/applications/1180000000000000002/commands";
  const option = (name: string, extra: object = {}) => ({ type: 3, name, description: "d", ...extra });

  it("are registered with permission bits as a string, and keep their ids when people use them", async () => {
    const world = testWorld();
    const commands = [
      { name: "config", description: "Settings", default_member_permissions: "32", contexts: [0] },
      { type: 3, name: "Ask about this" },
    ];
    expect(await world.rest("PUT", path, commands, AS_BOT)).toMatchObject({ status: 200 });
    await world.discord.interact({ as: "21", channel: "10", kind: "command", name: "config" });
    expect(world.received.at(-1)?.data).toMatchObject({ id: world.discord.commands()[0]?.id, name: "config" });
  });

  it.each([
    ["a capital in a slash command", [{ name: "Chat", description: "d" }], "0.name: APPLICATION_COMMAND_INVALID_NAME"],
    ["no description", [{ name: "chat" }], "0.description: BASE_TYPE_REQUIRED"],
    [
      "the same name twice",
      [
        { name: "a", description: "d" },
        { name: "a", description: "d" },
      ],
      "1: APPLICATION_COMMANDS_DUPLICATE_NAME",
    ],
    [
      "a required option after an optional one",
      [{ name: "a", description: "d", options: [option("x"), option("y", { required: true })] }],
      "0.options.1: APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ],
    [
      "a misspelt field",
      [{ name: "a", description: "d", options: [option("x", { requird: true })] }],
      "0.options.0.requird: LOCAL_UNKNOWN_FIELD",
    ],
    [
      "permissions that are not digits",
      [{ name: "a", description: "d", default_member_permissions: "MANAGE" }],
      "0.default_member_permissions: BASE_TYPE_INVALID",
    ],
    [
      "a description on a message command",
      [{ type: 3, name: "Ask", description: "d" }],
      "0.description: APPLICATION_COMMAND_INVALID_DESCRIPTION",
    ],
  ])("are refused with %s", async (_, commands, fault) => {
    expect(faultsIn(await testWorld().rest("PUT", path, commands, AS_BOT))).toEqual([fault]);
  });
});

describe("an inline answer", () => {
  it.each([
    ["a deferral with content", { type: 5, data: { content: "x", ...SILENT } }],
    ["a deferral with a flag other than EPHEMERAL", { type: 5, data: { flags: 4 } }],
    ["a deferred update without a component", { type: 6 }],
    ["an update without a component", { type: 7, data: { content: "x", ...SILENT } }],
    ["a message over 2000 characters", { type: 4, data: { content: words(2001), ...SILENT } }],
    ["a message that may ping", { type: 4, data: { content: "x" } }],
    ["autocomplete choices for a command", { type: 8, data: { choices: [] } }],
    ["an unknown type", { type: 99 }],
    ["a misspelt field", { type: 4, data: { content: "x", flag: 64, ...SILENT } }],
  ])("is a violation as %s, and the person sees that the application did not respond", async (_, answer) => {
    const world = testWorld();
    world.endpoint(() => inline(answer));
    const outcome = await world.discord.interact({ as: "21", channel: "10", kind: "command", name: "chat" });
    expect(outcome).toMatchObject({ ok: false, seen: "failed", error: "The application did not respond" });
    expect(world.discord.violations).toMatchObject([
      { where: "answer to an interaction", body: JSON.stringify(answer) },
    ]);
  });

  it.each([
    ["a deferral", { type: 5 }, "thinking"],
    ["an ephemeral deferral", { type: 5, data: { flags: 64 } }, "thinking"],
    ["an ephemeral message without previews", { type: 4, data: { content: "x", flags: 68, ...SILENT } }, "message"],
    [
      "a modal",
      {
        type: 9,
        data: {
          custom_id: "m",
          title: "t",
          components: [{ type: 18, label: "l", component: { type: 4, style: 2, custom_id: "q" } }],
        },
      },
      "modal",
    ],
  ])("is accepted as %s", async (_, answer, seen) => {
    const world = testWorld();
    world.endpoint(() => inline(answer));
    expect(await world.discord.interact({ as: "21", channel: "10", kind: "command", name: "ask" })).toMatchObject({
      ok: true,
      seen,
    });
    expect(world.discord.violations).toEqual([]);
  });
});
