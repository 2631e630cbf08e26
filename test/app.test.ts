// The Worker's routes as Discord uses them: what is accepted, what is refused and with which status, and what a person then reads.
import { describe, expect, it } from "vitest";
import { VERSION } from "../src/config.ts";
import { changeText } from "../src/core/copy/changes.ts";
import { stopText } from "../src/core/copy/control-answers.ts";
import { say } from "../src/core/copy/notices.ts";
import { refusalText } from "../src/core/copy/refusals.ts";
import { statusText } from "../src/core/copy/status.ts";
import { QUESTION_CODE_POINTS } from "../src/core/limits.ts";
import type { GatewayStatus } from "../src/core/state/gateway-status.ts";
import { EVERY_PERMISSION, WITHOUT_THREADS } from "../src/discord/interactions/permissions.ts";
import type { Interact } from "../src/playground/discord/acts.ts";
import { APPLICATION } from "../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../src/playground/discord/world.ts";
import { NOTHING_RUNS, NOW, type Scene, scene, VARIABLES } from "./support/endpoint-harness.ts";
import { silently } from "./support/shown-answer.ts";

const MEBIBYTE = 1_048_576;
const THINKING = { type: 5 };

const chat = (message: string) =>
  ({
    as: PEOPLE.theo,
    channel: PLACES.general,
    kind: "command",
    name: "chat",
    options: { message },
  }) satisfies Interact;
const raw = (type: number, data?: unknown, extra: Record<string, unknown> = {}): Interact => ({
  as: PEOPLE.theo,
  channel: PLACES.general,
  kind: "raw",
  type,
  extra,
  ...(data === undefined ? {} : { data }),
});
const chatData = { name: "chat", type: 1, options: [{ name: "message", value: "hi" }] };
const submissions = ({ calls }: Scene) => calls.flatMap((call) => ("submit" in call ? [call.submit.trigger] : []));

describe("GET /health", () => {
  it("shows the version and whose application it is", async () => {
    const response = await scene().dispatch(new Request("http://localhost/health"));
    const shown = { ok: true, version: VERSION, applicationId: APPLICATION.id, gateway: "off" };
    expect([response.status, await response.json()]).toMatchObject([200, shown]);
  });

  it("says what the gateway does: asks its object at most once in ten seconds, and waits at most a second", async () => {
    const clock = { now: NOW };
    const timers: { ms: number; callback: () => void }[] = [];
    const answers: (() => Promise<GatewayStatus>)[] = [
      async () => "connected",
      async () => ({ refused: "bad_token" }),
      () => Promise.reject(new Error("gone")),
      () => new Promise(() => {}),
    ];
    let asked = 0;
    const world = scene({
      variables: { ...VARIABLES, DISCORD_GATEWAY: "on", DISCORD_BOT_TOKEN: APPLICATION.botToken },
      now: () => clock.now,
      after: (ms, callback) => {
        timers.push({ ms, callback });
        return () => {};
      },
      gatewayStatus: () => (answers[asked++] ?? (() => Promise.reject(new Error("asked too often"))))(),
    });
    const health = async () => {
      const response = await world.dispatch(new Request("http://localhost/health"));
      return ((await response.json()) as { gateway: string }).gateway;
    };
    expect([await health(), await health(), asked]).toEqual(["connected", "connected", 1]);
    clock.now += 10_000;
    expect(await health()).toContain("refused: Discord doesn't know the bot's token (4004)");
    clock.now += 10_000;
    expect([await health(), await health(), asked]).toEqual(["unknown", "unknown", 3]);
    clock.now += 10_000;
    const slow = health();
    await Promise.resolve();
    timers.at(-1)?.callback();
    expect([await slow, timers.at(-1)?.ms]).toEqual(["unknown", 1000]);
  });

  it("asks no object if the gateway is off", async () => {
    const world = scene({ gatewayStatus: () => Promise.reject(new Error("asked")) });
    const response = await world.dispatch(new Request("http://localhost/health"));
    expect(await response.json()).toMatchObject({ gateway: "off" });
  });

  it("names each variable that is missing or bad, without its value", async () => {
    const variables = { ...VARIABLES, OPENAI_API_KEY: "", DISCORD_PUBLIC_KEY: "secret-nonsense" };
    const response = await scene({ variables }).dispatch(new Request("http://localhost/health"));
    expect([response.status, await response.json()]).toEqual([
      500,
      {
        ok: false,
        version: VERSION,
        problems: ["DISCORD_PUBLIC_KEY is not 64 hexadecimal digits", "OPENAI_API_KEY is missing"],
      },
    ]);
  });
});

