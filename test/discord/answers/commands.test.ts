// Who may use which command where, and what they read: every command for every rank and place, completions, and interactions
// from another version.
import { describe, expect, it } from "vitest";
import { settingKeys } from "../../../src/channel/settings.ts";
import { changeText } from "../../../src/core/copy/changes.ts";
import { gatewayLine } from "../../../src/core/copy/gateway.ts";
import { missingIn } from "../../../src/core/copy/install-context.ts";
import { say } from "../../../src/core/copy/notices.ts";
import { cancelText, remindersText } from "../../../src/core/copy/reminders.ts";
import { settingMeanings } from "../../../src/core/copy/setting-meanings.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type Scene, scene, VARIABLES } from "../../support/endpoint-harness.ts";
import { silently } from "../../support/shown-answer.ts";

const here = { as: PEOPLE.theo, channel: PLACES.general } as const;
const command = (path: string, options: Record<string, string> = {}): Interact => {
  const [name = "", subcommand] = path.split(" ");
  return { ...here, kind: "command", name, options, ...(subcommand && { subcommand }) };
};
const raw = (type: number, data: unknown, extra: Record<string, unknown> = {}): Interact => ({
  ...here,
  kind: "raw",
  type,
  data,
  extra,
});
const reached = ({ calls }: Scene) => calls.map((call) => Object.keys(call).filter((key) => key !== "to")[0]);
const BITS = { nobody: 0n, moderator: 1n << 13n, manager: 1n << 5n, administrator: 1n << 3n };
const member = (bits: bigint) => ({ user: { id: "7", username: "ana" }, permissions: String(bits), roles: ["31"] });
const ALL = ["nobody", "moderator", "manager", "administrator"] as const;

const PLACE_EXTRAS = {
  "a channel": { context: 0 },
  "a thread": { channel: { id: "5", type: 11, parent_id: "4" }, context: 0 },
  "a server that has not added the bot": { context: 0, authorizing_integration_owners: { 1: "7" } },
};
const WITHOUT_A_MEMBER = {
  "the bot's direct messages": { guild_id: undefined, member: undefined, user: { id: "7" }, context: 1 },
  "a conversation between people": { guild_id: undefined, member: undefined, user: { id: "7" }, context: 2 },
};

const text = (name: string, value: string) => ({ name, type: 3, value });

/** What each command asks of the object, and who may use it. */
const COMMANDS: [path: string, who: "anyone" | "moderator" | "manager", options: object[], asks: string | null][] = [
  ["chat", "anyone", [{ name: "message", type: 3, value: "hi" }], "submit"],
  ["ask-long", "anyone", [], null],
  ["stop", "anyone", [], "stop"],
  ["bot kill", "anyone", [], "stop"],
  ["bot status", "anyone", [], "ask"],
  ["bot trace", "anyone", [{ name: "turn", type: 3, value: "77" }], "trace"],
  ["bot usage", "anyone", [], "ask"],
  ["bot compact", "moderator", [text("focus", "the recipe")], "compact"],
  ["bot reset", "moderator", [], "ask"],
  ["persona create", "manager", [text("name", "Cy"), text("prompt", "You are shy.")], "changePersona"],
  ["persona edit", "manager", [text("name", "Ada"), text("avatar", "https://example.org/a.png")], "changePersona"],
  ["persona delete", "manager", [text("name", "Ada")], "changePersona"],
  ["persona list", "manager", [], "ask"],
  ["persona use", "manager", [], "changePersona"],
  ["tools list", "anyone", [], "tools"],
  ["privacy forget", "anyone", [], null],
  ["reminders list", "anyone", [], "ask"],
  ["reminders cancel", "anyone", [{ name: "number", type: 4, value: 3 }], "cancelReminder"],
  ["deliberate mode", "manager", [text("state", "on")], "deliberate"],
  ["deliberate context", "manager", [{ name: "turns", type: 4, value: 3 }], "deliberate"],
  ["deliberate trigger", "manager", [text("action", "list")], "deliberate"],
  ["deliberate me", "anyone", [text("state", "off")], "deliberate"],
  ["config show", "manager", [], "ask"],
  [
    "config set",
    "manager",
    [
      { name: "key", type: 3, value: "notices" },
      { name: "value", type: 3, value: "on" },
    ],
    "change",
  ],
  ["config clear", "manager", [{ name: "key", type: 3, value: "notices" }], "change"],
  ["config history", "manager", [], "ask"],
  ["model", "manager", [], "ask"],
];
const MAY = {
  anyone: ALL,
  moderator: ["moderator", "manager", "administrator"],
  manager: ["manager", "administrator"],
} as const;

