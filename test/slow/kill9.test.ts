// `kill -9` of wrangler and every workerd at named points of a turn, then a restart on the same state, without a single
// request: the turn continues or ends by itself, and the receivers' logs show nothing twice and nothing missing. Prints how
// long recovery took.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createE2eWorld, type E2eWorld, newChannel, THEO, until } from "../support/e2e-harness.ts";
import { type Product, startProduct, WITH_TEST_TOOLS } from "../support/product.ts";
import { finalDelivery, midTurn, type Point, type Scene } from "./kill9-points.ts";

let world: E2eWorld;
let product: Product;
const times: string[] = [];

beforeAll(async () => {
  world = await createE2eWorld();
  const devVars = `${world.devVars}\nTOOL_SERVER_URL=${world.url}\n`;
  product = await startProduct({ config: WITH_TEST_TOOLS, devVars });
  world.connect(product.url);
});
beforeEach(() => {
  world.model.reset();
  world.effects.length = 0;
});
afterEach(() => expect(world.discord.violations).toEqual([]));
afterAll(async () => {
  await product?.stop();
  await world?.close();
  console.log(`From "ready" after the restart to the recovery's first request:\n${times.join("\n")}`);
});

/** Ends the runtime, starts it again and waits for the first request of the recovery. */
async function dieAndRecover(name: string, by: Point["recoversBy"]): Promise<void> {
  await product.killNine();
  const log = by === "model" ? world.model.log : world.discord.log;
  const before = log.length;
  await product.restart();
  await until(`recovery, seen by ${by}`, () => log.length > before);
  const took = Math.max(0, (log[before]?.at ?? 0) - product.readyAt());
  times.push(`  ${(took / 1000).toFixed(1).padStart(4)} s to ${by === "model" ? "the model" : "Discord"}, ${name}`);
}

/** The next message is answered, over a transcript that a strict provider accepts. */
async function expectNextAnswer({ channel }: Scene): Promise<void> {
  const earlier = channel.answers();
  world.model.script([{ chunks: [{ text: "And on." }] }]);
  await channel.say(THEO, "what now?");
  expect(await channel.settled(earlier.length + 1)).toEqual([...earlier, "And on."]);
}

async function play(point: Point): Promise<void> {
  const scene = { world, channel: newChannel(world) };
  world.model.script(point.script);
  await point.reach(scene);
  await dieAndRecover(point.name, point.recoversBy);
  expect(await scene.channel.settled(point.answers.length)).toEqual(point.answers);
  expect(world.effects.map((key) => key.split(" ")[0])).toEqual(point.effects ?? []);
  expect(world.model.log).toHaveLength(point.modelRequests);
  point.also?.(scene);
  await expectNextAnswer(scene);
  expect(world.model.log).toHaveLength(point.modelRequests + 1);
}

describe("a turn that is killed midway continues", () => {
  it.for(midTurn)("$name", play);
});

describe("a turn that is killed during its final delivery delivers its end once", () => {
  it.for(finalDelivery)("$name", play);
});

describe("kill -9", () => {
  it("as the last byte of a tool call arrives runs the tool at most once, whichever is faster", async () => {
    const scene = { world, channel: newChannel(world) };
    const answer = { chunks: [{ text: "Either way." }] };
    world.model.script([{ chunks: [{ call: { name: "count", arguments: {} } }] }, answer, answer]);
    await scene.channel.say(THEO, "go on");
    await until("the last byte", () => world.model.log[0]?.finished ?? false);
    // On a slow machine, the answer may be under way before the kill, or the whole turn over: then nothing is asked again.
    await product.killNine();
    await product.restart();
    expect(await scene.channel.settled(1)).toEqual(["Either way."]);
    expect(world.model.log.length).toBeLessThanOrEqual(3);
    expect(world.effects.length).toBeLessThanOrEqual(1);
    // Removes the scripted answer that was not requested.
    world.model.reset();
    await expectNextAnswer(scene);
  });

  it("a second time, during the recovery, changes nothing except the time it takes", async () => {
    const scene = { world, channel: newChannel(world) };
    world.model.script(
      [1, 2, 3].map((life) => ({ chunks: [{ text: `Life ${life}` }, ...(life < 3 ? [{ hang: true as const }] : [])] })),
    );
    await scene.channel.say(THEO, "go on");
    await until("the first life", () => scene.channel.answers()[0]?.startsWith("Life 1") ?? false);
    await dieAndRecover("the first of two deaths", "model");
    await until("the second life", () => scene.channel.answers()[0]?.startsWith("Life 2") ?? false);
    await dieAndRecover("during the recovery from another", "model");
    expect(await scene.channel.settled(1)).toEqual(["Life 3"]);
    expect(world.model.log).toHaveLength(3);
    await expectNextAnswer(scene);
  });

  it("while a channel is idle recovers nothing there", async () => {
    const [idle, busy] = [newChannel(world), newChannel(world)];
    world.model.script([
      { chunks: [{ text: "Done." }] },
      { chunks: [{ text: "Half" }, { hang: true }] },
      { chunks: [{ text: "Whole." }] },
    ]);
    await idle.say(THEO, "hello");
    await idle.settled(1);
    const before = idle.messages();
    // The other channel's recovery is the clock: when it is over, an idle channel would have been recovered too.
    await busy.say(THEO, "go on");
    await until("the half", () => busy.answers()[0]?.startsWith("Half") ?? false);
    await dieAndRecover("in another channel than the idle one", "model");
    expect(await busy.settled(1)).toEqual(["Whole."]);
    expect(idle.messages()).toEqual(before);
    expect(world.model.log).toHaveLength(3);
    await expectNextAnswer({ world, channel: idle });
  });
});
