// The values that a channel's settings may have, which value applies where, and that no typed text can break them.
import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  oneof,
  option,
  property,
  record,
  string,
  tuple,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { checkChange } from "../../src/channel/check-change.ts";
import { explainSetting, explainSettings } from "../../src/channel/explain-settings.ts";
import { isHigherLimit } from "../../src/channel/setting-rules.ts";
import { resolveSettings } from "../../src/channel/setting-scopes.ts";
import { type StoredSettings, settingKeys, settingRules } from "../../src/channel/settings.ts";

const MODELS = ["quick", "deep"];
const ROLE = "1180000000000000031";
const AMOUNT = "an amount in dollars from 0 to 1000000, with at most 6 decimals";
const ADA = "1180000000000000023";
const resolve = (own: StoredSettings, parent: StoredSettings = {}, server: StoredSettings = {}) =>
  resolveSettings({ own, parent, server, modelIds: MODELS });

const DEFAULTS = {
  model: null,
  system_prompt: null,
  answer_to: "mention_and_reply",
  follow_up: "interrupt",
  kill_policy: "owner_or_moderator",
  thought_log_channel: null,
  private: false,
  notices: true,
  link_previews: false,
  show_question: true,
  auto_thread: false,
  ping_when_done: "slow",
  max_messages: 5,
  channel_context: 20,
  keep_days: 30,
  user_turns_per_day: 0,
  user_tokens_per_day: 0,
  channel_turns_per_day: 0,
  channel_tokens_per_day: 0,
  user_usd_per_day: 0,
  channel_usd_per_day: 0,
  server_usd_per_day: 0,
  turns_per_minute: 5,
  approvers: [],
  access: [],
};
const LISTS = ["allow_roles", "allow_users", "deny_roles", "deny_users"] as const;
const OPEN = { allow_roles: [], allow_users: [], deny_roles: [], deny_users: [] };

describe("the value that applies", () => {
  it("is the default of every setting if nothing was set", () => {
    expect(resolve({})).toEqual(DEFAULTS);
    expect([...settingKeys].sort()).toEqual(
      [...Object.keys(DEFAULTS).filter((key) => key !== "access"), ...LISTS].sort(),
    );
  });

  it("is the thread's own, else the parent's, else the server's, else the default, each with its source", () => {
    const input = {
      own: { max_messages: "9" },
      parent: { max_messages: "2", notices: "false" },
      server: { notices: "true", follow_up: "queue" },
      modelIds: MODELS,
    };
    expect(resolveSettings(input)).toEqual({ ...DEFAULTS, max_messages: 9, notices: false, follow_up: "queue" });
    const explained = explainSettings(input).filter(({ key }) =>
      ["max_messages", "notices", "model", "follow_up", "deny_users", "kill_policy"].includes(key),
    );
    expect(explained).toEqual([
      { key: "model", text: null, source: "default" },
      { key: "follow_up", text: "queue", source: "server" },
      { key: "kill_policy", text: "owner_or_moderator", source: "default" },
      { key: "notices", text: "false", source: "parent" },
      { key: "max_messages", text: "9", source: "here" },
      { key: "deny_users", text: "none", source: "default" },
    ]);
  });

  it("can be empty in a thread although the parent has set one", () => {
    expect(
      resolve({ thought_log_channel: "none", approvers: "none" }, { thought_log_channel: ADA, approvers: ROLE }),
    ).toEqual(DEFAULTS);
  });

  it("of a list of people is each scope's own, and no list replaces a wider one", () => {
    const [own, parent, server] = [{ allow_users: "none" }, { allow_users: ADA }, { deny_roles: ROLE }];
    expect(resolve(own, parent, server).access).toEqual([
      { ...OPEN, deny_roles: [ROLE] },
      { ...OPEN, allow_users: [ADA] },
    ]);
    expect(explainSetting("allow_users", { own, parent, server, modelIds: [] })).toEqual({
      key: "allow_users",
      text: "none",
      source: "here",
      also: [{ text: ADA, source: "parent" }],
    });
  });

  it("of a limit is the wider scope's if the narrower one is looser, and that scope is named", () => {
    const explain = (own: string, parent: string | null, server: string) => {
      const inParent = parent === null ? {} : { user_turns_per_day: parent };
      const input = { own: { user_turns_per_day: own }, parent: inParent, server: { user_turns_per_day: server } };
      return explainSetting("user_turns_per_day", { ...input, modelIds: [] });
    };
    const key = "user_turns_per_day";
    expect([
      explain("100", null, "50"),
      explain("0", "40", "50"),
      explain("20", "60", "50"),
      explain("7", "0", "0"),
    ]).toEqual([
      { key, text: "50", source: "server", tooLoose: { text: "100", source: "here" } },
      { key, text: "40", source: "parent", tooLoose: { text: "0", source: "here" } },
      { key, text: "20", source: "here" },
      { key, text: "7", source: "here" },
    ]);
  });

  it("of a limit may be looser than the default, which limits no one", () => {
    expect(resolve({ turns_per_minute: "0", keep_days: "365" })).toMatchObject({ turns_per_minute: 0, keep_days: 365 });
    expect(resolve({ keep_days: "365" }, {}, { keep_days: "90" }).keep_days).toBe(90);
  });

  it("keeps a thread of a private channel private, and may make only the thread private", () => {
    expect(resolve({ private: "false" }, { private: "true" }).private).toBe(true);
    expect(resolve({ private: "true" }, { private: "false" }).private).toBe(true);
    expect(resolve({ private: "false" }, {}).private).toBe(false);
  });

  it("is never a stored one that is no longer allowed", () => {
    const stored = { model: "retired", max_messages: "11", follow_up: "shout", volume: "11", constructor: "x" };
    expect(resolve(stored, { model: "deep" })).toEqual({ ...DEFAULTS, model: "deep" });
  });
});