function dataOf(path: string, options: object[]) {
  const [name, subcommand] = path.split(" ");
  return { name, type: 1, options: subcommand ? [{ type: 1, name: subcommand, options }] : options };
}

/** The last call that was made; before it, a thread asks its parent for settings. */
async function askedBy(act: Interact): Promise<{ asked: string | null; answer: unknown }> {
  const world = scene();
  const answer = await world.answered(act);
  expect(world.discord.violations).toEqual([]);
  return { asked: reached(world).at(-1) ?? null, answer };
}

describe.each(COMMANDS)("/%s", (path, who, options, asks) => {
  const data = dataOf(path, options);
  const refusal = who === "moderator" ? say.moderatorsOnly(path) : say.managersOnly(path);

  it.each(Object.entries(PLACE_EXTRAS))(
    "in %s is accepted from those who may use it, and refused with the reason for the rest",
    async (_, extra) => {
      for (const rank of ALL) {
        const { asked, answer } = await askedBy(raw(2, data, { ...extra, member: member(BITS[rank]) }));
        // Where only the visitor brought the bot along, the conversation is the visitor's own.
        const isVisit = "authorizing_integration_owners" in extra;
        const isOwn = who === "moderator" && isVisit;
        const isAllowed = isOwn || MAY[who].some((one) => one === rank);
        expect([rank, asked]).toEqual([rank, isAllowed ? asks : null]);
        if (!isAllowed) expect(answer).toEqual(silently(isVisit ? say.visitorsCannot(path) : refusal));
      }
    },
  );

  it("in the bot's direct messages is open to the person", async () => {
    expect((await askedBy(raw(2, data, WITHOUT_A_MEMBER["the bot's direct messages"]))).asked).toBe(asks);
  });

  it("in a conversation between people, which no one manages, is open to everyone or to no one", async () => {
    const { asked, answer } = await askedBy(raw(2, data, WITHOUT_A_MEMBER["a conversation between people"]));
    expect(asked).toBe(who === "anyone" ? asks : null);
    if (who !== "anyone") expect(answer).toEqual(silently(say.visitorsCannot(path)));
  });
});

describe("a place where something is missing", () => {
  const sentences = async (act: Interact, variables: object = {}) => {
    const world = scene({ variables: { ...VARIABLES, ...variables } });
    const { data } = (await world.answered(act)) as { data: { content: string } };
    return data.content.split("\n").filter((line) => line.startsWith("-# "));
  };
  const small = (lines: string[]) => lines.map((line) => `-# ${line}`);
  const token = { DISCORD_BOT_TOKEN: "t" };
  const status = dataOf("bot status", []);

  it("lists it in /bot status", async () => {
    const at = (extra: Record<string, unknown>) => sentences(raw(2, status, extra), token);
    expect(await at({})).toEqual([]);
    expect(await at(PLACE_EXTRAS["a server that has not added the bot"])).toEqual(
      small(missingIn({ kind: "server", isMember: false }, true)),
    );
    expect(await at(WITHOUT_A_MEMBER["the bot's direct messages"])).toEqual(small(missingIn({ kind: "own_dm" }, true)));
    expect(await at(WITHOUT_A_MEMBER["a conversation between people"])).toEqual(
      small(missingIn({ kind: "private_channel" }, true)),
    );
    expect(await sentences(raw(2, status))).toEqual(small(missingIn({ kind: "server", isMember: true }, false)));
  });

  it("says in a server's /bot status that it hears no messages, if messages are not questions there", async () => {
    const lines = async (commandsOnly: boolean, extra: Record<string, unknown> = {}) => {
      const world = scene({
        variables: { ...VARIABLES, ...token, DISCORD_GATEWAY: "on" },
        gatewayStatus: async () => "connected",
        status: { commandsOnly },
      });
      const { data } = (await world.answered(raw(2, status, extra))) as { data: { content: string } };
      return data.content.split("\n").includes(`-# ${gatewayLine("connected", true)}`);
    };
    const direct = WITHOUT_A_MEMBER["the bot's direct messages"];
    expect([await lines(true), await lines(false), await lines(true, direct)]).toEqual([true, false, false]);
  });

  it("gets one sentence for each missing thing, and none if nothing is missing", () => {
    expect(missingIn({ kind: "server", isMember: true }, true)).toEqual([]);
    for (const kind of ["own_dm", "private_channel"] as const) expect(missingIn({ kind }, true)).toHaveLength(1);
    expect(missingIn({ kind: "server", isMember: false }, false)).toHaveLength(2);
  });

  const manager = { member: member(BITS.manager) };
  const setting = (key: string, value: string, extra: Record<string, unknown>) =>
    raw(
      2,
      dataOf("config set", [
        { name: "key", value: key },
        { name: "value", value },
      ]),
      extra,
    );
  it.each([
    [
      "roles in a direct message",
      "deny_roles",
      WITHOUT_A_MEMBER["the bot's direct messages"],
      {},
      changeText.settingNeedsServer,
    ],
    [
      "`private` in a direct message",
      "private",
      WITHOUT_A_MEMBER["the bot's direct messages"],
      {},
      changeText.settingNeedsServer,
    ],
    ["a thought log without a bot token", "thought_log_channel", manager, {}, changeText.settingNeedsBotToken],
    [
      "a thought log in a server that has not added the bot",
      "thought_log_channel",
      { ...manager, authorizing_integration_owners: { 1: "7" } },
      token,
      changeText.settingNeedsMembership,
    ],
  ])("refuses a setting that would have no effect there: %s", async (_, key, extra, variables, sentence) => {
    const world = scene({ variables: { ...VARIABLES, ...variables } });
    expect(await world.answered(setting(key, "1", extra))).toEqual(silently(sentence(key)));
    expect(world.calls).toEqual([]);
  });
});

