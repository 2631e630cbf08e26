// The search over a real socket: what is requested from the engine, how its answers are read, and how each of its refusals
// is reported.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { braveSearch } from "../../src/tools/web/brave-search.ts";
import { webSearch } from "../../src/tools/web-search.ts";
import { endless, eventually, toolOver, type WebServer, webServer } from "../support/web-server.ts";

const KEY = "BSA-0123456789abcdef";
const PATH = "/res/v1/web/search";

let web: WebServer;
beforeAll(async () => {
  web = await webServer();
});
afterAll(() => web.close());

const tool = () =>
  toolOver(webSearch, {
    search: braveSearch({ apiKey: KEY, baseUrl: `${web.url}/res/v1` }, { fetch: (url, init) => fetch(url, init) }),
  });
const search = (input: object) => tool().call(input);
const answers = (body: unknown, init?: ResponseInit) => web.answer(PATH, () => Response.json(body, init));
const times = () => web.asked.filter((path) => path === PATH).length;

describe("a search", () => {
  it("asks the engine once, with the words, the number of results and the key in a header", async () => {
    answers({ web: { results: [] } });
    await search({ query: "  bread & butter? ", count: 3 });
    const request = web.requests.at(-1) ?? new Request(web.url);
    expect([request.method, request.url.replace(web.url, ""), request.headers.get("x-subscription-token")]).toEqual([
      "GET",
      `${PATH}?q=bread+%26+butter%3F&count=3&text_decorations=false`,
      KEY,
    ]);
    expect(request.headers.get("accept")).toBe("application/json");
  });

  it("asks for the first 50 words, because the engine refuses more as it would a wrong key", async () => {
    const words = Array.from({ length: 60 }, (_, index) => `w${index}`);
    answers({ web: { results: [] } });
    await search({ query: words.join("  ") });
    expect(new URL(web.requests.at(-1)?.url ?? web.url).searchParams.get("q")).toBe(words.slice(0, 50).join(" "));
  });

  it("cuts a long extract, and keeps no part of a secret that the cut goes through", async () => {
    const description = `${"x".repeat(490)} sk-${"a1".repeat(20)}`;
    answers({ web: { results: [{ title: "Keys", url: "https://example.com/", description }] } });
    expect(await search({ query: "keys" })).toMatchObject({
      data: { results: [{ snippet: `${"x".repeat(490)} [secret]` }] },
    });
  });

  it("returns titles, addresses and extracts as plain text, best first", async () => {
    answers({
      type: "search",
      query: { original: "bread" },
      web: {
        type: "search",
        results: [
          {
            title: "Bread &amp; butter",
            url: "https://example.com/bread",
            description: "How to bake <strong>bread</strong>: it&#x27;s easy",
            age: "2 days ago",
            profile: { name: "Example" },
          },
          { title: "No extract", url: "http://example.org/" },
          { title: "Nothing known", url: "http://example.net/", description: null, age: null },
        ],
      },
    });
    expect(await search({ query: "bread" })).toEqual({
      ok: true,
      status: "ok",
      data: {
        results: [
          {
            title: "Bread & butter",
            url: "https://example.com/bread",
            snippet: "How to bake bread: it's easy",
            age: "2 days ago",
          },
          { title: "No extract", url: "http://example.org/", snippet: "" },
          { title: "Nothing known", url: "http://example.net/", snippet: "" },
        ],
      },
    });
  });

  it.each([
    ["no results", { web: { results: [] } }],
    ["an answer without web results", { type: "search", query: {} }],
    ["null for web results", { type: "search", web: null }],
    ["null for the list of them", { web: { results: null } }],
    ["invalid results", { web: { results: [null, 7, { title: "x" }, { title: "x", url: "javascript:x()" }] } }],
  ])("says that nothing was found for %s", async (_what, body) => {
    answers(body);
    expect(await search({ query: "x" })).toEqual({
      ok: true,
      status: "ok",
      data: { results: [], note: "nothing was found" },
    });
  });

  it("returns no more results than requested", async () => {
    const result = (index: number) => ({ title: `${index}`, url: `https://example.com/${index}` });
    answers({ web: { results: Array.from({ length: 20 }, (_, index) => result(index)) } });
    const found = (await search({ query: "x", count: 2 })).data as { results: object[] };
    expect(found.results).toHaveLength(2);
  });

  it("is not made without words, with too many, or for too many results", async () => {
    const before = times();
    const refusals = [{ query: "  " }, { query: "x".repeat(401) }, { query: "x", count: 11 }, {}];
    const statuses = [];
    for (const input of refusals) statuses.push((await search(input)).status);
    expect([statuses, times()]).toEqual([Array(4).fill("invalid_input"), before]);
  });
});

