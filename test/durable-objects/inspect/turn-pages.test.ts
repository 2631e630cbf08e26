// A channel's turns as the inspector lists them: page by page, newest first, each turn on one page.
import { expect, it } from "vitest";
import type { ChannelPulse, InspectedTurns } from "../../../src/core/state/inspected.ts";
import { newTurn } from "../../../src/core/state/record.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, text } from "../../support/turn-script.ts";

const open = () => createChannelHarness({ database: nodeSqlite() });

/** Lets someone ask. */
const ask = (c: ChannelHarness, id: number, userId = "10") =>
  c.submit({ trigger: { ...testRequest(String(id), userId), receivedAt: c.clock.now() } });

/** Answers the running turn, which then ends. */
async function answered(c: ChannelHarness): Promise<void> {
  await c.drain();
  c.answer([text("."), end()]);
  await c.clock.advance(20_000);
}

/** One page: the turns' ids, and where the next one begins. */
function pageOf(c: ChannelHarness, before: number | null = null, userId: string | null = null) {
  const filter = { userId, status: null };
  const page = c.inspect({ kind: "turns", filter, before }) as InspectedTurns;
  return { ...page, ids: page.turns.map(({ turnId }) => Number(turnId)) };
}

/** This many whole numbers, the greatest first. */
const downFrom = (greatest: number, count: number) => Array.from({ length: count }, (_, at) => greatest - at);

it("pages have fifty turns, newest first, each turn once, by person too", async () => {
  const c = open();
  for (let id = 100; id < 160; id++) {
    ask(c, id, id % 2 === 0 ? "10" : "11");
    await answered(c);
  }
  const first = pageOf(c);
  const second = pageOf(c, first.before);
  expect([first.ids.length, second.ids.length, second.before]).toEqual([50, 10, null]);
  expect([...first.ids, ...second.ids]).toEqual(downFrom(159, 60));
  expect(pageOf(c, null, "11").ids).toHaveLength(30);
  expect(first.turns[0]).toMatchObject({ model: "told", usage: { modelCalls: 1 } });
});

it("a page includes all turns of its last moment, because the next page would miss them", async () => {
  const c = open();
  for (const id of [100, 101, 102]) ask(c, id);
  for (let id = 103; id <= 153; id++) {
    await answered(c);
    if (id > 105) ask(c, id);
  }
  const { ids, before } = pageOf(c);
  expect(ids).toEqual([...downFrom(153, 48), 102, 101, 100]);
  expect(pageOf(c, before).ids).toEqual([]);
});

it("the pulse names the threads of the ten newest questions", () => {
  const c = open();
  for (let id = 100; id < 112; id++) {
    const turn = newTurn(testRequest(String(id)), "finished", 0, id);
    c.store.insertTurn(id === 110 ? turn : { ...turn, threadId: String(1000 + id) });
  }
  const { newThreads } = c.inspect({ kind: "pulse" }) as ChannelPulse;
  expect(newThreads.map(Number)).toEqual(downFrom(1111, 10).filter((id) => id !== 1110));
});