describe("/reminders", () => {
  const tea = { number: 3, userId: PEOPLE.theo, text: "drink `tea`", dueAt: 1_900_000_000_000 };

  it("list shows those that the person may cancel", async () => {
    const world = scene({ reminders: [tea] });
    expect(await world.answered(command("reminders list"))).toEqual(silently(remindersText([tea])));
    expect(remindersText([tea])).toContain(`3. \`drink 'tea'\` for <@${PEOPLE.theo}>, due <t:1900000000:R>`);
    expect(world.viewers).toEqual([{ userId: PEOPLE.theo, moderator: false }]);
  });

  it("suggests asking for one only if the bot could set it", async () => {
    const said = async (extra: Record<string, unknown>, variables: object = { DISCORD_BOT_TOKEN: "t" }) => {
      const world = scene({ reminders: [], variables: { ...VARIABLES, ...variables } });
      const answer = (await world.answered(raw(2, dataOf("reminders list", []), extra))) as {
        data: { content: string };
      };
      return answer.data.content;
    };
    const [none, ask] = ["There are no reminders here.", "Ask me to remind you of something."];
    expect(await said({})).toBe(`${none} ${ask}`);
    expect(await said(WITHOUT_A_MEMBER["the bot's direct messages"])).toBe(`${none} ${ask}`);
    expect(await said(PLACE_EXTRAS["a server that has not added the bot"])).toBe(none);
    expect(await said(WITHOUT_A_MEMBER["a conversation between people"])).toBe(none);
    expect(await said({}, {})).toBe(none);
  });

  it("cancel says what became of it", async () => {
    for (const answer of ["cancelled", "not_found", "not_yours"] as const) {
      const world = scene({ cancel: answer });
      const act = raw(2, dataOf("reminders cancel", [{ name: "number", type: 4, value: 3 }]));
      expect(await world.answered(act)).toEqual(silently(cancelText(answer, 3)));
      expect(world.calls).toEqual([{ to: PLACES.general, cancelReminder: 3 }]);
    }
  });

  it("are counted by /bot reset", async () => {
    const world = scene({ reminders: [tea, tea] });
    expect(await world.answered({ ...command("bot reset"), as: PEOPLE.mira })).toEqual(
      silently(changeText.reset(12, 2)),
    );
  });
});

it.each([
  ["persona create", { name: "Cy", prompt: "You are shy." }],
  ["reminders cancel", { number: 3 }],
  ["bot reset", {}],
])("/%s gives the object its interaction's id, by which the object recognizes a repetition", async (path, options) => {
  const world = scene();
  const [name = "", subcommand = ""] = path.split(" ");
  await world.answered({ kind: "command", as: PEOPLE.mira, channel: PLACES.general, name, subcommand, options });
  expect(world.repeatable).toEqual([expect.stringMatching(/^\d+$/)]);
});

