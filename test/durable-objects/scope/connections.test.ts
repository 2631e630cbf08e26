// Connecting a remote server: a link, a consent in a browser, a code, and everything that can go wrong on the way.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CONNECT_LIFE_MS } from "../../../src/core/access/connection-rpc.ts";
import { connecting, GUILD } from "./connections-arrange.ts";

let world: Awaited<ReturnType<typeof connecting>>;
beforeEach(async () => {
  world = await connecting();
});
afterEach(() => world.close());

const isConnected = async (guildId: string | null = GUILD) => {
  const answer = await world.scopeOf(guildId).connection({ op: "list" });
  return answer.op === "listed" ? answer.servers : answer;
};
const NOT_CONNECTED = [{ serverId: "wiki", isConnected: false }];
const CONNECTED = [{ serverId: "wiki", isConnected: true }];
const WRONG = { op: "refused", fault: "wrong_code" };

describe("a server that requires a token", () => {
  it("offers no tools until a person has connected it, and then offers them to every channel of the server", async () => {
    const [one, two, visit] = [world.channel(), world.channel(), world.channel(null)];
    expect(await one.tools()).toEqual([]);
    expect(await world.connect()).toEqual({ op: "connected", serverId: "wiki" });
    world.scopes.clock.now += 60_000;
    expect((await one.tools()).map(({ name }) => name)).toEqual(["wiki_look"]);
    expect(await two.call()).toMatchObject({ ok: true, data: { text: "did look" } });
    expect(await visit.tools()).toEqual([]);
    expect([await isConnected(), await isConnected(null)]).toEqual([CONNECTED, NOT_CONNECTED]);
    expect(world.provider.violations).toEqual([]);
  });

  it("is not connected before the code is typed, even if the browser has returned with a consent", async () => {
    const page = await world.open(await world.agree(await world.begin()));
    expect(page.status).toBe(200);
    expect(await isConnected()).toEqual(NOT_CONNECTED);
    expect(await world.channel().tools()).toEqual([]);
    expect(
      await world.confirm(
        ` ${world
          .codeOn(page)
          .toLowerCase()
          .replace(/(.{4})/, "$1-")} `,
      ),
    ).toMatchObject({
      op: "connected",
    });
  });

  it("is no longer used within a minute after it is disconnected", async () => {
    await world.connect();
    const channel = world.channel();
    expect(await channel.call()).toMatchObject({ ok: true });
    const gone = { op: "disconnect", serverId: "wiki" } as const;
    expect(await world.scopeOf(GUILD).connection(gone)).toEqual({ op: "disconnected", wasConnected: true });
    expect(await world.scopeOf(GUILD).connection(gone)).toEqual({ op: "disconnected", wasConnected: false });
    world.scopes.clock.now += 60_000;
    expect(await channel.call()).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^wiki answered 401 Unauthorized;/),
    });
    expect(await isConnected()).toEqual(NOT_CONNECTED);
  });

  it("gets the same registration when it is connected again", async () => {
    await world.connect();
    await world.connect();
    expect(world.provider.asked.filter((path) => path === "/register")).toHaveLength(1);
  });

  it("gets a new registration if it may have forgotten the previous one", async () => {
    await world.connect();
    world.scopes.clock.now += 3_600_000;
    world.provider.forget();
    world.provider.insteadOfTokens = () => Response.json({ message: "Unrecognized client_id" }, { status: 422 });
    expect(await world.channel().call()).toBe("no tool");
    world.provider.insteadOfTokens = null;
    await world.connect();
    expect([await world.channel().call(), world.provider.violations]).toMatchObject([{ ok: true }, []]);
  });

  it("can't keep others from connecting with its answers, however large they are", async () => {
    const long = "x".repeat(200_000);
    const isRefused = {
      status: 400,
      text: expect.stringContaining("the authorization server sent too long an answer"),
    };
    world.provider.insteadOfTokens = () => Response.json({ access_token: long });
    for (const userId of ["21", "22", "23", "24", "25"])
      expect(await world.open(await world.agree(await world.begin(userId)))).toMatchObject(isRefused);
    world.provider.metadata = { token_endpoint: `${world.provider.origin}/token?${long}` };
    expect(await world.open(await world.begin("26"))).toMatchObject(isRefused);
    expect(await isConnected()).toEqual(NOT_CONNECTED);
  });

  it.each([200, 404])("is found despite a long page that says with %i that nothing is there", async (status) => {
    const fetched = world.provider.fetch;
    world.provider.fetch = async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/mcp") return new Response("no", { status: 401 });
      if (pathname !== "/.well-known/oauth-protected-resource/mcp") return fetched(request);
      return new Response("<p>".repeat(200_000), { status });
    };
    expect((await world.open(await world.begin())).location).toContain("/authorize?");
  });

  it("gets a new registration if the redirect address is not the registered one", async () => {
    await world.connect();
    const [serverId, userId, origin] = ["wiki", "21", "https://moved.example"];
    const begun = await world.scopeOf(GUILD).connection({ op: "begin", serverId, userId, origin });
    await world.open(`${origin}/oauth/start?state=${begun.op === "begun" ? begun.state : ""}`);
    expect(world.provider.asked.filter((path) => path === "/register")).toHaveLength(2);
  });
});