describe("a request that is not Discord's", () => {
  it.each([
    ["has no signature", { signature: null }, "no_signature"],
    ["has an empty signature", { signature: "" }, "no_signature"],
    ["has a short signature", { signature: "ab".repeat(63) }, "malformed_signature"],
    ["has a long signature", { signature: "ab".repeat(65) }, "malformed_signature"],
    ["has a signature that is not hex", { signature: "zz".repeat(64) }, "malformed_signature"],
    ["is signed with another key", { key: "22".repeat(32) }, "other_key"],
    ["is older than five minutes", { timestamp: String(NOW / 1000 - 301) }, "timestamp_too_far_away"],
    ["is from the future", { timestamp: String(NOW / 1000 + 301) }, "timestamp_too_far_away"],
    ["has a timestamp that is not a number", { timestamp: "yesterday" }, "malformed_timestamp"],
    ["has an empty timestamp", { timestamp: "" }, "no_signature"],
    ["comes to a public address with the published key", { url: "https://a.test/interactions" }, "no_signature"],
  ])("gets 401, submits nothing and is logged once a minute if it %s", async (_, signing, reason) => {
    const world = scene();
    for (let tries = 0; tries < 3; tries++) {
      const response = await world.dispatch(await world.discord.sign(JSON.stringify({ type: 1 }), signing));
      expect([response.status, world.calls]).toEqual([401, []]);
      expect(await response.json()).toEqual({ error: "invalid request signature" });
    }
    expect(world.errors).toEqual([{ line: "refused request", reason, unlogged: 0 }]);
  });

  it("is logged with its reason if the configured public key belongs to another application", async () => {
    const world = scene({ variables: { ...VARIABLES, DISCORD_PUBLIC_KEY: "11".repeat(32) } });
    await world.dispatch(await world.discord.sign(JSON.stringify({ type: 1 })));
    expect(world.errors).toEqual([{ line: "refused request", reason: "other_key", unlogged: 0 }]);
  });

  it("is logged once a minute with the problems if the configuration is refused", async () => {
    const world = scene({ variables: { ...VARIABLES, DISCORD_PUBLIC_KEY: "secret-nonsense" } });
    for (let tries = 0; tries < 3; tries++)
      expect((await world.dispatch(await world.discord.sign("{}"))).status).toBe(500);
    const problems = ["DISCORD_PUBLIC_KEY is not 64 hexadecimal digits"];
    expect(world.errors).toEqual([{ line: "not configured", problems, unlogged: 0 }]);
  });

  it("gets 413 if it is larger than a mebibyte, announced or streamed", async () => {
    const world = scene();
    const body = `"${"x".repeat(MEBIBYTE - 1)}"`;
    const announced = await world.discord.sign(body);
    announced.headers.set("content-length", String(MEBIBYTE + 1));
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks++;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const { url, headers } = await world.discord.sign("{}");
    const streamed = new Request(url, { method: "POST", headers, body: endless, duplex: "half" } as RequestInit);
    const statuses = [];
    for (const request of [await world.discord.sign(body), announced, streamed])
      statuses.push((await world.dispatch(request)).status);
    expect(statuses).toEqual([413, 413, 413]);
    expect(chunks).toBeLessThan(30);
    expect(world.calls).toEqual([]);
  });

  it("may be exactly one mebibyte", async () => {
    const world = scene();
    const response = await world.dispatch(await world.discord.sign(`"${"x".repeat(MEBIBYTE - 2)}"`));
    expect(response.status).toBe(400);
  });
});