describe("autocomplete", () => {
  const typing = async (as: string, subcommand: string, options: Record<string, string>, focused: string) => {
    const world = scene();
    const act: Interact = {
      as,
      channel: PLACES.general,
      kind: "autocomplete",
      name: "config",
      subcommand,
      options,
      focused,
    };
    const { data } = (await world.answered(act)) as { data: { choices: { name: string; value: string }[] } };
    expect(world.discord.violations).toEqual([]);
    return data.choices.map(({ name, value }) => (name === value ? name : [name, value]));
  };
  const described = (keys: readonly (keyof typeof settingMeanings)[]) =>
    keys.map((key) => [`${key}: ${settingMeanings[key]}`, key]);

  it.each([
    // Discord accepts at most 25 choices.
    ["set", { key: "" }, "key", described(settingKeys.slice(0, 25))],
    ["set", { key: "approv" }, "key", described(["approvers"])],
    ["set", { key: "quiet failures" }, "key", described(["thought_log_channel"])],
    ["set", { key: "TOKENS" }, "key", described(["user_tokens_per_day", "channel_tokens_per_day"])],
    ["clear", { key: "deny" }, "key", described(["deny_roles", "deny_users"])],
    ["set", { key: "follow_up", value: "" }, "value", ["interrupt", "queue", "steer"]],
    ["set", { key: "follow_up", value: "que" }, "value", ["queue"]],
    ["set", { key: "model", value: "" }, "value", ["default"]],
    // A Discord client may send the words of the chosen setting instead of its value.
    ["set", { key: "follow_up: what your next message does", value: "que" }, "value", ["queue"]],
    ["set", { key: "volume", value: "" }, "value", []],
    ["set", { value: "1" }, "value", []],
  ])("offers the matching choices for /config %s with %j in %s", async (subcommand, options, focused, offered) => {
    expect(await typing(PEOPLE.mira, subcommand, options, focused)).toEqual(offered);
  });

  it("offers nothing to those who may not use the command, for an option without completion, or for an unknown subcommand", async () => {
    expect(await typing(PEOPLE.theo, "set", { key: "" }, "key")).toEqual([]);
    expect(await typing(PEOPLE.mira, "sing", { key: "" }, "key")).toEqual([]);
    const act: Interact = {
      ...command("chat", { message: "h" }),
      kind: "autocomplete",
      focused: "message",
    } as Interact;
    expect(await scene().answered(act)).toEqual({ type: 8, data: { choices: [] } });
  });
});

describe("an interaction from another version", () => {
  it.each([
    ["a command", 2, { name: "dance", type: 1 }, say.unknownCommand("dance")],
    ["a subcommand", 2, dataOf("config dance", []), say.unknownCommand("config")],
    ["a group used without a subcommand", 2, { name: "bot", type: 1 }, say.unknownCommand("bot")],
    ["a built-in property as a name", 2, { name: "constructor", type: 1 }, say.unknownCommand("constructor")],
    ["a menu entry", 2, { name: "Summarize", type: 3, target_id: "9" }, say.unknownCommand("Summarize")],
    [
      "a menu entry without its message",
      2,
      { name: "Ask about this", type: 3, target_id: "9" },
      say.unknownCommand("Ask about this"),
    ],
    ["a form", 5, { custom_id: "ask:1", components: [] }, say.unknownModal],
    ["a form named after a built-in property", 5, { custom_id: "toString" }, say.unknownModal],
    [
      "our form without its fields",
      5,
      { custom_id: "ask-long", components: [{ type: 1, components: [] }] },
      say.emptyMessage,
    ],
    ["a button", 3, { custom_id: "dance:1", component_type: 2 }, say.unknownComponent],
  ])("gets a polite answer and starts nothing: %s", async (_, type, data, sentence) => {
    const world = scene();
    expect(await world.answered(raw(type, data))).toEqual(silently(sentence));
    expect(world.calls).toEqual([]);
    expect(world.discord.violations).toEqual([]);
  });

  it("passes an empty key for /config set without options, so that the answer names the settings", async () => {
    const world = scene();
    const data = { name: "config", type: 1, options: [{ type: 1, name: "set" }] };
    await world.answered(raw(2, data, { member: member(BITS.manager) }));
    expect(world.calls).toMatchObject([{ to: PLACES.general, change: { key: "", value: "" } }]);
  });
});