it("a new link replaces only the same person's link to the same server", async () => {
  const usual = world.scopes.connectionPorts;
  world.scopes.connectionPorts = (name, connections) => ({
    ...usual(name, connections),
    servers: [world.server, { ...world.server, id: "other" }],
  });
  const links = [await world.begin("21"), await world.begin("22"), await world.begin("21", GUILD, "other")];
  links.push(await world.begin("21"));
  const opened = await Promise.all(links.map((link) => world.open(link)));
  expect(opened.map(({ location }) => location !== "")).toEqual([false, true, true, true]);
});

describe("a code", () => {
  it("is valid for the person who began, and for nobody else", async () => {
    const page = await world.open(await world.agree(await world.begin("21")));
    expect(await world.confirm(world.codeOn(page), "22")).toEqual(WRONG);
    expect(await world.confirm(world.codeOn(page), "21", null)).toEqual(WRONG);
    expect(await isConnected()).toEqual(NOT_CONNECTED);
    expect(await world.confirm(world.codeOn(page), "21")).toMatchObject({ op: "connected" });
  });

  it("counts once", async () => {
    const code = world.codeOn(await world.open(await world.agree(await world.begin())));
    const answers = await Promise.all([world.confirm(code), world.confirm(code)]);
    expect(answers.map(({ op }) => op).sort()).toEqual(["connected", "refused"]);
    expect(await world.confirm(code)).toEqual(WRONG);
  });

  it("is invalid after ten minutes, or after five wrong codes", async () => {
    const late = world.codeOn(await world.open(await world.agree(await world.begin())));
    world.scopes.clock.now += CONNECT_LIFE_MS;
    expect(await world.confirm(late)).toEqual(WRONG);
    const guessed = world.codeOn(await world.open(await world.agree(await world.begin())));
    for (let wrong = 0; wrong < 5; wrong++) expect(await world.confirm("AAAAAAAA")).toEqual(WRONG);
    expect(await world.confirm(guessed)).toEqual(WRONG);
    expect(await isConnected()).toEqual(NOT_CONNECTED);
  });
});

it("an abandoned attempt is deleted by the alarm alone, together with the tokens that waited for its code", async () => {
  const { scopes } = world;
  const name = `guild:${GUILD}`;
  await world.open(await world.agree(await world.begin()));
  const isWaiting = () => /waiting\\":\\"/.test(scopes.rows(name));
  expect(isWaiting()).toBe(true);
  scopes.clock.now = scopes.alarms.get(name) ?? scopes.clock.now;
  await scopes.ring(name);
  expect([isWaiting(), scopes.alarms.get(name)]).toEqual([false, undefined]);
});

it("Discord is asked about a server for which only a token is kept, beginning with the attempt's alarm", async () => {
  const { scopes } = world;
  const name = `guild:${GUILD}`;
  await world.connect();
  for (let n = 0; n < 3 && scopes.looks.length === 0; n++) {
    scopes.clock.now = scopes.alarms.get(name) ?? scopes.farAlarms.get(name) ?? expect.fail("nothing wakes it");
    await scopes.ring(name);
    await Promise.all(scopes.detached.splice(0));
  }
  expect(scopes.looks).toEqual([GUILD]);
});

it("a forgotten person leaves no attempt behind", async () => {
  const code = world.codeOn(await world.open(await world.agree(await world.begin("21"))));
  await world.begin("22");
  await world.scopeOf(GUILD).forgetPerson("21", "1");
  expect(world.scopes.rows(`guild:${GUILD}`)).not.toContain('userId\\":\\"21');
  expect(world.scopes.rows(`guild:${GUILD}`)).toContain('userId\\":\\"22');
  expect(await world.confirm(code, "21")).toEqual(WRONG);
});