describe("a signed request that is not an interaction", () => {
  const person = { id: "1", username: "theo" };
  const envelope = { id: "1", application_id: "2", token: "t", channel: { id: "3" }, user: person };
  it.each([
    ["", "the body is not a JSON object"],
    ["{", "the body is not a JSON object"],
    ["null", "the body is not a JSON object"],
    ["42", "the body is not a JSON object"],
    ["[]", "the body is not a JSON object"],
    ["{}", "not an interaction: id, application_id, token, type"],
    [JSON.stringify({ ...envelope, type: "2" }), "not an interaction: type"],
    [JSON.stringify({ ...envelope, type: 99 }), "not an interaction: unknown type"],
    [JSON.stringify({ ...envelope, type: 2 }), "not an interaction: data"],
    [JSON.stringify({ ...envelope, type: 3, data: {} }), "not an interaction: data.custom_id"],
    [JSON.stringify({ ...envelope, type: 2, user: undefined }), "not an interaction: channel or user is missing"],
    [JSON.stringify({ ...envelope, type: 2, channel: undefined }), "not an interaction: channel or user is missing"],
  ])("%j gets 400 with a reason, which is logged", async (body, reason) => {
    const world = scene();
    const response = await world.dispatch(await world.discord.sign(body));
    expect([response.status, await response.json()]).toEqual([400, { error: reason }]);
    expect(world.errors).toEqual([{ line: "unreadable interaction", reason }]);
    expect(world.calls).toEqual([]);
  });
});

