// Setting the channel for thoughts: a person may only choose a channel that they can see, in the same server.
import { describe, expect, it } from "vitest";
import { changeCheckedSetting } from "../../../durable-objects/settings/change-setting.ts";
import { effectiveSettings } from "../../../durable-objects/settings/effective-settings.ts";
import { findThoughtLog } from "../../../durable-objects/settings/thought-log-channel.ts";
import { openSettingHistory } from "../../../durable-objects/store/setting-history.ts";
import { migrate } from "../../../durable-objects/store/sqlite.ts";
import { parseConfig } from "../../../src/config.ts";
import { thoughtLogRefusal } from "../../../src/core/copy/settings.ts";
import type { ChannelSight, SeeChannel } from "../../../src/discord/rest/channel-access.ts";
import { createTestClock } from "../../support/clock.ts";
import { VARIABLES } from "../../support/endpoint-harness.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";

const LOG = "118000000000000777";
const by = { userId: "10", guildId: "5" };

function place(seeChannel: SeeChannel | null) {
  const parsed = parseConfig(VARIABLES);
  if (!parsed.ok) throw new Error("the configuration is not valid");
  const store = memoryStore();
  const clock = createTestClock(0, async () => {});
  const database = nodeSqlite();
  migrate(database);
  const settingHistory = openSettingHistory(database);
  const ports = { store, settingHistory, config: parsed.config, seeChannel, timers: clock.timers, clock: clock.now };
  return { store, clock, ports };
}
const seeing = (sight: ChannelSight) => place(async () => sight);
const wanted = { key: "thought_log_channel", value: `<#${LOG}>`, by };

describe("/config set thought_log_channel", () => {
  it("stores a channel that the person can see, with the person who set it", async () => {
    const { ports, store } = seeing("visible");
    expect(await changeCheckedSetting(ports, wanted)).toMatchObject({ ok: true });
    expect(store.settings()).toEqual({ thought_log_channel: LOG, thought_log_setter: "10" });
    expect(await findThoughtLog(ports, "5")).toEqual({ channelId: LOG });
    await changeCheckedSetting(ports, { ...wanted, by: { ...by, userId: "11" }, interactionId: "1" });
    expect(store.settings().thought_log_setter).toBe("11");
    await changeCheckedSetting(ports, { key: "thought_log_channel", value: null });
    expect(store.settings()).toEqual({});
  });

  it("still belongs to the person who set it after someone else has changed another setting", async () => {
    const { ports, store } = seeing("visible");
    await changeCheckedSetting(ports, wanted);
    await changeCheckedSetting(ports, { key: "notices", value: "false", by: { ...by, userId: "11" } });
    expect(store.settings()).toMatchObject({ notices: "false", thought_log_setter: "10" });
  });

  it.each(["hidden", "elsewhere", "closed", "unchecked"] as const)(
    "refuses one that is %s, in words",
    async (sight) => {
      const { ports, store } = seeing(sight);
      expect(await changeCheckedSetting(ports, wanted)).toEqual({ ok: false, rule: thoughtLogRefusal(sight) });
      expect(store.settings()).toEqual({});
    },
  );

  it("refuses what can't be checked: an older Worker, no server, no bot token, a Discord that does not answer", async () => {
    const unchecked = { ok: false, rule: thoughtLogRefusal("unchecked") };
    const { by: _, ...unnamed } = wanted;
    const unplaced = { ...wanted, by: { ...by, guildId: null } };
    for (const change of [unnamed, unplaced])
      expect(await changeCheckedSetting(seeing("visible").ports, change)).toEqual(unchecked);
    expect(await changeCheckedSetting(place(null).ports, wanted)).toEqual(unchecked);
    const silent = place(
      (_question, signal) => new Promise((done) => signal.addEventListener("abort", () => done("unchecked"))),
    );
    const answer = changeCheckedSetting(silent.ports, wanted);
    await silent.clock.advance(2000);
    expect(await answer).toEqual(unchecked);
  });

  it("checks nothing for `none` or for any other setting", async () => {
    const { ports } = seeing("unchecked");
    expect(await changeCheckedSetting(ports, { ...wanted, value: "none" })).toMatchObject({ ok: true });
    expect(await changeCheckedSetting(ports, { key: "notices", value: "false" })).toMatchObject({ ok: true });
    expect(effectiveSettings(ports).notices).toBe(false);
  });

  it("looks up the person who set it in the scope that it comes from: here, the parent, or the server", async () => {
    const asked: unknown[] = [];
    const { ports, store } = place(async ({ userId }) => {
      asked.push(userId);
      return "visible";
    });
    store.saveScopeNote({ settings: { thought_log_channel: LOG, thought_log_setter: "30" }, isLimited: false });
    await findThoughtLog(ports, "5");
    store.saveParentSettings({ thought_log_channel: LOG, thought_log_setter: "20" });
    await findThoughtLog(ports, "5");
    await changeCheckedSetting(ports, wanted);
    await findThoughtLog(ports, "5");
    expect(asked).toEqual(["30", "20", "10", "10"]);
  });
});
