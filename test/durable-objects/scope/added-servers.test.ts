// Remote servers that people add to a Discord server: which are refused, what is stored, and how its channels use them.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAddedServers } from "../../../src/channel/added-servers.ts";
import type { ServerChange } from "../../../src/core/access/connection-rpc.ts";
import { createScopeHarness, type ScopeHarness } from "../../support/scope-harness.ts";
import { connecting, GUILD } from "./connections-arrange.ts";

const SERVER = "guild:77";
const URL_OK = "https://mcp.example.com/mcp";
const add = (interactionId: string, serverId = "wiki", url = URL_OK): ServerChange => ({
  op: "add",
  interactionId,
  serverId,
  url,
  by: "10",
});
const remove = (interactionId: string, serverId = "wiki"): ServerChange => ({
  op: "remove",
  interactionId,
  serverId,
  by: "10",
});

describe("an added server", () => {
  let h: ScopeHarness;
  beforeEach(() => {
    h = createScopeHarness(["1"]);
  });
  const servers = async (name = SERVER) => readAddedServers(await h.scope(name).settings());

  it("is in the next copy, in any later life, and only in that Discord server, until it is removed", async () => {
    const added = await h.scope(SERVER).connection(add("1", "wiki", ` ${URL_OK} `));
    expect(added).toMatchObject({ op: "changed", serverId: "wiki" });
    h.crash();
    expect(readAddedServers((await h.scope(SERVER).copy()).settings)).toEqual([{ id: "wiki", url: URL_OK }]);
    expect(await servers("guild:78")).toEqual([]);
    const settings = { changed_at: expect.any(String) };
    expect(await h.scope(SERVER).connection(remove("2"))).toEqual({ op: "changed", serverId: "wiki", settings });
  });

  it("is in the history, with the people who added and removed it", async () => {
    await h.scope(SERVER).connection(add("1"));
    h.clock.now += 1000;
    await h.scope(SERVER).connection(remove("2"));
    const written = `wiki ${URL_OK}`;
    const about = { by: "10", key: "remote server" };
    expect(await h.scope(SERVER).history()).toEqual([
      { ...about, at: h.clock.now, old: written, new: null },
      { ...about, at: h.clock.now - 1000, old: null, new: written },
    ]);
  });

  it("is added and removed once, however often the interaction comes", async () => {
    const first = await h.scope(SERVER).connection(add("1"));
    expect(await h.scope(SERVER).connection(add("1"))).toEqual(first);
    await h.scope(SERVER).connection(remove("2"));
    expect(await h.scope(SERVER).connection(add("1"))).toMatchObject({ op: "changed", settings: {} });
    expect(await h.scope(SERVER).history()).toHaveLength(2);
  });

  it.each<[string, string, string, object]>([
    ["a name with another character", "wi_ki", URL_OK, { fault: "bad_name" }],
    ["a name that is too long", "w".repeat(25), URL_OK, { fault: "bad_name" }],
    ["no name", "", URL_OK, { fault: "bad_name" }],
    ["the name of a tool", "Recall", URL_OK, { fault: "taken" }],
    ["the beginning of a tool's name", "fetch", URL_OK, { fault: "taken" }],
    ["the name of another server", "WIKI", URL_OK, { fault: "taken" }],
    [
      "an address that is not https",
      "docs",
      "http://mcp.example.com",
      { fault: "bad_address", detail: "it is not https" },
    ],
    ["a private address", "docs", "https://10.0.0.1/mcp", { fault: "bad_address" }],
    ["a name inside a network", "docs", "https://printer.local/mcp", { fault: "bad_address" }],
    ["this machine", "docs", "https://localhost/mcp", { fault: "bad_address" }],
    ["a password in the address", "docs", "https://a:b@mcp.example.com", { fault: "bad_address" }],
    ["another port", "docs", "https://mcp.example.com:2222", { fault: "bad_address" }],
    ["no address", "docs", "mcp", { fault: "bad_address" }],
  ])("is refused with %s", async (_what, name, url, refusal) => {
    await h.scope(SERVER).connection(add("1"));
    expect(await h.scope(SERVER).connection(add("2", name, url))).toMatchObject({ op: "refused", ...refusal });
    expect(await servers()).toEqual([{ id: "wiki", url: URL_OK }]);
  });

  it("is refused as the sixth, and outside Discord servers", async () => {
    const answers = [];
    for (const number of [1, 2, 3, 4, 5, 6])
      answers.push(await h.scope(SERVER).connection(add(String(number), `s${number}`)));
    expect(answers.map((answer) => (answer.op === "refused" ? answer.fault : answer.op))).toEqual([
      ...Array(5).fill("changed"),
      "full",
    ]);
    expect(await h.scope("deployment").connection(add("7"))).toEqual({ op: "refused", fault: "no_server" });
    expect(await h.scope(SERVER).connection(remove("8", "other"))).toEqual({ op: "refused", fault: "not_added" });
  });
});