describe("an interaction", () => {
  it("gets PONG for a PING", async () => {
    expect(await scene().answered({ as: PEOPLE.theo, channel: PLACES.general, kind: "ping" })).toEqual({ type: 1 });
  });

  it("from /chat becomes a submission with everything a reply needs, and the person sees that the bot is thinking", async () => {
    const world = scene();
    const outcome = await world.discord.interact(chat("  What time is it? "));
    expect(outcome.seen).toBe("thinking");
    expect(world.calls).toEqual([
      {
        to: PLACES.general,
        submit: {
          trigger: {
            interactionId: outcome.interactionId,
            token: outcome.token,
            applicationId: APPLICATION.id,
            receivedAt: NOW,
            channelId: PLACES.general,
            guildId: PLACES.guild,
            userId: PEOPLE.theo,
            userName: "Theo",
            moderator: false,
            permissions: ["ADD_REACTIONS", "READ_MESSAGE_HISTORY", "CREATE_PUBLIC_THREADS", "SEND_POLLS"],
            botIsHere: true,
            ageRestricted: false,
            locale: "en-GB",
            text: "What time is it?",
            showsQuestion: true,
          },
          // The role that everyone has.
          roles: [PLACES.guild],
          speakers: { webhookChannelId: null },
          scope: { settings: {}, isLimited: false },
        },
      },
    ]);
    expect(world.discord.violations).toEqual([]);
  });

  it("goes to channel.id, and to channel_id only if that is missing or null", async () => {
    const world = scene();
    await world.answered(raw(2, chatData, { channel: { id: "5" }, channel_id: "6" }));
    await world.answered(raw(2, chatData, { channel: undefined, channel_id: "6" }));
    await world.answered(raw(2, chatData, { channel: null, channel_id: "7", message: null, locale: null }));
    expect(world.calls.map(({ to }) => to)).toEqual(["5", "6", "7"]);
  });

  it("goes to the thread if it comes from a thread, and counts as a moderator's without a guild if it comes from a DM", async () => {
    const world = scene();
    await world.answered({ ...chat("hi"), channel: PLACES.thread });
    await world.answered({ ...chat("hi"), channel: PLACES.dmOfTheo });
    expect(world.calls[0]).toEqual({ to: PLACES.general, ask: "settings" });
    const seen = submissions(world).map(({ channelId, guildId, moderator, userId }) => [
      channelId,
      guildId,
      moderator,
      userId,
    ]);
    expect(seen).toEqual([
      [PLACES.thread, PLACES.guild, false, PEOPLE.theo],
      [PLACES.dmOfTheo, null, true, PEOPLE.theo],
    ]);
  });

  it.each([
    ["Administrator", 1n << 3n, true],
    ["Manage Server", 1n << 5n, true],
    ["Manage Messages", 1n << 13n, true],
    ["every permission except these three", (1n << 60n) - 1n - (1n << 3n) - (1n << 5n) - (1n << 13n), false],
    ["no permission", 0n, false],
  ])("shows whether a member with %s is a moderator", async (_, permissions, expected) => {
    const world = scene();
    const member = { user: { id: "7", username: "ana" }, nick: "Ana", permissions: String(permissions) };
    await world.answered(raw(2, chatData, { member }));
    expect(submissions(world).map(({ moderator, userName }) => [moderator, userName])).toEqual([[expected, "Ana"]]);
  });

  it.each([
    ["an administrator", { member: { user: { id: "7" }, permissions: "8" } }, EVERY_PERMISSION],
    [
      "a member who may add reactions and pin",
      { member: { user: { id: "7" }, permissions: String((1n << 6n) | (1n << 51n)) } },
      ["ADD_REACTIONS", "PIN_MESSAGES"],
    ],
    ["a member without permissions", { member: { user: { id: "7" } } }, []],
    ["a person in a direct message", { member: undefined, user: { id: "7" } }, WITHOUT_THREADS],
  ])("from %s gives tools the person's permissions and no others", async (_, over, expected) => {
    const world = scene();
    await world.answered(raw(2, chatData, over));
    expect(submissions(world).map(({ permissions }) => permissions)).toEqual([expected]);
  });

  it.each(["", "-8", "0x8", "8.0", "many", undefined])(
    "from a member whose permissions read %j is not from a moderator",
    async (permissions) => {
      const world = scene();
      await world.answered(raw(2, chatData, { member: { user: { id: "7" }, permissions } }));
      expect(submissions(world).map(({ moderator, userName }) => [moderator, userName])).toEqual([[false, "7"]]);
    },
  );

  it.each([
    ["an empty message", chat("   "), say.emptyMessage],
    ["a message of invisible characters", chat("\u3164 \u200b\u2060"), say.emptyMessage],
    ["no message", raw(2, { name: "chat", type: 1 }), say.emptyMessage],
    ["a non-text message", raw(2, { name: "chat", options: [{ name: "message", value: 7 }] }), say.emptyMessage],
    [
      "a message that is too long",
      chat("😀".repeat(QUESTION_CODE_POINTS + 1)),
      say.messageTooLong(QUESTION_CODE_POINTS),
    ],
    ["an unknown command", raw(2, { name: "dance", type: 1 }), say.unknownCommand("dance")],
    ["a message command with the name of ours", raw(2, { name: "chat", type: 3 }), say.unknownCommand("chat")],
    ["an unknown button", raw(3, { custom_id: "dance:1", component_type: 2 }), say.unknownComponent],
    ["a Stop button without its turn", raw(3, { custom_id: "stop:" }), say.unknownComponent],
    ["an unknown modal", raw(5, { custom_id: "dance" }), say.unknownModal],
  ])("with %s gets a private sentence and starts nothing", async (_, act, sentence) => {
    const world = scene();
    expect(await world.answered(act)).toEqual(silently(sentence));
    expect(world.calls).toEqual([]);
    expect(world.discord.violations).toEqual([]);
  });

  it("is accepted if its message has exactly the longest length, counted in code points", async () => {
    const world = scene();
    expect(await world.answered(chat("😀".repeat(QUESTION_CODE_POINTS)))).toEqual(THINKING);
  });

  it("gets no completions for an option of /chat", async () => {
    const act: Interact = { ...chat("hi"), kind: "autocomplete", options: { message: "h" }, focused: "message" };
    expect(await scene().answered(act)).toEqual({ type: 8, data: { choices: [] } });
  });

  it("gets the object's refusal as a private sentence with the reason", async () => {
    const refusal = { reason: "queue_full", limit: 10 } as const;
    const world = scene({ receipts: [{ kind: "refused", refusal }] });
    expect(await world.answered(chat("hi"))).toEqual(silently(refusalText(refusal)));
  });

  it("gets a private sentence with status 200 if its object can't be reached in three tries", async () => {
    const receipts = [1, 2, 3].map((attempt) => new Error(`overloaded ${attempt}`));
    const world = scene({ receipts, stop: new Error("gone") });
    const unavailable = silently(refusalText({ reason: "unavailable" }));
    expect(await world.answered(chat("hi"))).toEqual(unavailable);
    expect(await world.answered(raw(3, { custom_id: "stop:77" }))).toEqual(unavailable);
    const line = "channel object unreachable";
    expect(world.errors).toEqual([
      ...[1, 2, 3].map((attempt) => ({ line, method: "submit", attempt, error: `overloaded ${attempt}` })),
      ...[1, 2, 3].map((attempt) => ({ line, method: "stop", attempt, error: "gone" })),
    ]);
  });

  it("is sent to its object again unchanged after a failed try, and accepted", async () => {
    const world = scene({ receipts: [new Error("moved")] });
    expect(await world.answered(chat("hi"))).toEqual(THINKING);
    const [first, second, ...more] = submissions(world);
    expect([second, more]).toEqual([first, []]);
  });
});

