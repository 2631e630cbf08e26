// The gateway's object in the running product, against the local Gateway over real sockets: how it connects, what it forwards, how it comes
// back, and what /health says. Channels only record what they hear.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PLACES } from "../../src/playground/discord/world.ts";
import { startDeployed, wake } from "../support/deployed.ts";
import { createE2eWorld, type E2eWorld, THEO, until } from "../support/e2e-harness.ts";
import type { Product } from "../support/product.ts";

let world: E2eWorld;
let product: Product;

const withGateway = (word: string, more = "") =>
  `${world.devVars.replace(/^DISCORD_BOT_TOKEN=.*$/m, `DISCORD_BOT_TOKEN=${APPLICATION.botToken}`)}
DISCORD_GATEWAY=${word}
TOOL_SERVER_URL=${world.url}
${more}`;

beforeAll(async () => {
  world = await createE2eWorld();
  product = await startDeployed("withTestTools", withGateway("on"));
});
afterEach(() => expect(world.discord.violations).toEqual([]));
afterAll(async () => {
  await product?.stop();
  await world?.close();
});

const health = async ({ url }: Product) =>
  ((await (await fetch(`${url}/health`)).json()) as { gateway: string }).gateway;
/** Frames with this opcode that the application has sent. */
const sent = (op: number) => world.discord.gateway.log.filter((one) => one.kind === "in" && one.op === op).length;
const counts = () => ({ identifies: sent(2), resumes: sent(6) });
const connection = () => world.discord.gateway.status().connections.at(-1);
const isConnected = () => connection()?.session != null;
const ask = (content = `<@${world.applicationId}> why?`) =>
  world.discord.speak({ as: THEO, channel: PLACES.general, content });
const hears = (...keys: string[]) =>
  until(`the channel hears ${keys}`, () => world.heard.length >= keys.length).then(() =>
    expect(world.heard.splice(0)).toEqual(keys),
  );

it("connects with one Identify however often it is woken, and /health says so", async () => {
  await Promise.all([wake(product), wake(product), wake(product)]);
  await until("a session", isConnected);
  await wake(product);
  expect([counts(), world.discord.gateway.status().sessions]).toMatchObject([
    { identifies: 1, resumes: 0 },
    [{ intents: 4608 }],
  ]);
  expect(await health(product)).toBe("connected");
});

it("forwards a question, its edit and its deletion to the channel, and nothing else", async () => {
  ask("just talking");
  const id = ask();
  await hears(`asked:${id}`);
  world.discord.touch({ kind: "edit", as: THEO, messageId: id, content: `<@${world.applicationId}> how?` });
  await until("the edit", () => world.heard.length > 0);
  expect(world.heard.splice(0)).toEqual([expect.stringMatching(`^edited:${id}:`)]);
  world.discord.touch({ kind: "delete", as: THEO, messageId: id });
  await hears(`deleted:${id}`);
});

it("resumes after op 7, and gets what was said in the meantime", async () => {
  world.discord.gateway.act({ act: "reconnect" });
  await until("the old connection's end", () => !isConnected());
  const id = ask();
  await until("the new connection", isConnected);
  await hears(`asked:${id}`);
  expect(counts()).toEqual({ identifies: 1, resumes: 1 });
});

it("gives up a deaf socket after one and a half intervals, and resumes", async () => {
  world.discord.gateway.set({ heartbeatIntervalMs: 1000 });
  world.discord.gateway.act({ act: "drop" });
  await until("the next connection", () => sent(6) >= 2 && isConnected());
  const deaf = connection()?.id;
  world.gateway.freeze(true);
  await until("its end", () => connection()?.id !== deaf);
  world.gateway.freeze(false);
  await until("a live connection", () => isConnected() && connection()?.id !== deaf);
  world.discord.gateway.set({ heartbeatIntervalMs: 41_250 });
  const id = ask();
  await hears(`asked:${id}`);
  expect(sent(2)).toBe(1);
});

it("identifies again after op 9, and reads what was said in the gap", async () => {
  const before = connection()?.id;
  world.discord.gateway.act({ act: "invalidate", resumable: false });
  await until("its end", () => connection()?.id !== before);
  const id = ask();
  await until("a new session", isConnected);
  await hears(`asked:${id}`);
  expect(sent(2)).toBe(2);
});

it("stays away after 4004, and /health says why", async () => {
  world.discord.gateway.act({ act: "close", code: 4004, reason: "Authentication failed." });
  await until("its end", () => !isConnected());
  const { length } = world.discord.gateway.log;
  await wake(product);
  await expect.poll(() => health(product), { interval: 500 }).toContain("refused: Discord doesn't know");
  expect(world.discord.gateway.log.length).toBe(length);
});

it("is off unless it is switched on, and leaves no connection", async () => {
  world.discord.gateway.act({ act: "forget" });
  const off = await startDeployed("withTestTools", withGateway("off"));
  try {
    const { length } = world.discord.gateway.log;
    await wake(off);
    expect([await health(off), world.discord.gateway.log.length]).toEqual(["off", length]);
  } finally {
    await off.stop();
  }
});
