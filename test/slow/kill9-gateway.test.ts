// `kill -9` of the runtime while the gateway's object is connected, and while a channel is receiving a question; then a restart on the
// same state without a single request. The object's alarm connects it again, with a resume and never a second Identify, and no question is
// lost. A kill in the first message of a reply leaves one reply. Prints how long it took.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { createE2eWorld, type E2eChannel, type E2eWorld, newChannel, THEO, until } from "../support/e2e-harness.ts";
import { type Product, startProduct, WITH_TEST_TOOLS } from "../support/product.ts";

let world: E2eWorld;
let product: Product;
const times: string[] = [];

beforeAll(async () => {
  world = await createE2eWorld();
  const token = world.devVars.replace(/^DISCORD_BOT_TOKEN=.*$/m, `DISCORD_BOT_TOKEN=${APPLICATION.botToken}`);
  const devVars = `${token}\nDISCORD_GATEWAY=on\nTOOL_SERVER_URL=${world.url}\n`;
  product = await startProduct({ config: WITH_TEST_TOOLS, devVars });
  await fetch(`${product.url}/cdn-cgi/handler/scheduled`);
  // Discord has a session before the object has stored it.
  await vi.waitUntil(async () => (await health()) === "connected", { timeout: 120_000, interval: 500 });
});
beforeEach(() => void world.heard.splice(0));
afterEach(() => expect(world.discord.violations).toEqual([]));
afterAll(async () => {
  await product?.stop();
  await world?.close();
  console.log(`From "ready" after the restart to the resumed session:\n${times.join("\n")}`);
});

const health = async () => ((await (await fetch(`${product.url}/health`)).json()) as { gateway: string }).gateway;
const isConnected = () => world.discord.gateway.status().connections.some(({ session }) => session !== null);
const sent = (op: number) => world.discord.gateway.log.filter((one) => one.kind === "in" && one.op === op).length;
const ask = ({ id }: E2eChannel, words = "why?") =>
  world.discord.speak({ as: THEO, channel: id, content: `<@${world.applicationId}> ${words}` });
/** How often its channel heard it. Other questions that were confirmed since the last alarm may be forwarded again. */
const timesHeard = (id: string) => world.heard.filter((key) => key === `asked:${id}`).length;

/** Expects that the question is heard once and answered once, and that no second session began. */
async function expectAnswer(channel: E2eChannel, asked: string): Promise<void> {
  await channel.settled(1);
  expect(channel.messages()).toMatchObject([{ repliesTo: { id: asked } }]);
  expect([timesHeard(asked), sent(2)]).toEqual([1, 1]);
}

/** Starts the runtime again, and waits until the object is connected by itself. */
async function recover(name: string): Promise<void> {
  const resumes = sent(6);
  await product.restart();
  await until("the resume", () => sent(6) > resumes && isConnected());
  times.push(`  ${((Date.now() - product.readyAt()) / 1000).toFixed(1).padStart(4)} s, ${name}`);
}

it("while it is connected costs a resume; what was asked in the meantime is heard once", async () => {
  const channel = newChannel(world);
  await product.killNine();
  const asked = ask(channel);
  await recover("killed while it was connected");
  await expectAnswer(channel, asked);
});

it("while a channel is receiving a question repeats the question", async () => {
  const channel = newChannel(world);
  const hold = world.hold({ side: "before", matches: ({ path }) => path === "/tool/heard" });
  const asked = ask(channel);
  await until("the channel", hold.isReached);
  // No one is waiting for the held request anymore, so it never takes effect.
  await product.killNine();
  await recover("killed while a channel was being told");
  await expectAnswer(channel, asked);
});

it.for(["before", "after"] as const)(
  "in the first message of a reply, %s its effect, leaves one whole reply",
  async (side) => {
    const channel = newChannel(world);
    const when = { userTextIncludes: `${side} its effect` };
    world.model.script([
      { chunks: [{ text: "Half an ans" }, { hang: true }], when },
      { chunks: [{ text: "Half an answer, and the rest." }], when },
    ]);
    const path = `/api/v10/channels/${channel.id}/messages`;
    const hold = world.hold({ side, matches: (request) => request.method === "POST" && request.path === path });
    const asked = ask(channel, `what ${side} its effect?`);
    await until("the reply", hold.isReached);
    await product.killNine();
    await recover(`killed in the first message of a reply, ${side} its effect`);
    expect(await channel.settled(1)).toEqual(["Half an answer, and the rest."]);
    expect(channel.messages()).toMatchObject([{ repliesTo: { id: asked } }]);
    expect(sent(2)).toBe(1);
  },
);

it("twice in a row costs two resumes", async () => {
  const channel = newChannel(world);
  await product.killNine();
  await product.restart();
  await product.killNine();
  const asked = ask(channel);
  await recover("killed twice");
  await expectAnswer(channel, asked);
});
