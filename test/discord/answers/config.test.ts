// /config and /model: what reaches the channel's object and the server's, what people read, and who may not change what.
import { describe, expect, it } from "vitest";
import { explainSettings } from "../../../src/channel/explain-settings.ts";
import { settingKeys } from "../../../src/channel/settings.ts";
import type { ScopeCopy } from "../../../src/core/access/scope-copy.ts";
import { changeText } from "../../../src/core/copy/changes.ts";
import { UNAVAILABLE } from "../../../src/core/copy/refusals.ts";
import {
  modelsText,
  serverSettingText,
  settingChangedText,
  settingHistoryText,
  settingsText,
  thoughtLogRefusal,
  unpricedText,
} from "../../../src/core/copy/settings.ts";
import type { ScopePort, ServerSettingAnswer } from "../../../src/discord/answers/scope-port.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { scene, VARIABLES } from "../../support/endpoint-harness.ts";
import { OPEN_COPY, openScopes } from "../../support/scopes.ts";
import { silently } from "../../support/shown-answer.ts";

const command = (path: string, options: Record<string, string> = {}, channel: string = PLACES.general): Interact => {
  const [name = "", subcommand] = path.split(" ");
  return { as: PEOPLE.mira, channel, kind: "command", name, options, ...(subcommand && { subcommand }) };
};
const mira = (act: Interact): Interact => ({ ...act, as: PEOPLE.mira });
/** What comes with every change: who makes it, and what the server's scope says. */
const TOLD = {
  interactionId: expect.stringMatching(/^\d+$/),
  by: { userId: PEOPLE.mira, guildId: PLACES.guild },
  scope: { settings: {}, isLimited: false },
};
const MODELS = [
  { id: "quick", model: "gpt-5-mini" },
  { id: "deep", model: "d", onlyServers: [PLACES.guild], price: { input: 5, output: 25 } },
];

