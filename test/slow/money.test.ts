// What the deployment and its servers have counted after the whole runtime was killed at the moments at which a turn's usage is on its
// way. The model reports a different usage for each turn, so the sums must be exactly those of what it reported, and of one estimate for each call
// that a kill cut off and that is asked again: at most one in each running channel for each kill.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEPLOYMENT, scopeName } from "../../src/core/access/scope-copy.ts";
import { CALL_ESTIMATE } from "../../src/core/money/lease.ts";
import { NO_USAGE, plusUsage, type UsageSum } from "../../src/core/money/report.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import type { ScriptStep } from "../../src/playground/model/script.ts";
import type { CountedOnAllDays } from "../support/counted-on-all-days.ts";
import {
  channelAt,
  createE2eWorld,
  type E2eChannel,
  type E2eWorld,
  MIRA,
  newChannel,
  THEO,
  until,
} from "../support/e2e-harness.ts";
import { type Product, startProduct, WITH_TEST_TOOLS } from "../support/product.ts";

/** Decimals that give every turn a cost that must be rounded. */
const PRICE = { input: 2.57, cachedInput: 0.257, output: 10.3 };
/** The same in millionths of a micro-dollar per token, by hand, without the product's own arithmetic. */
const MILLIONTHS = { input: 2_570_000, cached: 257_000, output: 10_300_000 };

/** The answer of the test's route to what was counted. */
interface Counted {
  deployment: CountedOnAllDays;
  scope: CountedOnAllDays;
}

/** A place in which someone asks; without a server, it is a direct message. */
interface Place {
  channel: E2eChannel;
  guildId: string | null;
  as: string;
  /** Who may change settings there. */
  manager: string;
}

let world: E2eWorld;
let product: Product;
let places: Place[];
/** What the model reported for each answer that a turn got, by place. */
const said = new Map<Place, UsageSum[]>();
let kills = 0;
let late = 0;
let asked = 0;

beforeAll(async () => {
  world = await createE2eWorld();
  const models = JSON.stringify([{ id: "priced", model: "local", price: PRICE }]);
  const devVars = `${world.devVars}\nTOOL_SERVER_URL=${world.url}\nOWNER_IDS=${MIRA}\nMODELS=${models}\n`;
  product = await startProduct({ config: WITH_TEST_TOOLS, devVars });
  world.connect(product.url);
  const inFirst = (as: string): Place => ({ channel: newChannel(world), guildId: PLACES.guild, as, manager: MIRA });
  places = [
    inFirst(THEO),
    inFirst(MIRA),
    inFirst(THEO),
    { channel: channelAt(world, PLACES.lobby, THEO), guildId: PLACES.secondGuild, as: THEO, manager: PEOPLE.wren },
    { channel: channelAt(world, PLACES.dmOfMira), guildId: null, as: MIRA, manager: MIRA },
  ];
  for (const place of places) said.set(place, []);
  // One person asks more often here than people do.
  const options = { key: "turns_per_minute", value: "0" };
  for (const { channel, manager } of places) {
    const set = {
      kind: "command",
      name: "config",
      subcommand: "set",
      options,
      as: manager,
      channel: channel.id,
    } as const;
    expect(await world.discord.interact(set)).toMatchObject({ seen: "message" });
  }
});
beforeEach(() => world.effects.splice(0));
afterAll(async () => {
  await product?.stop();
  await world?.close();
  console.log(
    `${kills} kills, ${asked} turns, ${world.model.log.length} model requests, ${late} times reports were outstanding when every answer was there`,
  );
});

