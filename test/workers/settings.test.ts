// Each setting, set with /config as a person does, and its effect on a turn. Budgets and lists at their limits have their own tests
// (test/durable-objects/settings/budgets.test.ts); here each is set and takes effect once.
import { describe, expect, it } from "vitest";
import { stopText } from "../../src/core/copy/control-answers.ts";
import { say } from "../../src/core/copy/notices.ts";
import { refusalText } from "../../src/core/copy/refusals.ts";
import { withoutQuestion } from "../support/shown-answer.ts";
import { withinADay } from "../support/within-a-day.ts";
import { MIRA, THEO, type WorkerdHarness, type WorldOptions } from "../support/workerd-harness.ts";
import { call, held, quiet, text, until, world } from "./arrange.ts";

/** Makes a channel with these settings, set by Mira, who manages the server. */
async function place(settings: Record<string, string>, options?: WorldOptions): Promise<WorkerdHarness> {
  const w = world(options);
  for (const [key, value] of Object.entries(settings)) await config(w, "set", { key, value });
  return w;
}

const config = (w: WorkerdHarness, subcommand: string, options: Record<string, string>, as: string = MIRA) =>
  w.discord.interact({ kind: "command", channel: w.channelId, as, name: "config", subcommand, options });
const told = (w: WorkerdHarness, as: string = MIRA) => w.answers(as).at(-1);
const sent = (w: WorkerdHarness) =>
  w.discord.log.flatMap(({ body }) => (body ? [body as { content?: string; flags?: number }] : []));
const mine = (w: WorkerdHarness) =>
  w.discord
    .messages(w.channelId, THEO)
    .filter(({ ephemeral, author }) => author.bot && !ephemeral)
    .map((message) => ({ ...message, content: withoutQuestion(message.content) }));

async function asked(w: WorkerdHarness, message = "go"): Promise<void> {
  await w.say(THEO, message);
  await quiet(w);
}

describe("/config", () => {
  it("sets, shows and clears; a bad value keeps the old one, and a plain member changes nothing", async () => {
    const w = await place({ max_messages: "3" });
    expect(told(w)).toBe("Now set to: `max_messages`: `3` (set here)");
    await config(w, "set", { key: "max_messages", value: "11" });
    expect(told(w)).toBe("`max_messages` must be a whole number from 1 to 10. Nothing was changed.");
    await config(w, "set", { key: "max_messages", value: "9" }, THEO);
    expect(told(w, THEO)).toBe(say.managersOnly("config set"));
    await w.use(MIRA, "config show");
    expect(told(w)).toContain("`max_messages`: `3` (set here)");
    await config(w, "clear", { key: "max_messages" });
    expect(told(w)).toBe("Now set to: `max_messages`: `5` (default)");
  });
});