describe("/config", () => {
  it("set passes the change to the object with the parent's settings, and shows the new value", async () => {
    const now = { key: "notices", text: "false", source: "here" } as const;
    const world = scene({ change: { ok: true, now } });
    const act = mira({ ...command("config set", { key: "notices", value: "off" }), channel: PLACES.thread });
    expect(await world.answered(act)).toEqual(silently(settingChangedText(now)));
    expect(world.calls).toEqual([
      { to: PLACES.general, ask: "settings" },
      {
        to: PLACES.thread,
        change: { key: "notices", value: "off", parentSettings: { follow_up: "queue" }, ...TOLD },
      },
    ]);
  });

  it("set and clear first inform the server that this channel's history will name the person", async () => {
    const steps: unknown[] = [];
    const scope = openScopes({
      async person(request) {
        steps.push(request, world.calls.length);
        return { op: "kept" };
      },
    });
    const world = scene({ scope });
    await world.answered(mira(command("config set", { key: "notices", value: "off" })));
    await world.answered(mira(command("config clear", { key: "notices" })));
    const keeps = { op: "keeps", userId: PEOPLE.mira, conversation: PLACES.general };
    expect([steps, world.calls.length]).toEqual([[keeps, 0, keeps, 1], 2]);
    // The server has a history of its own.
    await world.answered(mira(command("config set", { key: "notices", value: "off", scope: "server" })));
    expect(steps.length).toBe(4);
    const down = scene({ scope: openScopes({ person: () => Promise.reject(new Error("down")) }) });
    const answer = await down.answered(mira(command("config set", { key: "notices", value: "off" })));
    expect([answer, down.calls]).toEqual([silently(UNAVAILABLE), []]);
  });

  it.each([
    ["here", "2.5", [unpricedText(["deep"])]],
    ["server", "2.5", [unpricedText(["deep"])]],
    ["here", "0", []],
  ] as const)(
    "set warns which models don't count toward a limit in dollars: %s, %s",
    async (scope, value, unpriced) => {
      const now = { key: "user_usd_per_day", text: value, source: scope } as const;
      const changed: ServerSettingAnswer = { ok: true, key: now.key, text: value, settings: { [now.key]: value } };
      const models = [
        { id: "quick", model: "gpt-5-mini" },
        { id: "deep", model: "d" },
      ];
      const world = scene({
        change: { ok: true, now },
        scope: server(changed).scope,
        variables: { ...VARIABLES, MODELS: JSON.stringify(models) },
      });
      const answer = await world.answered(mira(command("config set", { key: now.key, value, scope })));
      const text = scope === "here" ? settingChangedText(now) : serverSettingText(changed, now);
      expect(answer).toEqual(silently([text, ...unpriced].join("\n")));
    },
  );

  it("set answers a bad value with the rule", async () => {
    const world = scene({ change: { ok: false, rule: "`notices` must be true or false." } });
    const answer = await world.answered(mira(command("config set", { key: "notices", value: "loud" })));
    expect(answer).toEqual(silently("`notices` must be true or false. Nothing was changed."));
  });

  it("clear passes null, even if Discord sends the words of a choice instead of its value", async () => {
    for (const key of ["notices", "notices: small progress lines"]) {
      const world = scene();
      await world.answered(mira(command("config clear", { key })));
      expect(world.calls).toEqual([{ to: PLACES.general, change: { key: "notices", value: null, ...TOLD } }]);
    }
  });

  it("show lists every setting on a line with its source, in one message", async () => {
    const world = scene();
    const answer = await world.answered(mira({ ...command("config show"), channel: PLACES.thread }));
    const { content } = (answer as { data: { content: string } }).data;
    const lines = content.split("\n");
    expect(lines.map((line) => line.slice(0, line.indexOf(":")))).toEqual(settingKeys.map((key) => `\`${key}\``));
    for (const line of [
      "`model`: not set (default)",
      "`system_prompt`: not set (default)",
      "`follow_up`: `queue` (from the parent channel)",
      "`kill_policy`: `owner_or_moderator` (default)",
    ])
      expect(lines).toContain(line);
    expect(world.discord.violations).toEqual([]);
  });

  it("show fits into one message, however much is set", () => {
    const ids = Array.from({ length: 50 }, (_, n) => String(1180000000000000000n + BigInt(n))).join(" ");
    const own = { model: "m".repeat(200), system_prompt: "x".repeat(4000), thought_log_channel: ids.slice(0, 19) };
    const lists = { allow_roles: ids, allow_users: ids, deny_roles: ids, deny_users: ids };
    const all = { ...own, ...lists, approvers: ids, user_tokens_per_day: "1000000000" };
    const input = { own: { ...all, user_tokens_per_day: "0" }, parent: all, server: all, modelIds: [own.model] };
    const text = settingsText(explainSettings(input));
    expect(text.length).toBeLessThanOrEqual(2000);
    expect(text.split("\n")).toHaveLength(settingKeys.length);
  });

  it("show cuts a long prompt to one line and keeps its code span intact", () => {
    const told = settingChangedText({ key: "system_prompt", text: `Say\n\`hi\` ${"x".repeat(100)}`, source: "parent" });
    expect(told).toBe(`Now set to: \`system_prompt\`: \`Say 'hi' ${"x".repeat(70)}…\` (from the parent channel)`);
  });
});

/** Scopes whose server has settings that can be changed. */
function server(answer: ServerSettingAnswer | Error, copy: Partial<ScopeCopy> = {}) {
  const calls: { name: string; change: unknown }[] = [];
  let copies = 0;
  let settings = {};
  const parts = (name: string): Partial<ScopePort> => ({
    async copy() {
      copies++;
      return { ...OPEN_COPY, settings, ...copy };
    },
    async changeSetting(change) {
      calls.push({ name, change });
      if (answer instanceof Error) throw answer;
      if (answer.ok) settings = answer.settings;
      return answer;
    },
    history: async () => [{ at: 5000, by: PEOPLE.mira, key: "private", old: null, new: "true" }],
  });
  return { calls, copies: () => copies, scope: (name: string) => openScopes(parts(name))(name) };
}