describe("a value", () => {
  it.each([
    ["model", "deep", "deep"],
    ["system_prompt", "  You are a pirate. ", "You are a pirate."],
    ["answer_to", "Thread", "thread"],
    ["answer_to", "on", "mention_and_reply"],
    ["answer_to", "off", "off"],
    ["follow_up", "Steer", "steer"],
    ["kill_policy", "anyone", "anyone"],
    ["thought_log_channel", `<#${ADA}>`, ADA],
    ["thought_log_channel", "None", "none"],
    ["private", "on", "true"],
    ["notices", "OFF", "false"],
    ["link_previews", "yes", "true"],
    ["max_messages", "10", "10"],
    ["keep_days", "365", "365"],
    ["user_tokens_per_day", "007", "7"],
    ["user_usd_per_day", "$1.50", "1.5"],
    ["channel_usd_per_day", "0.000001", "0.000001"],
    ["channel_usd_per_day", "10", "10"],
    ["server_usd_per_day", "1000000.000000", "1000000"],
    ["server_usd_per_day", "0.00", "0"],
    ["turns_per_minute", "0", "0"],
    ["allow_roles", `<@&${ROLE}>`, ROLE],
    ["allow_users", `<@${ADA}>, <@!${ROLE}> ${ADA}`, `${ADA} ${ROLE}`],
    ["deny_users", "none", "none"],
  ])("of %s is read from %j as %j", (key, text, stored) => {
    expect(checkChange(key, text, MODELS)).toEqual({ ok: true, key, text: stored });
  });

  it.each([
    ["model", "gpt", "`model` must be one of the configured models (quick, deep)."],
    ["system_prompt", "   ", "`system_prompt` must be 1 to 4000 characters long."],
    ["system_prompt", "x".repeat(4001), "`system_prompt` must be 1 to 4000 characters long."],
    ["answer_to", "constructor", "`answer_to` must be one of mention, mention_and_reply, thread, off."],
    ["follow_up", "shout", "`follow_up` must be one of interrupt, queue, steer."],
    ["kill_policy", "", "`kill_policy` must be one of owner_or_moderator, anyone."],
    ["thought_log_channel", "#general", "`thought_log_channel` must be a channel (a mention or an ID) or none."],
    ["private", "maybe", "`private` must be true or false."],
    ["keep_days", "0", "`keep_days` must be a whole number from 1 to 365."],
    ["max_messages", "0", "`max_messages` must be a whole number from 1 to 10."],
    ["max_messages", "11", "`max_messages` must be a whole number from 1 to 10."],
    ["max_messages", "2.5", "`max_messages` must be a whole number from 1 to 10."],
    ["user_turns_per_day", "-1", "`user_turns_per_day` must be a whole number from 0 to 1000000."],
    ["channel_tokens_per_day", "1e9", "`channel_tokens_per_day` must be a whole number from 0 to 1000000000."],
    ["user_usd_per_day", "-1", `\`user_usd_per_day\` must be ${AMOUNT}.`],
    ["channel_usd_per_day", "0.0000001", `\`channel_usd_per_day\` must be ${AMOUNT}.`],
    ["channel_usd_per_day", "1,50", `\`channel_usd_per_day\` must be ${AMOUNT}.`],
    ["server_usd_per_day", "1000000.000001", `\`server_usd_per_day\` must be ${AMOUNT}.`],
    ["turns_per_minute", "61", "`turns_per_minute` must be a whole number from 0 to 60."],
    ["allow_users", `<@&${ROLE}>`, "`allow_users` must be a list of at most 50 people (mentions or IDs) or none."],
    ["deny_roles", "@everyone", "`deny_roles` must be a list of at most 50 roles (mentions or IDs) or none."],
  ])("of %s may not be %j, and the rule is named", (key, text, rule) => {
    expect(checkChange(key, text, MODELS)).toEqual({ ok: false, rule });
  });

  it("of an unknown setting is refused with the names that exist", () => {
    for (const key of ["volume", "", "constructor", "__proto__"])
      expect(checkChange(key, "1", MODELS)).toEqual({
        ok: false,
        rule: `There is no setting \`${key}\`. Choose one of: ${settingKeys.join(", ")}.`,
      });
  });

  it("is allowed wherever it is suggested", () => {
    for (const key of settingKeys)
      for (const text of settingRules[key].suggestions)
        expect(checkChange(key, text, MODELS)).toMatchObject({ ok: true });
  });
});