describe("a setting takes effect in a turn", () => {
  it("model: the chosen one answers, and the others take over if it fails", async () => {
    const common = { model: "m", baseUrl: "http://model.local/v1", apiKey: "k" };
    const config = {
      models: [
        { id: "quick", ...common },
        { id: "deep", ...common },
      ] as const,
    };
    const w = await place(
      { model: "deep" },
      {
        models: 2,
        config,
        answerTo: (_, index) => (index === 1 ? { fails: "overloaded" } : { texts: ["from the first"] }),
      },
    );
    await asked(w);
    expect(mine(w).map(({ content }) => content)).toEqual(["from the first\n\n-# answered by scripted"]);
  });

  it("system_prompt: the model receives it", async () => {
    const w = await place({ system_prompt: "You are a pirate." });
    w.model.script([text("Arr.")]);
    await asked(w);
    expect(w.lastRequest()[0]?.split("\n\n")[0]).toBe("system: You are a pirate.");
  });

  it("follow_up: the next message waits instead of interrupting", async () => {
    const w = await place({ follow_up: "queue" });
    w.model.script([held("one"), text("two")]);
    await w.say(THEO, "first");
    await until("the model", () => w.model.log.length === 1);
    await w.say(THEO, "second");
    expect(w.model.log[0]?.aborted).toBe(false);
    await w.use(THEO, "stop");
    await quiet(w);
  });

  it("kill_policy: anyone may stop anyone's answer", async () => {
    const stopped = async (settings: Record<string, string>) => {
      const w = await place(settings);
      w.model.script([held("one")]);
      await w.say(MIRA, "first");
      await until("the model", () => w.model.log.length === 1);
      await w.use(THEO, "stop");
      const answer = told(w, THEO);
      await w.use(MIRA, "stop");
      await quiet(w);
      return answer;
    };
    expect(await stopped({})).toBe(stopText({ result: "not_allowed" }));
    expect(await stopped({ kill_policy: "anyone" })).toBe(
      stopText({ result: "stopped", ofUserId: MIRA, what: "running", cleared: 0 }),
    );
  });

  it("notices: no small line appears below an unfinished answer, and errors still show", async () => {
    const w = await place({ notices: "false" });
    w.model.script([call("read"), text("Done.")]);
    await asked(w);
    const lines = sent(w).flatMap(({ content }) => (content?.includes("-# ") ? [content] : []));
    expect([lines, mine(w)[0]?.content]).toEqual([[], "Done."]);
    w.model.script([{ status: 400 }]);
    await asked(w);
    expect(mine(w)[1]?.content).toMatch(/^-# ⚠️ /);
  });

  it.each([
    ["false", 4],
    ["true", 0],
  ])("link_previews %s: each message carries the flags %i", async (value, flags) => {
    const w = await place({ link_previews: value });
    w.model.script([text("See https://example.org. ".repeat(100))]);
    await asked(w);
    expect(new Set(sent(w).map((body) => body.flags))).toEqual(new Set([flags]));
    expect(mine(w)).toHaveLength(2);
  });

  it("max_messages: a longer answer is attached as a file, a shorter one is not", async () => {
    const long = "A line of the answer.\n".repeat(150);
    const parts = async (value: string) => {
      const w = await place({ max_messages: value });
      w.model.script([text(long)]);
      await asked(w);
      return mine(w).map(({ attachments }) => attachments.map(({ filename }) => filename));
    };
    expect(await parts("1")).toEqual([["answer.md"]]);
    expect(await parts("2")).toEqual([[], []]);
  });

  it("max_messages: if a person brought the app along, Discord allows at most six", async () => {
    const w = await place({ max_messages: "10" });
    w.model.script([text("A line of the answer.\n".repeat(700))]);
    const chat = { kind: "command", name: "chat", options: { message: "go" } } as const;
    await w.discord.interact({ ...chat, channel: w.channelId, as: THEO, userInstallOnly: true });
    await until("the file", () => mine(w).some(({ attachments }) => attachments.length > 0));
    const files = mine(w).map(({ attachments }) => attachments.map(({ filename }) => filename));
    expect(files).toEqual([[], [], [], [], [], ["answer.md"]]);
    expect(w.discord.violations).toEqual([]);
  });

  it.each([
    ["user_turns_per_day", "1", { of: "user", unit: "turns", limit: 1 }],
    ["user_tokens_per_day", "1", { of: "user", unit: "tokens", limit: 1 }],
    ["channel_turns_per_day", "1", { of: "channel", unit: "turns", limit: 1 }],
    ["channel_tokens_per_day", "1", { of: "channel", unit: "tokens", limit: 1 }],
  ] as const)("%s: the message after the last allowed one is refused, and /bot usage says why", (key, value, spent) =>
    withinADay(async () => {
      const w = await place({ [key]: value });
      w.model.script([text("one")]);
      await asked(w);
      await w.say(THEO, "again");
      const [rule] = refusalText({ reason: "budget_spent", ...spent, resetsAt: 0 }).split("The limit resets");
      expect(told(w, THEO)).toContain(rule);
      await w.use(THEO, "bot usage");
      expect(told(w, THEO)).toMatch(
        /^\*\*Today\*\*\nYou, in this channel: 1 answer, .*\nThis channel: 1 (of 1 )?answers?[ ,].*\nYou, in the whole server: /,
      );
    }),
  );

  it.each([
    ["allow_users", MIRA, "not_listed"],
    ["allow_roles", "1180000000000000031", "not_listed"],
    ["deny_users", THEO, "denied"],
  ] as const)("%s: a person who may not ask is refused, and one who may is answered", async (key, value, reason) => {
    const w = await place({ [key]: value });
    w.model.script([text("Yes?")]);
    await w.say(THEO, "me");
    expect(told(w, THEO)).toBe(refusalText({ reason }));
    await w.say(MIRA, "and me");
    await quiet(w);
    expect(mine(w).map(({ content }) => content)).toEqual(["Yes?"]);
  });

  it("deny_roles: takes precedence over the lists of who may ask", async () => {
    const w = await place({ allow_users: MIRA, deny_roles: "1180000000000000031" });
    await w.say(MIRA, "me");
    expect(told(w)).toBe(refusalText({ reason: "denied" }));
  });
});