describe("a browser that comes back", () => {
  it("with a state that was used, replaced, changed or is too old gets no code, and nothing is exchanged", async () => {
    const link = await world.begin();
    const used = await world.agree(link);
    expect((await world.open(used)).status).toBe(200);
    const replaced = await world.agree(link);
    await world.agree(link);
    const changed = new URL(replaced);
    changed.searchParams.set("state", `${changed.searchParams.get("state")?.slice(0, -1)}x`);
    const late = await world.agree(await world.begin("22"));
    const before = world.provider.grants.length;
    const strange = "https://parley.example/oauth/callback?code=x&state=10.aaaaaaaaaaaaaaaaaaaa";
    for (const address of [used, replaced, changed, strange]) expect((await world.open(address)).status).toBe(400);
    world.scopes.clock.now += CONNECT_LIFE_MS;
    expect((await world.open(late)).status).toBe(400);
    expect(world.provider.grants.length).toBe(before);
  });

  it("with somebody else's state gets a code that only that person can use", async () => {
    const mine = await world.agree(await world.begin("21"));
    const theirs = await world.agree(await world.begin("22"));
    mine.searchParams.set("state", theirs.searchParams.get("state") ?? "");
    const page = await world.open(mine);
    // The proof of the exchange belongs to the other attempt, so the code can't be exchanged with it.
    expect(page.status).toBe(400);
    expect(await world.confirm(world.codeOn(page), "21")).toEqual(WRONG);
    expect(await world.confirm(world.codeOn(page), "22")).toEqual(WRONG);
  });

  it.each([
    ["from another issuer", (back: URL) => back.searchParams.set("iss", "https://evil.example")],
    [
      "from an issuer that differs by a slash",
      (back: URL) => back.searchParams.set("iss", `${world.provider.origin}/`),
    ],
    ["without the issuer that was announced", (back: URL) => back.searchParams.delete("iss")],
    ["with a refusal", (back: URL) => back.searchParams.set("error", "access_denied")],
    ["without a code", (back: URL) => back.searchParams.delete("code")],
  ])("%s is refused, and its words are not shown", async (_what, change) => {
    const back = await world.agree(await world.begin());
    change(back);
    back.searchParams.set("error_description", "<b>call this number</b>");
    const page = await world.open(back);
    expect([page.status, page.text.includes("call this number")]).toEqual([400, false]);
    expect(world.provider.grants).toEqual([]);
    // The state counts as used all the same.
    expect((await world.open(back)).text).toContain("has expired");
  });

  it("with a code that was used already gets no page with a code", async () => {
    const link = await world.begin();
    const first = await world.agree(link);
    await world.open(first);
    const again = await world.agree(link);
    again.searchParams.set("code", first.searchParams.get("code") ?? "");
    expect((await world.open(again)).status).toBe(400);
  });
});

describe("a server that lies about who issues its tokens", () => {
  it.each<[string, () => void]>([
    [
      "is refused when the document is another server's",
      () => {
        world.provider.resource = { resource: "https://other.example/mcp" };
      },
    ],
    [
      "is refused when nothing protects the code",
      () => {
        world.provider.metadata = { code_challenge_methods_supported: ["plain"] };
      },
    ],
    [
      "leads no request to a private network by its tokens' address",
      () => {
        world.provider.metadata = { registration_endpoint: "http://169.254.169.254/register" };
      },
    ],
    [
      "leads no request there by its issuer",
      () => {
        world.provider.resource = { authorization_servers: ["https://10.0.0.1"] };
      },
    ],
    [
      "leads no browser to an address without https",
      () => {
        world.provider.metadata = { authorization_endpoint: "http://example.com/authorize" };
      },
    ],
  ])("%s", async (_what, lie) => {
    lie();
    const page = await world.open(await world.begin());
    expect([page.status, page.location, world.provider.grants]).toEqual([400, "", []]);
  });

  it("may describe itself with another server's name, but is not known by that name", async () => {
    world.provider.metadata = { issuer: "https://other.example" };
    const other = await world.agree(await world.begin());
    other.searchParams.set("iss", "https://other.example");
    expect((await world.open(other)).status).toBe(400);
    expect(await world.connect()).toEqual({ op: "connected", serverId: "wiki" });
  });

  it("gets no request through a redirect", async () => {
    const fetched = world.provider.fetch;
    world.provider.fetch = async (request) =>
      request.url.includes("/.well-known/")
        ? new Response(null, { status: 302, headers: { location: `${world.provider.origin}/stolen` } })
        : fetched(request);
    expect((await world.open(await world.begin())).status).toBe(400);
    expect(world.provider.asked).not.toContain("/stolen");
  });
});

describe("what can't be connected", () => {
  it.each([
    ["a server that nobody has configured", "absent", "no_server"],
    ["a server whose authorization is configured", "fixed", "fixed"],
  ])("is %s", async (_what, serverId, fault) => {
    const begin = { op: "begin", serverId, userId: "21", origin: "https://parley.example" } as const;
    expect(await world.scopeOf(GUILD).connection(begin)).toEqual({ op: "refused", fault });
  });

  it("includes a server that requires no sign-in, which is not reported as lacking one", async () => {
    const fetched = world.provider.fetch;
    world.provider.fetch = (request) => {
      if (new URL(request.url).pathname !== "/mcp") return Promise.resolve(new Response("", { status: 404 }));
      const signed = new Request(request, { headers: new Headers(request.headers) });
      signed.headers.set("authorization", "Bearer good");
      world.provider.good.add("good");
      return fetched(signed);
    };
    const { status, text } = await world.open(await world.begin());
    expect([status, text.includes("works without signing in")]).toEqual([400, true]);
    // A server that is down may require one, as far as anybody knows.
    world.provider.fetch = () => Promise.resolve(new Response("", { status: 503 }));
    expect((await world.open(await world.begin())).text).toContain("did not register");
  });

  it("includes everything if there is no key to encrypt tokens", async () => {
    world.secretKey.current = null;
    await expect(world.begin()).rejects.toThrow('"fault":"no_key"');
  });
});