describe("/config with scope:server", () => {
  const set = command("config set", { key: "follow_up", value: "steer", scope: "server" });
  const changed: ServerSettingAnswer = {
    ok: true,
    key: "follow_up",
    text: "steer",
    settings: { follow_up: "steer" },
  };

  it("sets it in the server's object, and in this channel at once", async () => {
    const { calls, copies, scope } = server(changed);
    const world = scene({ scope });
    const here = { key: "follow_up", text: "steer", source: "server" } as const;
    expect(await world.answered(set)).toEqual(silently(serverSettingText(changed, here)));
    const change = { interactionId: expect.any(String), key: "follow_up", value: "steer", by: PEOPLE.mira };
    expect(calls).toEqual([{ name: `guild:${PLACES.guild}`, change }]);
    expect(world.calls).toEqual([{ to: PLACES.general, ask: "explain" }]);
    await world.answered(command("config show"));
    expect(copies()).toBe(3);
  });

  it("also informs this channel of everything else the server's object knows, so that two people's changes don't undo each other", async () => {
    const others = { isLimited: true, leftOut: [PEOPLE.theo], withFacts: [PEOPLE.juno] };
    const world = scene({ scope: server(changed, others).scope });
    await world.answered(set);
    expect(world.scopeNotes).toEqual([{ settings: changed.settings, ...others }]);
  });

  it.each([
    [{}, "default"],
    [{ model: "deep", follow_up: "steer" }, "deep"],
  ])("with %j /model shows which model answers here: %s", async (settings, used) => {
    const models = ["default", "deep"].map((id) => ({ id, model: `the ${id} one` }));
    const variables = { ...VARIABLES, MODELS: JSON.stringify(models) };
    const world = scene({ variables, scope: server(changed, { settings }).scope });
    expect(await world.answered(command("model"))).toEqual(silently(modelsText(models, used)));
  });

  it("says which value applies in this channel if it is a different one", async () => {
    const world = scene({ scope: server(changed).scope });
    const answer = await world.answered({ ...set, channel: PLACES.thread });
    const here = { key: "follow_up", text: "queue", source: "parent" } as const;
    expect(answer).toEqual(silently(serverSettingText(changed, here)));
  });

  it("clears it, answers a bad value with the rule, and says so if the server's object can't be reached", async () => {
    const cleared: ServerSettingAnswer = { ok: true, key: "follow_up", text: null, settings: {} };
    const clear = command("config clear", { key: "follow_up", scope: "server" });
    const here = { key: "follow_up", text: "interrupt", source: "default" } as const;
    expect(await scene({ scope: server(cleared).scope }).answered(clear)).toEqual(
      silently(serverSettingText(cleared, here)),
    );
    const bad: ServerSettingAnswer = { ok: false, rule: "No." };
    expect(await scene({ scope: server(bad).scope }).answered(set)).toEqual(silently(changeText.settingRefused("No.")));
    expect(await scene({ scope: server(new Error("down")).scope }).answered(set)).toEqual(silently(UNAVAILABLE));
  });

  it("has the channel check who can see the channel for thoughts", async () => {
    const wanted = command("config set", { key: "thought_log_channel", value: PLACES.staff, scope: "server" });
    const variables = { ...VARIABLES, DISCORD_BOT_TOKEN: "t" };
    const { calls, scope } = server(changed);
    const rule = thoughtLogRefusal("hidden");
    const world = scene({ scope, rule, variables });
    expect(await world.answered(wanted)).toEqual(silently(changeText.settingRefused(rule)));
    expect([world.calls.length, calls]).toEqual([1, []]);
    const visible = server(changed);
    await scene({ scope: visible.scope, variables }).answered(wanted);
    expect(visible.calls).toHaveLength(1);
  });

  it("has no effect where no server has added the bot", async () => {
    for (const path of ["config set", "config clear", "config history", "model"]) {
      const options = { key: "private", value: "true", name: "default", scope: "server" };
      const { calls, scope } = server(changed);
      const world = scene({ scope });
      const { data } = (await world.answered(command(path, options, PLACES.dmOfMira))) as { data: { content: string } };
      expect([path, data.content, calls, world.calls]).toEqual([path, changeText.noServerScope, [], []]);
    }
  });
});

describe("/config history", () => {
  const changes = [{ at: 5000, by: PEOPLE.mira, key: "private", old: null, new: "true" }];

  it("shows a channel's changes, or its server's", async () => {
    const world = scene({ history: changes, scope: server(new Error()).scope });
    for (const options of [{}, { scope: "here" }, { scope: "server" }])
      expect(await world.answered(command("config history", options))).toEqual(silently(settingHistoryText(changes)));
    expect(world.calls).toHaveLength(2);
  });

  it("fits into one message, and says how many are left out", () => {
    const long = { at: 5000, by: PEOPLE.mira, key: "system_prompt", old: "x".repeat(200), new: "y".repeat(200) };
    const shown = settingHistoryText(Array.from({ length: 50 }, () => long));
    expect(shown.length).toBeLessThanOrEqual(2000);
    const lines = shown.split("\n");
    expect(lines.at(-1)).toBe(`-# … and ${50 - (lines.length - 1)} earlier.`);
  });
});