describe("a command to stop", () => {
  const by = { as: PEOPLE.mira, channel: PLACES.general, kind: "command" } as const;

  it.each([
    ["/stop", { ...by, name: "stop" }, "stop"],
    ["/bot kill", { ...by, name: "bot", subcommand: "kill" }, "kill"],
  ] as const)("%s names no turn and is answered privately with the result", async (_, act, kind) => {
    const answer = { result: "stopped", ofUserId: PEOPLE.theo, what: "running", cleared: 2 } as const;
    const world = scene({ stop: answer });
    expect(await world.answered(act)).toEqual(silently(stopText(answer)));
    const stop = {
      interactionId: expect.stringMatching(/^\d+$/),
      kind,
      turnId: null,
      userId: PEOPLE.mira,
      userName: "Mira",
      moderator: true,
      // The moderators' role, and the one that everyone has.
      roles: ["1180000000000000031", PLACES.guild],
      scope: { settings: {}, isLimited: false },
    };
    expect(world.calls).toEqual([{ to: PLACES.general, stop }]);
  });
});

describe("a command about the channel", () => {
  const bot = (as: string, subcommand: string) =>
    ({ as, channel: PLACES.general, kind: "command", name: "bot", subcommand }) satisfies Interact;

  it("/bot status is private and open to everyone", async () => {
    const world = scene({ variables: { ...VARIABLES, DISCORD_BOT_TOKEN: "t" } });
    expect(await world.answered(bot(PEOPLE.theo, "status"))).toEqual(silently(statusText(NOTHING_RUNS)));
  });

  it("/bot reset tells moderators what was forgotten, and is refused to others", async () => {
    const world = scene();
    expect(await world.answered(bot(PEOPLE.theo, "reset"))).toEqual(silently(say.moderatorsOnly("bot reset")));
    expect(world.calls).toEqual([]);
    expect(await world.answered(bot(PEOPLE.mira, "reset"))).toEqual(silently(changeText.reset(12)));
  });

  it("/bot with a subcommand of another version is unknown", async () => {
    expect(await scene().answered(bot(PEOPLE.mira, "dance"))).toEqual(silently(say.unknownCommand("bot")));
  });
});
