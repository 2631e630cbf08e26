// A person who brought the bot along into a server that has not added it: everything they do there goes to an object of their own.
import { describe, expect, it } from "vitest";
import { changeText } from "../../../src/core/copy/changes.ts";
import { say } from "../../../src/core/copy/notices.ts";
import { clickTarget, readCustomId } from "../../../src/discord/components.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { scene } from "../../support/endpoint-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { silently } from "../../support/shown-answer.ts";

const { theo } = PEOPLE;
const OWN = `${PLACES.general}:${theo}`;
const here = { as: theo, channel: PLACES.general, userInstallOnly: true } as const;
const clickOn = (customId: string): Interact => ({
  ...here,
  ...{ kind: "raw", type: 3, extra: { message: { id: "5" } }, data: { custom_id: customId } },
});
const objectsOf = (world: ReturnType<typeof scene>) => world.calls.map(({ to }) => to);

describe("a visitor's command", () => {
  it.each([
    ["chat", undefined, { message: "hi" }],
    ["bot", "status", {}],
    ["stop", undefined, {}],
    ["reminders", "list", {}],
    ["tools", "list", {}],
    ["deliberate", "me", { state: "on" }],
  ] as const)(
    "/%s %s asks the visitor's own object, and the channel's object only for its settings",
    async (name, subcommand, options) => {
      const world = scene();
      await world.answered({ ...here, kind: "command", name, options, ...(subcommand && { subcommand }) });
      const [last, ...before] = world.calls.toReversed();
      expect(last?.to).toBe(OWN);
      for (const call of before) expect(call).toEqual({ to: PLACES.general, ask: "settings" });
    },
  );

  it("still names Discord's channel in the turn, and whose own object runs it", async () => {
    const world = scene();
    await world.answered({ ...here, kind: "command", name: "chat", options: { message: "hi" } });
    const submission = world.calls.flatMap((call) => ("submit" in call ? [call.submit] : []))[0];
    expect(submission?.trigger).toMatchObject({ channelId: PLACES.general, broughtBy: theo, privateTo: theo });
    expect(submission?.parentSettings).toEqual({ follow_up: "queue" });
  });

  it("asks for the usage of that object", async () => {
    const asked: string[] = [];
    const usage = async (userId: string, name: string) => {
      asked.push(`${userId} in ${name}`);
      throw new Error("down");
    };
    await scene({ scope: openScopes({ usage }) }).answered({
      ...here,
      kind: "command",
      name: "bot",
      subcommand: "usage",
    });
    expect(asked).toEqual([`${theo} in ${OWN}`]);
  });
});

describe("in a server that has added the bot", () => {
  it("everything goes to the channel's object, even for a person who installed the bot too", async () => {
    const world = scene();
    await world.answered({
      as: theo,
      channel: PLACES.general,
      kind: "command",
      name: "chat",
      options: { message: "hi" },
    });
    expect(objectsOf(world)).toEqual([PLACES.general]);
    expect(JSON.stringify(world.calls)).not.toContain("broughtBy");
  });
});

describe("in a conversation between people", () => {
  it("each person who brought the bot along has a separate object, and so sees nothing of what others asked", async () => {
    for (const as of [PEOPLE.wren, theo]) {
      const world = scene();
      const there = { as, channel: PLACES.groupDm, userInstallOnly: true } as const;
      await world.answered({ ...there, kind: "command", name: "chat", options: { message: "hi" } });
      await world.answered({ ...there, kind: "command", name: "bot", subcommand: "status" });
      const asked = world.calls.filter((call) => !("ask" in call && call.ask === "settings"));
      expect(asked.map(({ to }) => to)).toEqual([`${PLACES.groupDm}:${as}`, `${PLACES.groupDm}:${as}`]);
      const trigger = asked.flatMap((call) => ("submit" in call ? [call.submit.trigger] : []))[0];
      // Everyone there sees the answer.
      expect([trigger?.broughtBy, trigger?.privateTo]).toEqual([as, undefined]);
    }
  });
});