describe("/model", () => {
  const variables = { ...VARIABLES, MODELS: JSON.stringify(MODELS) };

  it("shows the models that may be chosen here, with their prices, and the one in use", async () => {
    const answer = await scene({ variables }).answered(command("model"));
    const quick = { id: "quick", model: "gpt-5-mini", price: { input: 0.25, cachedInput: 0.025, output: 2 } };
    const deep = { id: "deep", model: "d", price: { input: 5, output: 25 } };
    expect(answer).toEqual(silently(modelsText([quick, deep], null)));
    const direct = await scene({ variables }).answered(command("model", {}, PLACES.dmOfMira));
    expect(direct).toEqual(silently(modelsText([quick], null)));
    expect(modelsText([quick, deep], "deep").split("\n").slice(0, 2)).toEqual([
      "- `quick` (gpt-5-mini): $0.25 ($0.025 cached) in, $2 out",
      "- `deep` (d): $5 in, $25 out, **in use here**",
    ]);
  });

  it("sets the one that is named, here or for the server", async () => {
    const world = scene({ variables });
    await world.answered(command("model", { name: "deep" }));
    expect(world.calls).toMatchObject([{ to: PLACES.general, change: { key: "model", value: "deep" } }]);
    const { calls, scope } = server({ ok: false, rule: "No." });
    await scene({ variables, scope }).answered(command("model", { name: "deep", scope: "server" }));
    expect(calls).toMatchObject([{ change: { key: "model", value: "deep" } }]);
  });

  it.each([
    [PLACES.general, ["quick", "deep"]],
    [PLACES.dmOfMira, ["quick"]],
  ])("completes the names that may be chosen in %s", async (channel, names) => {
    const act: Interact = {
      ...command("model", { name: "" }, channel),
      kind: "autocomplete",
      focused: "name",
    } as Interact;
    const { data } = (await scene({ variables }).answered(act)) as { data: { choices: { value: string }[] } };
    expect(data.choices.map(({ value }) => value)).toEqual(names);
  });
});

describe("outside the servers that have added the bot", () => {
  const KEYS = settingKeys.filter((key) => /^(model|system_prompt|.*_per_day|turns_per_minute)$/.test(key));
  const inDm = (key: string, variables: object) => {
    const world = scene({ variables: { ...VARIABLES, ...variables } });
    const act = command("config set", { key, value: "1" }, PLACES.dmOfMira);
    return world
      .answered(act)
      .then((answer) => ({ answer, changes: world.calls.filter((call) => "change" in call).length }));
  };

  it.each(KEYS)("%s is only the owner's to set and to clear", async (key) => {
    const owner = { OWNER_IDS: PEOPLE.juno };
    expect(await inDm(key, owner)).toEqual({ answer: silently(changeText.settingNeedsOwner(key)), changes: 0 });
    const world = scene({ variables: { ...VARIABLES, ...owner } });
    const clear = command("config clear", { key }, PLACES.dmOfMira);
    expect(await world.answered(clear)).toEqual(silently(changeText.settingNeedsOwner(key)));
  });

  it("may be set by an owner, or by everyone while the owners are unknown", async () => {
    for (const variables of [{ OWNER_IDS: PEOPLE.mira }, {}]) expect((await inDm("model", variables)).changes).toBe(1);
  });

  it("everything else may be set by the person, and in a server that has added the bot its managers may set everything", async () => {
    const owner = { OWNER_IDS: PEOPLE.juno };
    expect((await inDm("notices", owner)).changes).toBe(1);
    const world = scene({ variables: { ...VARIABLES, ...owner } });
    await world.answered(command("config set", { key: "model", value: "default" }));
    expect(world.calls).toMatchObject([{ change: { key: "model" } }]);
  });

  it("/model is the owner's alone too, even where a person brought the bot along", async () => {
    const world = scene({ variables: { ...VARIABLES, OWNER_IDS: PEOPLE.juno } });
    const guest = {
      as: PEOPLE.mira,
      channel: PLACES.general,
      kind: "raw",
      type: 2,
      data: { name: "model", type: 1, options: [{ name: "name", type: 3, value: "default" }] },
      extra: { authorizing_integration_owners: { 1: PEOPLE.mira } },
    } satisfies Interact;
    expect(await world.answered(guest)).toEqual(silently(changeText.settingNeedsOwner("model")));
  });
});
