// The tools on the network inside the production Worker, against a web server and a search engine on loopback: what they bring back
// reaches the model, a hostile address does not get out of workerd, and Stop reaches the other side's socket.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  createE2eWorld,
  type E2eChannel,
  type E2eWorld,
  newChannel,
  requestTexts,
  THEO,
  until,
} from "../support/e2e-world.ts";
import { PRODUCTION, type Product, startProduct } from "../support/product.ts";
import { endless, type WebServer, webServer } from "../support/web-server.ts";

const SEARCH_KEY = "e2e-search-key";

let world: E2eWorld;
let web: WebServer;
let closed: WebServer;
let product: Product;

beforeAll(async () => {
  [world, web, closed] = await Promise.all([createE2eWorld(), webServer(), webServer()]);
  const variables = [
    `FETCH_URL_PRIVATE_HOSTS=${new URL(web.url).host}`,
    `SEARCH_API_KEY=${SEARCH_KEY}`,
    `SEARCH_API_BASE_URL=${web.url}/search`,
  ];
  product = await startProduct({ config: PRODUCTION, devVars: [world.devVars, ...variables].join("\n") });
  world.connect(product.url);
});
afterEach(() => expect(world.discord.violations).toEqual([]));
afterAll(async () => {
  await product?.stop();
  await Promise.all([world?.close(), web?.close(), closed?.close()]);
});

const calling = (name: string, input: Record<string, unknown>) => ({ chunks: [{ call: { name, arguments: input } }] });

/** Has the model make the call and then say "Done."; what it was told of the result. */
async function told(channel: E2eChannel, name: string, input: Record<string, unknown>): Promise<unknown> {
  world.model.script([calling(name, input), { chunks: [{ text: "Done." }] }]);
  await channel.say(THEO, "go");
  expect(await channel.settled(1)).toEqual(["Done."]);
  return JSON.parse(requestTexts(world).at(-1)?.replace("tool: ", "") ?? "");
}

describe("fetch_url in the Worker", () => {
  it("reads a page behind a redirect", async () => {
    web.answer("/old", () => new Response(null, { status: 301, headers: { location: "/new" } }));
    const html = "<title>New</title><main><p>Caf\u00e9 &amp; cake</p><a href='/menu'>Menu</a></main>";
    web.answer("/new", () => new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } }));
    expect(await told(newChannel(world), "fetch_url", { url: `${web.url}/old` })).toEqual({
      url: `${web.url}/new`,
      title: "New",
      text: "Caf\u00e9 & cake\nMenu",
      links: [{ text: "Menu", url: `${web.url}/menu` }],
    });
  });

  it.each([
    ["an address of the machine itself", () => closed.url],
    ["a redirect to it", () => `${web.url}/trap`],
  ])("never asks %s", async (_what, address) => {
    const { port } = new URL(closed.url);
    web.answer("/trap", () => new Response(null, { status: 302, headers: { location: `http://2130706433:${port}/` } }));
    expect(await told(newChannel(world), "fetch_url", { url: address() })).toMatchObject({
      reason: expect.stringContaining("its host is not on the public internet"),
    });
    expect(closed.asked).toEqual([]);
  });

  it.each([
    ["waits for the first byte", "/silent", () => new Promise<Response>(() => {})],
    ["reads", "/endless", () => endless()],
  ])("is cut off by Stop while it %s, and the server sees it", async (_what, path, answer) => {
    web.answer(path, answer);
    const channel = newChannel(world);
    world.model.script([calling("fetch_url", { url: web.url + path })]);
    await channel.say(THEO, "go");
    await until("the request", () => web.asked.includes(path));
    await until("the tool's line", () => channel.answers()[0]?.includes("fetch_url") ?? false);
    await channel.pressStop(THEO);
    await until("the closed socket", () => web.lost.includes(path));
    expect(await channel.settled(1)).toEqual([`-# Stopped by <@${THEO}>.`]);
  });
});

describe("web_search in the Worker", () => {
  it("brings back what the engine found", async () => {
    const results = [{ title: "Bread", url: "https://example.com/bread", description: "Flour" }];
    web.answer("/search/web/search", () => Response.json({ web: { results } }));
    expect(await told(newChannel(world), "web_search", { query: "bread" })).toEqual({
      results: [{ title: "Bread", url: "https://example.com/bread", snippet: "Flour" }],
    });
    expect(web.requests.at(-1)?.headers.get("x-subscription-token")).toBe(SEARCH_KEY);
  });

  it("is cut off by Stop, and the engine sees it", async () => {
    web.answer("/search/web/search", () => new Promise<Response>(() => {}));
    const channel = newChannel(world);
    const before = web.asked.length;
    world.model.script([calling("web_search", { query: "slow" })]);
    await channel.say(THEO, "go");
    await until("the request", () => web.asked.length > before);
    await until("the tool's line", () => channel.answers()[0]?.includes("web_search") ?? false);
    await channel.pressStop(THEO);
    await until("the closed socket", () => web.lost.includes("/search/web/search"));
    expect(await channel.settled(1)).toEqual([`-# Stopped by <@${THEO}>.`]);
  });
});