describe("a search engine", () => {
  it.each([
    ["does not know the key", 401],
    ["refuses the key", 403],
    ["finds the key invalid", 422],
  ])("that %s is asked once, and the key stays secret", async (_what, status) => {
    answers({ error: { detail: `token ${KEY}` } }, { status });
    const before = times();
    expect(await search({ query: "x" })).toEqual({
      ok: false,
      status: "error",
      error: `the search engine did not accept the request or its key (${status})`,
    });
    expect(times() - before).toBe(1);
  });

  it.each([
    ["Retry-After", { "retry-after": "3" }, 3000],
    ["its own header", { "x-ratelimit-reset": "2, 1419704" }, 2000],
    ["what is left", { "x-ratelimit-remaining": "0, 14", "x-ratelimit-reset": "2, 1419704" }, 2000],
    [
      "a plan without a limit per month",
      { "x-ratelimit-limit": "50, 0", "x-ratelimit-remaining": "0, 0", "x-ratelimit-reset": "1, 1419704" },
      1000,
    ],
  ])("without quota is asked again if %s allows it", async (_what, headers, pause) => {
    let refusals = 1;
    web.answer(PATH, () =>
      refusals-- > 0 ? new Response("slow down", { status: 429, headers }) : Response.json({ web: { results: [] } }),
    );
    const patient = tool();
    const result = patient.call({ query: "x" });
    await eventually(() => patient.pauses().length === 1);
    await patient.clock.advance(pause);
    expect([patient.pauses(), (await result).ok]).toEqual([[pause], true]);
  });

  it.each([
    [{ "x-ratelimit-reset": "1419704" }],
    [{ "x-ratelimit-remaining": "1, 0", "x-ratelimit-reset": "1, 1419704" }],
    [{ "x-ratelimit-remaining": "0, 0", "x-ratelimit-reset": "1, 1419704" }],
  ])("without quota for a month is not waited for (%j)", async (headers) => {
    answers({}, { status: 429, headers });
    const before = times();
    expect(await search({ query: "x" })).toMatchObject({ ok: false, error: expect.stringContaining("answered 429") });
    expect(times() - before).toBe(1);
  });

  it.each([
    ["invalid JSON", "<html>busy</html>"],
    ["a list", "[]"],
    ["results that are not a list", '{"web":{"results":"many"}}'],
    ["nothing", ""],
    ["too many bytes", `{"web":"${"x".repeat(2 ** 20)}"}`],
  ])("that answers with %s counts as unreadable", async (_what, body) => {
    web.answer(PATH, () => new Response(body));
    expect(await search({ query: "x" })).toEqual({
      ok: false,
      status: "error",
      error: "the search engine's answer can't be read",
    });
  });

  it("is the only one that gets the key, even if it redirects", async () => {
    web.answer(PATH, () => new Response(null, { status: 302, headers: { location: "/elsewhere" } }));
    const before = web.asked.length;
    expect(await search({ query: "x" })).toMatchObject({ ok: false, error: expect.stringContaining("answered 302") });
    expect(web.asked.slice(before)).toEqual([PATH]);
  });

  it("is given up at an attempt's time limit if it is slow, and asked again", async () => {
    let silent = 1;
    web.answer(PATH, () => (silent-- > 0 ? new Promise<Response>(() => {}) : Response.json({ web: { results: [] } })));
    const before = times();
    const patient = tool();
    const result = patient.call({ query: "x" });
    await eventually(() => times() === before + 1);
    await patient.clock.advance(15_000);
    await eventually(() => patient.pauses().length === 1);
    await patient.clock.advance(1000);
    expect([(await result).ok, times() - before]).toEqual([true, 2]);
    await eventually(() => web.lost.includes(PATH));
  });
});

describe("a stop", () => {
  it.each([
    ["before the first byte", () => new Promise<Response>(() => {})],
    ["within the answer", () => endless('{"web":')],
  ])("%s closes the connection, which the engine sees", async (_what, answer) => {
    web.answer(PATH, answer);
    const [asked, lost] = [times(), web.lost.length];
    const running = tool();
    const result = running.call({ query: "x" });
    await eventually(() => times() === asked + 1);
    running.stop();
    expect(await result).toEqual({ ok: false, status: "aborted", error: "the turn was ended" });
    await eventually(() => web.lost.length === lost + 1);
  });

  it("ends the wait between two attempts at once", async () => {
    answers({}, { status: 429, headers: { "retry-after": "9" } });
    const before = times();
    const running = tool();
    const result = running.call({ query: "x" });
    await eventually(() => running.pauses().includes(9000));
    running.stop();
    expect(await result).toEqual({ ok: false, status: "aborted", error: "the turn was ended" });
    expect(times() - before).toBe(1);
  });
});

it("web_search is denied without a key", () => {
  const without = toolOver(webSearch, {});
  return expect(without.call({ query: "x" })).resolves.toEqual({
    ok: false,
    status: "denied",
    error: "web_search needs a search key (SEARCH_API_KEY)",
  });
});