/** The usage of the n-th answer: each is different, so that no two turns can be confused. */
const usageOf = (n: number): UsageSum => {
  const [inputTokens, cachedTokens, outputTokens] = [1000 + 7 * n, 100 + 3 * n, 11 + 5 * n];
  const { input, cached, output } = MILLIONTHS;
  const cost = (inputTokens - cachedTokens) * input + cachedTokens * cached + outputTokens * output;
  return { ...NO_USAGE, inputTokens, cachedTokens, outputTokens, microUsd: Math.floor((cost + 500_000) / 1_000_000) };
};
const told = ({ inputTokens, cachedTokens, outputTokens }: UsageSum): NonNullable<ScriptStep["usage"]> => ({
  prompt_tokens: inputTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens },
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

/** The number of model calls whose answers are used. */
let modelCalls = 0;

/** Asks here. The model first uses a tool if `tool` says so, and answers after `hangs` attempts that never end. */
async function ask(place: Place, { hangs = 0, tool = false } = {}): Promise<void> {
  const word = `question-${String(asked++).padStart(4, "0")}`;
  const when = { userTextIncludes: word };
  const [step, last] = [usageOf(2 * asked), usageOf(2 * asked + 1)];
  modelCalls += tool ? 2 : 1;
  const call: ScriptStep = { when, chunks: [{ call: { name: "read", arguments: {} } }], usage: told(step) };
  const hanging: ScriptStep = { when, chunks: [{ text: "Half" }, { hang: true }] };
  // Every attempt that completes reports the same usage. Unused answers stay in the script.
  const whole: ScriptStep = { when, chunks: [{ text: `Answer to ${word}.` }], usage: told(last) };
  world.model.script([...(tool ? [call] : []), ...Array(hangs).fill(hanging), whole, whole, whole, whole]);
  const turn = { ...(tool ? plusUsage(step, last) : last), turns: 1 };
  said.get(place)?.push(turn);
  expect(await place.channel.say(place.as, word)).toMatchObject({ seen: "thinking" });
}

/** Waits until every place shows all its answers. */
async function allAnswered(): Promise<void> {
  for (const place of places) await place.channel.settled(said.get(place)?.length ?? 0);
}

/** The sum of what the model reported for the turns in these places. */
const sumOver = (chosen: readonly Place[]): UsageSum =>
  chosen.flatMap((place) => said.get(place) ?? []).reduce(plusUsage, NO_USAGE);

/** Reads the count without waking the channels, which sleep in the meantime. */
async function counted({ channel, guildId, as }: Place): Promise<Counted> {
  const query = new URLSearchParams({ scope: scopeName(guildId), user: as, channel: channel.id });
  return (await fetch(`${product.url}/test/usage?${query}`)).json() as Promise<Counted>;
}

async function dieAndRestart(): Promise<void> {
  await product.killNine();
  kills += 1;
  await product.restart();
}

/** Waits until every turn is counted, and compares every sum that includes it: the deployment's, its servers', a channel's and a person's. */
async function expectExact(): Promise<void> {
  const all = sumOver(places);
  const [anywhere] = places as [Place];
  const turns = async () => (await counted(anywhere)).deployment.all.turns;
  if ((await turns()) < all.turns) late += 1;
  // A lost report is sent again 15 s after the new life began.
  await expect.poll(turns, { interval: 100 }).toBeGreaterThanOrEqual(all.turns);
  const { deployment } = await counted(anywhere);
  const cuts = new Map<Place, UsageSum>();
  for (const place of places) cuts.set(place, await cutOff(place));
  const sum = (chosen: readonly Place[]) =>
    chosen.reduce((so, place) => plusUsage(so, cuts.get(place) ?? NO_USAGE), sumOver(chosen));
  expect(deployment.all).toEqual(sum(places));
  const inGuild = (guildId: string | null) => places.filter((place) => place.guildId === guildId);
  const guilds = [...new Set(places.map(({ guildId }) => guildId))];
  expect(deployment.servers).toEqual(
    Object.fromEntries(guilds.map((guildId) => [guildId ?? "", sum(inGuild(guildId))])),
  );
  for (const place of places) {
    const theirs = inGuild(place.guildId).filter(({ as }) => as === place.as);
    const { scope } = await counted(place);
    expect(scope.user).toEqual(sum(theirs));
    if (place.guildId !== null) expect(scope.all).toEqual(sum(inGuild(place.guildId)));
  }
  // Every request whose answer was not used is estimated, and so may be a call that a kill cut off before its request.
  const estimates = sum(places).outputTokens - all.outputTokens;
  const untaken = world.model.log.length - modelCalls;
  expect(estimates / CALL_ESTIMATE.outputTokens).toBeGreaterThanOrEqual(untaken);
  expect(estimates / CALL_ESTIMATE.outputTokens).toBeLessThanOrEqual(kills * places.length);
}

/** What a place counted beyond what the model reported: whole estimates of calls that were cut off, at their price. */
async function cutOff(place: Place): Promise<UsageSum> {
  const { channel } = (await counted(place)).scope;
  const told = sumOver([place]);
  const inputTokens = channel.inputTokens - told.inputTokens;
  const calls = (channel.outputTokens - told.outputTokens) / CALL_ESTIMATE.outputTokens;
  const microUsd = channel.microUsd - told.microUsd;
  const cost = inputTokens * MILLIONTHS.input + calls * CALL_ESTIMATE.outputTokens * MILLIONTHS.output;
  expect([channel.turns, channel.cachedTokens, channel.unpricedTokens]).toEqual([told.turns, told.cachedTokens, 0]);
  expect([Number.isInteger(calls) && calls >= 0, calls > 0]).toEqual([true, inputTokens > 0]);
  // Each call's cost is rounded.
  expect(Math.abs(microUsd - cost / 1_000_000)).toBeLessThanOrEqual(calls / 2);
  return { ...NO_USAGE, inputTokens, outputTokens: calls * CALL_ESTIMATE.outputTokens, microUsd };
}

const everywhere = (how?: Parameters<typeof ask>[1]) => Promise.all(places.map((place) => ask(place, how)));
const showsHalf = ({ channel }: Place) => channel.answers().at(-1)?.startsWith("Half") ?? false;
const allShowHalf = () => until("half an answer everywhere", () => places.every(showsHalf));

/** Asks everywhere, and waits until a report of one turn is at this point of its way to this scope, where it stays. */
const holdingReport = (side: "asked" | "taken", scope: string) => async () => {
  const path = `/tool/report/${side}/${scope}`;
  const held = world.hold({ side: "before", matches: (passing) => passing.path === path });
  await everywhere();
  await until(`a report ${side}`, held.isReached);
  // The answers come whether or not anything was reported.
  await allAnswered();
};
const FIRST_SERVER = scopeName(PLACES.guild);

/** The moments, recognized by what the receivers have seen. */
const MOMENTS: { name: string; reach: () => Promise<unknown> }[] = [
  { name: "between a turn's end and its report to a server", reach: holdingReport("asked", FIRST_SERVER) },
  { name: "after a server took a report, before the channel knows", reach: holdingReport("taken", FIRST_SERVER) },
  { name: "between a server's taking of a report and the deployment's", reach: holdingReport("asked", DEPLOYMENT) },
  { name: "after the deployment took a report, before its sender knows", reach: holdingReport("taken", DEPLOYMENT) },
  {
    name: "right after every answer is complete in Discord",
    async reach() {
      await everywhere();
      await allAnswered();
    },
  },
  {
    name: "as the model has sent the last byte of one answer",
    async reach() {
      const from = world.model.log.length;
      const asking = everywhere();
      await until("the last byte", () => world.model.log.slice(from).some(({ finished }) => finished));
      return asking;
    },
  },
  {
    name: "as the last edit of one answer is on its way, which comes right after the turn's end is stored",
    async reach() {
      const isLastEdit = (body: string) => body.includes('"regenerate:') && body.includes("Answer to");
      const held = world.hold({
        side: "before",
        matches: ({ method, body }) => method === "PATCH" && isLastEdit(body),
      });
      await everywhere();
      await until("the last edit", held.isReached);
    },
  },
  {
    name: "in the middle of every answer",
    async reach() {
      await everywhere({ hangs: 1 });
      await allShowHalf();
    },
  },
  {
    name: "in the middle of every answer, whose first step was complete and is counted once",
    async reach() {
      await everywhere({ hangs: 1, tool: true });
      await allShowHalf();
    },
  },
  {
    name: "in the middle of every answer, and again in the middle of the recovery",
    async reach() {
      await everywhere({ hangs: 2, tool: true });
      await allShowHalf();
      const from = world.model.log.length;
      await dieAndRestart();
      await until("the recovery", () => world.model.log.length >= from + places.length);
    },
  },
  {
    name: "right after a start, as soon as the questions are taken",
    async reach() {
      await dieAndRestart();
      await everywhere();
    },
  },
];

describe("kill -9 between a turn's end and its report", () => {
  it.for(MOMENTS)("keeps every sum exact: $name", async ({ reach }) => {
    await reach();
    await dieAndRestart();
    await allAnswered();
    await expectExact();
  });

  it("counts nothing twice when the runtime restarts once again, and continues to count", async () => {
    await dieAndRestart();
    await expectExact();
    await everywhere();
    await allAnswered();
    await expectExact();
  });
});
