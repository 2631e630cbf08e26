// Exactly which rows a turn writes, because rows are billed. Heartbeats are left out; the alarm's own row is added by hand,
// because it does not go through the store.
import { describe, expect, it } from "vitest";
import type { SqliteChannelStore } from "../../durable-objects/store/sqlite.ts";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { BOT } from "../support/gateway-door.ts";
import { isForSummary } from "../support/summaries.ts";
import { MIRA, THEO, type WorkerdHarness } from "../support/workerd-harness.ts";
import { call, inside, quiet, runAlarm, text, until, world } from "./arrange.ts";

/** The alarm is set once and deleted once. */
const ALARM_ROWS = 2;

async function rowsOf(w: WorkerdHarness, script: Parameters<WorkerdHarness["model"]["script"]>[0]): Promise<number> {
  w.model.script([text("warm"), ...script]);
  await w.say(THEO, "hi");
  await quiet(w);
  const written = () => inside(w, ({ channel }) => (channel.ports.store as SqliteChannelStore).rowsWritten());
  const before = await written();
  await w.say(THEO, "go");
  await quiet(w);
  return (await written()) - before;
}

/** The same for messages. */
async function rowsOfMessage(
  w: WorkerdHarness,
  script: Parameters<WorkerdHarness["model"]["script"]>[0],
): Promise<number> {
  w.model.script([text("warm"), ...script]);
  const write = async (content: string) => {
    w.discord.speak({ as: THEO, channel: w.channelId, content: `${BOT} ${content}` });
    await until("the message is taken", () => w.door.open() === 0);
    await quiet(w);
  };
  await write("hi");
  const written = () => inside(w, ({ channel }) => (channel.ports.store as SqliteChannelStore).rowsWritten());
  const before = await written();
  await write("go");
  return (await written()) - before;
}

describe("rows written", () => {
  it("are 13 for a turn without tools, two of them for the report of its usage", async () => {
    expect((await rowsOf(world(), [text("an answer")])) + ALARM_ROWS).toBe(13);
  });

  it("are 1 more for a person's first words in the channel", async () => {
    const w = world();
    w.model.script([text("warm"), text("an answer")]);
    await w.say(THEO, "hi");
    await quiet(w);
    const written = () => inside(w, ({ channel }) => (channel.ports.store as SqliteChannelStore).rowsWritten());
    const before = await written();
    await w.say(MIRA, "go");
    await quiet(w);
    expect((await written()) - before + ALARM_ROWS).toBe(14);
  });

  it("are 5 more for a step with a read-only tool, 6 more for any other tool", async () => {
    const plain = await rowsOf(world(), [text("an answer")]);
    expect((await rowsOf(world(), [call("read"), text("an answer")])) - plain).toBe(5);
    expect((await rowsOf(world(), [call("count"), text("an answer")])) - plain).toBe(6);
    expect((await rowsOf(world(), [call("count"), call("read"), text("an answer")])) - plain).toBe(11);
  });

  it("are 2 more for a file that a tool makes: one until its reply has it, which is then deleted", async () => {
    const plain = await rowsOf(world(), [text("an answer")]);
    expect((await rowsOf(world(), [call("draw"), text("an answer")])) - plain).toBe(7);
  });

  it("are 14 for a turn by a message, because its first message must be created, while an interaction's already exists", async () => {
    const w = world({ variables: { DISCORD_BOT_TOKEN: APPLICATION.botToken } });
    expect((await rowsOfMessage(w, [text("an answer")])) + ALARM_ROWS).toBe(14);
  });

  it("are 1 more for a turn that pings its asker", async () => {
    const w = world({ variables: { DISCORD_BOT_TOKEN: APPLICATION.botToken } });
    const options = { key: "ping_when_done", value: "always" };
    const set = {
      kind: "command",
      channel: w.channelId,
      as: MIRA,
      name: "config",
      subcommand: "set",
      options,
    } as const;
    await w.discord.interact(set);
    expect((await rowsOf(w, [text("an answer")])) + ALARM_ROWS).toBe(14);
    expect(w.discord.pinged()).toEqual([THEO, THEO]);
  });

  it("are 5 more, plus the alarm's, for a turn that is followed by a summary", async () => {
    const summarizes = { texts: ["About: the sea."] };
    const w = world({ answerTo: (request) => (isForSummary(request) ? summarizes : { texts: ["an answer"] }) });
    const written = () => inside(w, ({ channel }) => (channel.ports.store as SqliteChannelStore).rowsWritten());
    const rows: number[] = [];
    for (const words of ["hi", "海".repeat(6000), "海".repeat(6000)]) {
      const before = await written();
      await w.say(THEO, words);
      await quiet(w);
      await runAlarm(w);
      await until("the summary is made and reported", () =>
        inside(w, ({ channel }) => {
          const { store } = channel.ports;
          return channel.compacting === null && !store.lock().compaction && !store.hasReports();
        }),
      );
      rows.push((await written()) - before);
    }
    expect(rows.slice(1)).toEqual([11, 16]);
    expect(await inside(w, ({ channel }) => channel.ports.store.summary()?.messages)).toBe(4);
  });

  it("are 2 more for each further message of the answer", async () => {
    const plain = await rowsOf(world(), [text("an answer")]);
    const long = await rowsOf(world(), [text("a line of the answer\n".repeat(200))]);
    expect(long - plain).toBe(4);
  });
});