describe("because the conversation with a visitor is theirs alone, they", () => {
  it.each([
    ["a server that has not added the bot", PLACES.general, "reset"],
    ["a conversation between people", PLACES.groupDm, "reset"],
    ["a conversation between people", PLACES.groupDm, "compact"],
  ])("need not be a moderator in %s (%s) to use /bot %s", async (_, channel, subcommand) => {
    const world = scene();
    await world.answered({ ...here, channel, kind: "command", name: "bot", subcommand });
    expect(world.calls[0]?.to).toBe(`${channel}:${theo}`);
  });

  it.each(["add", "remove"])(
    "are not told to use /tools %s in a direct message, where it is refused too",
    async (subcommand) => {
      const options = { name: "wiki", ...(subcommand === "add" && { url: "https://wiki.example/mcp" }) };
      const use = { as: theo, kind: "command", name: "tools", subcommand, options } as const;
      const world = scene();
      const direct = await world.answered({ ...use, channel: PLACES.dmOfTheo });
      expect(direct).toEqual(silently(changeText.settingNeedsServer(`/tools ${subcommand}`)));
      const { data } = (await world.answered({ ...here, ...use, channel: PLACES.groupDm })) as {
        data: { content: string };
      };
      expect(data.content).toBe(
        `You can't use \`/tools ${subcommand}\` where only you brought me along. Use it in a server that has added me.`,
      );
    },
  );

  it("can still manage nothing there", async () => {
    const world = scene();
    const use = { ...here, kind: "command", name: "persona", subcommand: "list" } as const;
    for (const channel of [PLACES.general, PLACES.groupDm])
      expect(await world.answered({ ...use, channel })).toEqual(silently(say.visitorsCannot("persona list")));
    expect(world.calls).toEqual([]);
  });
});

describe("a button", () => {
  it("leads to the object that it names, and an old one to the channel's object", async () => {
    for (const action of ["stop", "approve", "resume", "retry"]) {
      const world = scene();
      await world.answered(clickOn(`${action}:77:${theo}`));
      await world.answered(clickOn(`${action}:77`));
      const asked = world.calls.filter((call) => !("ask" in call));
      expect(asked.map(({ to }) => to)).toEqual([OWN, PLACES.general]);
      expect(JSON.stringify(world.calls)).not.toContain(`77:${theo}`);
    }
  });

  it("has an id of at most 100 characters, and is read back as it was written", () => {
    const longest = "9".repeat(20);
    const target = clickTarget(`${longest}.12`, longest);
    expect(`enter_code:${target}`.length).toBeLessThanOrEqual(100);
    expect(readCustomId(`stop:${target}`)).toEqual({ action: "stop", turnId: `${longest}.12`, broughtBy: longest });
    expect(readCustomId(`stop:${clickTarget("r3-lq2", null)}`)).toEqual({
      ...{ action: "stop", turnId: "r3-lq2", broughtBy: null },
    });
  });
});

describe("/privacy forget of a visitor", () => {
  it("forgets in their own object, in the channel's, and wherever else they used the bot outside servers", async () => {
    const asks: string[] = [];
    const scope = (name: string) =>
      openScopes({
        async forgetPerson(userId, except) {
          asks.push(`${name}: ${userId} but in ${except}`);
          return { channels: 1, left: 0 };
        },
      })(name);
    const world = scene({ scope });
    const asked = await world.answered({ ...here, kind: "command", name: "privacy", subcommand: "forget" });
    expect(JSON.stringify(asked)).toContain(`"custom_id":"forget:${theo}:${theo}"`);
    const answer = await world.answered(clickOn(`forget:${theo}:${theo}`));
    expect(JSON.stringify(answer)).toContain("8 messages, 2 memories, 4 reminders");
    expect(world.calls).toEqual([
      { to: OWN, forgetPerson: theo },
      { to: PLACES.general, forgetPerson: theo },
    ]);
    expect(asks).toEqual([`deployment: ${theo} but in ${OWN}`]);
  });
});
