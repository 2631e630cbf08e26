// A channel's database that a program of version 18 left in the middle of its work (test/fixtures/channel-v18.sql): messages, an answer that
// was followed by a ping, one that was deleted, words that joined a running turn, money and a task. Those of version 6: upgrade.test.ts.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { migrations } from "../../durable-objects/store/migrations.ts";
import { parseConfig } from "../../src/config.ts";
import { say } from "../../src/core/copy/notices.ts";
import { type DiscordRest, type Endpoint, isByBot, ORIGINAL, type RestResult } from "../../src/discord/rest/rest.ts";
import { createChannelHarness } from "../support/channel-harness.ts";
import { nodeSqlite } from "../support/node-sqlite.ts";
import { says } from "../support/older-channel.ts";

const SQL = readFileSync(new URL("../fixtures/channel-v18.sql", import.meta.url), "utf8");
const VERSION = 18;
/** When this program begins: the older program's life ended two seconds before. */
const NOW = Date.UTC(2030, 0, 2, 12, 1, 2);
const MOMENT_MS = 10_000;
const TASK_AT = Date.UTC(2030, 0, 2, 14, 0, 0, 100);
const VARIABLES = { DISCORD_PUBLIC_KEY: "a".repeat(64), DISCORD_APPLICATION_ID: "1", OPENAI_API_KEY: "test" };

/** The channel in its first life under this program, after its first wake. */
async function woken() {
  const database = nodeSqlite();
  database.sql.exec("CREATE TABLE schema (version INTEGER NOT NULL)");
  for (const step of migrations.slice(0, VERSION)) database.sql.exec(step);
  database.sql.exec("INSERT INTO schema VALUES (?)", VERSION);
  database.sql.exec(SQL);
  const parsed = parseConfig({ ...VARIABLES, DISCORD_BOT_TOKEN: "bot" });
  if (!parsed.ok) throw new Error(parsed.problems.join());
  const sent: string[] = [];
  const c = createChannelHarness({
    database,
    startsAt: NOW,
    price: { input: 2, output: 8 },
    config: { discord: parsed.config.discord },
    rest: () => recording((line) => void sent.push(line)),
  });
  c.runAlarm();
  await c.clock.advance(MOMENT_MS);
  return {
    c,
    sent: (like: string) => sent.filter((line) => line.includes(like)),
    async answer(words: string) {
      expect(c.answer(says(words))).toBe(true);
      await c.clock.advance(MOMENT_MS);
    },
    asked: () => c.requests.at(-1)?.messages.map(({ text }) => text.split("\n").at(-1)) ?? [],
    openTurns: () => {
      const { running, queue, closing } = c.store.state();
      return [running, ...queue, ...closing].flatMap((turn) => (turn ? [turn.id] : []));
    },
  };
}

it("the running turn is taken over with the words that joined it, and one answer ends it; then the next one runs", async () => {
  const p = await woken();
  expect(p.openTurns()).toEqual(["105", "107"]);
  expect(p.asked().slice(-3)).toEqual(["I am.", "What of the cake?", "And the bread?"]);
  await p.answer("Both are out.");
  expect(p.sent("703: ").filter((line) => !line.includes("resumed"))).toEqual(["bot edit 703: Both are out."]);
  expect([p.openTurns(), p.asked().slice(-2)]).toEqual([["107"], ["Both are out.", "And then?"]]);
  await p.answer("Then we eat.");
  expect([p.openTurns(), p.sent("token-107")]).toEqual([[], ["token-107 edit @original: Then we eat."]]);
  expect(p.c.errors).toEqual([]);
});

it("the call that was cut off is counted once, as estimated, on top of the day's usage", async () => {
  const p = await woken();
  await p.answer("Both are out.");
  const cost = 8606 + 36;
  expect(p.c.store.turn("105")?.usage).toEqual({
    inputTokens: 303 + 10,
    outputTokens: 1000 + 2,
    modelCalls: 2,
    microUsd: cost,
  });
  const theo = { turns: 2, tokens: 24 + 1303 + 12, inputTokens: 20 + 303 + 10, microUsd: 72 + cost };
  expect(p.c.store.lock().usage?.users["10"]).toEqual(theo);
});

it("the message that pings the asker comes once, and the deleted answer's messages are removed", async () => {
  const p = await woken();
  expect(p.sent(say.answerReady("30"))).toEqual([`bot create new: ${say.answerReady("30")}`]);
  expect(p.sent(" remove ")).toEqual(["bot remove 702: (buttons)", "bot remove original-token-104: (buttons)"]);
  expect(p.asked()).not.toContain("A secret?");
  expect(["103", "104"].map((id) => p.c.store.turn(id)?.state)).toEqual(["finished", "finished"]);
});

it("the task comes at its time and is planned for the next one", async () => {
  const p = await woken();
  await p.answer("Both are out.");
  await p.answer("Then we eat.");
  await p.c.clock.advance(TASK_AT - p.c.clock.now());
  p.c.runAlarm();
  await p.c.clock.advance(MOMENT_MS);
  expect(p.asked().at(-1)).toContain('due now (every 2 hours): "check the oven"');
  await p.answer("Look.");
  expect([p.openTurns(), p.sent("Look.").length]).toEqual([[], 1]);
  p.c.runAlarm();
  expect(p.c.alarmAt()).toBe(TASK_AT + 2 * 3_600_000);
});

/** Accepts every request. */
function recording(tell: (line: string) => void): DiscordRest {
  let made = 900;
  const take = async (verb: string, target: Endpoint, id: string, content = "(buttons)"): Promise<RestResult> => {
    const by = "token" in target ? target.token : isByBot(target) ? "bot" : target.username;
    tell(`${by} ${verb} ${id}: ${content}`);
    const shown = id === ORIGINAL ? `original-${by}` : id === "new" ? `${made++}` : id;
    return { ok: true, message: { id: shown, content, ephemeral: false } };
  };
  return {
    create: (target, body) => take("create", target, "new", body.content),
    edit: (target, id, body) => take("edit", target, id, body.content),
    remove: (target, id) => take("remove", target, id),
    read: (target, id) => take("read", target, id),
  };
}