describe("any sequence of set and clear", () => {
  const keys = oneof(constantFrom<string>(...settingKeys), string());
  const texts = oneof(
    string(),
    constantFrom("true", "off", "none", "steer", "anyone", "deep", ADA, `<@&${ROLE}>`, `<#${ADA}>`),
    integer({ min: -2, max: 12 }).map(String),
  );
  const steps = array(record({ key: keys, text: oneof(texts, constantFrom(null)) }), { maxLength: 30 });

  it("leaves every setting with an allowed value, and a bad value changes nothing", () => {
    assert(
      property(steps, (sequence) => {
        const own: StoredSettings = {};
        for (const { key, text } of sequence) {
          const before = resolve(own);
          const checked = checkChange(key, text, MODELS);
          if (!checked.ok) continue;
          if (checked.text === null) delete own[checked.key];
          else own[checked.key] = checked.text;
          const { read, fallback } = settingRules[checked.key];
          const expected = checked.text === null ? fallback : read(checked.text, MODELS);
          const { access, ...others } = resolve(own);
          const list = LISTS.find((one) => one === checked.key);
          if (list === undefined) expect({ ...others, access }).toEqual({ ...before, [checked.key]: expected });
          else expect([others, access[0]?.[list] ?? []]).toEqual([{ ...before, access: undefined }, expected]);
        }
        for (const { key, text } of explainSettings({ own, parent: {}, server: {}, modelIds: MODELS }))
          if (text !== null) expect(checkChange(key, text, MODELS)).toEqual({ ok: true, key, text });
      }),
    );
  });
});

describe("three scopes with any values", () => {
  const limits = settingKeys.filter((key) => settingRules[key].loosens === isHigherLimit);
  const amount = option(integer({ min: 0, max: 60 }).map(String), { nil: undefined });
  const scope = <Value>(key: string, value: Value) => (value === undefined ? {} : { [key]: String(value) });

  it("leave the smallest limit of all, and none only if no scope has one", () => {
    assert(
      property(constantFrom(...limits), amount, amount, amount, (key, own, parent, server) => {
        const set = [own, parent, server].filter((one) => one !== undefined).map(Number);
        const real = set.filter((limit) => limit > 0);
        const smallest = real.length > 0 ? Math.min(...real) : 0;
        const unit = key.includes("_usd_") ? 1_000_000 : 1;
        const expected = set.length === 0 ? settingRules[key].fallback : smallest * unit;
        expect(resolve(scope(key, own), scope(key, parent), scope(key, server))[key as "keep_days"]).toBe(expected);
      }),
    );
  });

  it("never keep anything longer, and never make public what a wider scope keeps private", () => {
    const days = option(integer({ min: 1, max: 365 }).map(String), { nil: undefined });
    const flag = option(boolean(), { nil: undefined });
    assert(
      property(tuple(days, days, days), tuple(flag, flag, flag), (kept, hidden) => {
        const [own = {}, parent, server] = kept.map((day, at) => ({
          ...scope("keep_days", day),
          ...scope("private", hidden[at]),
        }));
        const set = kept.filter((day) => day !== undefined).map(Number);
        const { keep_days, private: isPrivate } = resolve(own, parent, server);
        expect([keep_days, isPrivate]).toEqual([set.length === 0 ? 30 : Math.min(...set), hidden.includes(true)]);
      }),
    );
  });

  it("explain what applies: the scope that is named has set the value that is shown", () => {
    const any = record({ key: constantFrom(...settingKeys), own: amount, parent: amount, server: amount });
    assert(
      property(any, ({ key, ...texts }) => {
        const [own, parent, server] = [texts.own, texts.parent, texts.server].map((text) => scope(key, text));
        const input = { own: own ?? {}, parent: parent ?? {}, server: server ?? {}, modelIds: MODELS };
        const { source, text, also = [], tooLoose } = explainSetting(key, input);
        const stored = { here: own, parent, server, default: { [key]: undefined } };
        for (const one of [{ source, text }, ...also, ...(tooLoose ? [tooLoose] : [])])
          if (one.source !== "default")
            expect(checkChange(key, String(stored[one.source]?.[key]), MODELS)).toMatchObject({ text: one.text });
        expect(new Set([source, ...also.map((one) => one.source), tooLoose?.source]).size).toBe(1 + also.length + 1);
      }),
    );
  });
});