describe("the channels of a Discord server", () => {
  let world: Awaited<ReturnType<typeof connecting>>;
  beforeEach(async () => {
    world = await connecting();
    world.scopes.privateHosts = new Set([new URL(world.server.url).host]);
  });
  afterEach(() => world.close());
  const addMore = () => world.scopeOf(GUILD).connection(add("1", "more", world.server.url));
  const names = (tools: readonly { name: string; category: string; approvedBy?: string }[]) =>
    tools.map(({ name, category, approvedBy }) => [name, category, approvedBy]);

  it("use the tools of an added server with the access of whoever connected it, after a moderator's approval", async () => {
    await addMore();
    const channel = world.channel();
    await channel.hear();
    expect(await channel.tools()).toEqual([]);
    const page = await world.open(await world.agree(await world.begin("21", GUILD, "more")));
    expect(await world.confirm(world.codeOn(page))).toEqual({ op: "connected", serverId: "more" });
    world.scopes.clock.now += 60_000;
    expect(names(await channel.tools())).toEqual([["more_look", "dangerous", "moderator"]]);
    expect(await channel.call()).toMatchObject({ ok: true, data: { text: "did look" } });
    expect(world.provider.violations).toEqual([]);
  });

  it("keep what a server lists for their place under its name, separate from what it lists for visitors", async () => {
    await world.connect();
    const [here, visit] = [world.channel(), world.channel(null)];
    await Promise.all([here.tools(), visit.tools()]);
    expect([[...here.manifests.keys()], [...visit.manifests.keys()]]).toEqual([["wiki"], ["wiki@deployment"]]);
  });

  it("lose a server's tools and access when it is removed", async () => {
    await addMore();
    const page = await world.open(await world.agree(await world.begin("21", GUILD, "more")));
    await world.confirm(world.codeOn(page));
    const channel = world.channel();
    await channel.hear();
    expect(await channel.tools()).toHaveLength(1);
    await world.scopeOf(GUILD).connection(remove("2", "more"));
    await channel.hear();
    expect(await channel.tools()).toEqual([]);
    await world.scopeOf(GUILD).connection(add("3", "more", world.server.url));
    expect(await world.scopeOf(GUILD).connection({ op: "list" })).toMatchObject({
      servers: expect.arrayContaining([{ serverId: "more", isConnected: false, isAdded: true }]),
    });
  });

  it("get no access from a consent that was begun before the server's name went to another address", async () => {
    await addMore();
    const page = await world.open(await world.agree(await world.begin("21", GUILD, "more")));
    await world.scopeOf(GUILD).connection(remove("2", "more"));
    await world.scopeOf(GUILD).connection(add("3", "more", `${world.server.url}/of-another`));
    expect(await world.confirm(world.codeOn(page))).toEqual({ op: "refused", fault: "wrong_code" });
    expect(await world.scopeOf(GUILD).connection({ op: "list" })).toMatchObject({
      servers: expect.arrayContaining([{ serverId: "more", isConnected: false, isAdded: true }]),
    });
  });

  it("never ask an address that has become private, whatever is stored", async () => {
    await addMore();
    world.scopes.privateHosts = new Set();
    const channel = world.channel();
    await channel.hear();
    const before = world.provider.asked.length;
    expect(await channel.tools()).toEqual([]);
    expect(world.provider.asked).toHaveLength(before + 1);
    expect(world.log.some((line) => line.includes("more") && line.includes("its URL must not be requested"))).toBe(
      true,
    );
  });

  it("use the operator's server for a name that the operator has assigned since, and have no such server in other places", async () => {
    await world.scopeOf(GUILD).connection(add("1", "more", world.server.url));
    await world.connect();
    const [here, visit] = [world.channel(), world.channel(null)];
    await here.hear();
    await visit.hear();
    expect(names(await here.tools())).toEqual([["wiki_look", "async", "moderator"]]);
    expect(await visit.tools()).toEqual([]);
  });

  it("list a name that the operator has assigned since only once, as the operator's server", async () => {
    await addMore();
    const page = await world.open(await world.agree(await world.begin("21", GUILD, "more")));
    await world.confirm(world.codeOn(page));
    const listed = () => world.scopeOf(GUILD).connection({ op: "list" });
    const wiki = { serverId: "wiki", isConnected: false };
    const own = { serverId: "more", isConnected: true, isAdded: true };
    expect(await listed()).toEqual({ op: "listed", servers: [wiki, own] });
    const usual = world.scopes.connectionPorts;
    world.scopes.connectionPorts = (name, connections) => ({
      ...usual(name, connections),
      servers: [{ ...world.server, id: "More", url: `${world.server.url}/of-the-operator` }],
    });
    world.scopes.crash();
    expect(await listed()).toEqual({ op: "listed", servers: [{ serverId: "More", isConnected: false }] });
  });
});
