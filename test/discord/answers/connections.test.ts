// /tools connect and /tools disconnect, from Discord's request body to the answer, and the pages that a browser gets.
import { describe, expect, it } from "vitest";
import type { ConnectionAnswer } from "../../../src/core/access/connection-rpc.ts";
import { connectionFaultText, connectionText } from "../../../src/core/copy/connections.ts";
import { say } from "../../../src/core/copy/notices.ts";
import { readState, writeState } from "../../../src/discord/answers/connection-state.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { connectionScene, useTools } from "../../support/connection-scene.ts";
import { VARIABLES } from "../../support/endpoint-harness.ts";
import { silently } from "../../support/shown-answer.ts";

const KEY = "a key of thirty-two letters or more";
const variables = {
  ...VARIABLES,
  OWNER_IDS: PEOPLE.mira,
  MCP_SERVERS: JSON.stringify([{ id: "wiki", url: "https://mcp.example/mcp" }]),
  TOKEN_ENCRYPTION_KEY: KEY,
};

/** A scene whose scopes give this answer, and what they were asked. */
const connectingScene = (answer: ConnectionAnswer | Error, over: object = {}) =>
  connectionScene(answer, { ...variables, ...over });

const use = (subcommand: string, over: Partial<Interact> = {}): Interact =>
  useTools(subcommand, { server: "wiki" }, over);
const page = (path: string) => new Request(`https://parley.example${path}`);

describe("/tools connect", () => {
  it("gives a manager a private link and a button for the code, which opens a form", async () => {
    const { world, asked } = connectingScene({ op: "begun", state: "10.abc.def" });
    const answer = (await world.answered(use("connect"))) as { data: { components: { components: object[] }[] } };
    expect(answer).toMatchObject(silently(connectionText.begun("wiki", "server")));
    const [link, button] = answer.data.components[0]?.components ?? [];
    expect(link).toMatchObject({ style: 5, url: expect.stringMatching(/\/oauth\/start\?state=10\.abc\.def$/) });
    expect(button).toMatchObject({ custom_id: `enter_code:${PEOPLE.mira}` });
    expect(asked).toEqual([
      {
        scope: `guild:${PLACES.guild}`,
        request: { op: "begin", serverId: "wiki", userId: PEOPLE.mira, origin: expect.stringMatching(/^https?:/) },
      },
    ]);
    expect(world.discord.violations).toEqual([]);
  });

  it("leads to PUBLIC_URL if that is set, by which authorization servers know us too", async () => {
    const over = { PUBLIC_URL: "https://bot.example/" };
    const { world, asked } = connectingScene({ op: "begun", state: "10.abc.def" }, over);
    expect(JSON.stringify(await world.answered(use("connect")))).toContain("https://bot.example/oauth/start?state=");
    expect(asked).toMatchObject([{ request: { origin: "https://bot.example" } }]);
    expect(await (await world.dispatch(page("/oauth/client.json"))).json()).toMatchObject({
      client_id: "https://bot.example/oauth/client.json",
      redirect_uris: ["https://bot.example/oauth/callback"],
    });
  });

  it("stores the access when the form is sent with the code", async () => {
    const { world, asked } = connectingScene({ op: "connected", serverId: "wiki" });
    const click = { message: { id: "5" } };
    const data = { custom_id: `enter_code:${PEOPLE.mira}` };
    const raw = { as: PEOPLE.mira, channel: PLACES.general, kind: "raw" } as const;
    const form = await world.discord.interact({ ...raw, type: 3, extra: click, data });
    expect(form.seen).toBe("modal");
    const submit = { kind: "submit", customId: "connect-code", fields: { code: "ABCD2345" } } as const;
    const sent = await world.answered({ as: PEOPLE.mira, channel: PLACES.general, ...submit });
    expect(sent).toEqual(silently(connectionText.connected("wiki", "server")));
    expect(asked.map(({ request }) => request)).toEqual([{ op: "confirm", userId: PEOPLE.mira, code: "ABCD2345" }]);
  });

  it("tells a person who lost Manage Server before sending the form what is missing, and stores nothing", async () => {
    const { world, asked } = connectingScene({ op: "connected", serverId: "wiki" });
    const here = { as: PEOPLE.theo, channel: PLACES.general } as const;
    const data = { custom_id: `enter_code:${PEOPLE.theo}` };
    await world.discord.interact({ ...here, kind: "raw", type: 3, extra: { message: { id: "5" } }, data });
    const submit = { kind: "submit", customId: "connect-code", fields: { code: "ABCD2345" } } as const;
    const sent = await world.answered({ ...here, ...submit });
    expect(sent).toEqual(silently(say.managersOnly("tools connect")));
    expect(asked).toEqual([]);
  });

  it.each([
    ["/tools connect", "connect"],
    ["/tools disconnect", "disconnect"],
  ])("and disconnect are not for members without Manage Server (%s)", async (_what, subcommand) => {
    const { world, asked } = connectingScene({ op: "begun", state: "x" });
    await world.answered(use(subcommand, { as: PEOPLE.theo }));
    expect(asked).toEqual([]);
  });

  it("is for the owners alone where only a person brought the application along", async () => {
    const { world, asked } = connectingScene(
      { op: "begun", state: "x" },
      { OWNER_IDS: PEOPLE.theo, VISITORS: "anyone" },
    );
    const answer = await world.answered(use("connect", { userInstallOnly: true }));
    expect(answer).toEqual(silently(connectionText.ownersOnly));
    expect(asked).toEqual([]);
  });

  it("warns an owner outside servers who else will use their access", async () => {
    const { world, asked } = connectingScene({ op: "begun", state: "x" }, { VISITORS: "anyone" });
    const answer = await world.answered(use("connect", { channel: PLACES.dmOfMira }));
    expect(answer).toMatchObject(silently(connectionText.begun("wiki", "outside")));
    expect([asked[0]?.scope, connectionText.begun("wiki", "outside")]).toEqual([
      "deployment",
      expect.stringMatching(/lends their access to everyone who may use me outside servers/),
    ]);
  });

  it.each(["no_key", "no_server", "fixed"] as const)("says what is wrong: %s", async (fault) => {
    const { world } = connectingScene({ op: "refused", fault });
    expect(await world.answered(use("connect"))).toEqual(silently(connectionFaultText(fault, undefined)));
  });
});

describe("/tools disconnect and /tools list", () => {
  it.each([
    [true, connectionText.disconnected("wiki")],
    [false, connectionText.notConnected("wiki")],
  ])("say what happened (it was connected: %s)", async (wasConnected, text) => {
    const { world } = connectingScene({ op: "disconnected", wasConnected });
    expect(await world.answered(use("disconnect"))).toEqual(silently(text));
  });

  it.each([true, false])("say whether a server is connected: %s", async (isConnected) => {
    const { world } = connectingScene({ op: "listed", servers: [{ serverId: "wiki", isConnected }] });
    const answer = (await world.answered(use("list", { options: {} } as Partial<Interact>))) as {
      data: { content: string };
    };
    expect(answer.data.content).toContain(connectionText.listed("wiki", isConnected));
  });

  it("say that outside servers only the owner could connect a server", async () => {
    const { world } = connectingScene({ op: "listed", servers: [{ serverId: "wiki", isConnected: false }] });
    const answer = await world.answered(use("list", { options: {}, channel: PLACES.dmOfMira } as Partial<Interact>));
    expect(JSON.stringify(answer)).toContain(
      "Server `wiki`: not connected; outside servers, only the bot's owner can change that",
    );
  });

  it("ask no scope if nothing can be connected, and work without one that is down", async () => {
    const without = connectingScene({ op: "listed", servers: [] }, { TOKEN_ENCRYPTION_KEY: "" });
    await without.world.answered(use("list", { options: {} } as Partial<Interact>));
    expect(without.asked).toEqual([]);
    const down = connectingScene(new Error("down"));
    const answer = await down.world.answered(use("list", { options: {} } as Partial<Interact>));
    expect(JSON.stringify(answer)).toContain("roll_dice");
  });
});

describe("a page", () => {
  const state = () => writeState({ guildId: PLACES.guild, nonce: "n".repeat(32) }, KEY);

  it("sends the browser on without revealing where it came from", async () => {
    const { world, asked } = connectingScene({ op: "go", url: "https://login.example/authorize?x=1" });
    const response = await world.dispatch(page(`/oauth/start?state=${await state()}`));
    expect([response.status, response.headers.get("location"), response.headers.get("referrer-policy")]).toEqual([
      302,
      "https://login.example/authorize?x=1",
      "no-referrer",
    ]);
    expect(asked).toEqual([{ scope: `guild:${PLACES.guild}`, request: { op: "start", nonce: "n".repeat(32) } }]);
  });

  it("shows the code with a warning, without scripts and without being cached", async () => {
    const { world } = connectingScene({ op: "code", serverId: "<wiki>", code: "ABCD2345" });
    const response = await world.dispatch(page(`/oauth/callback?code=c&state=${await state()}`));
    const text = await response.text();
    expect(text).toContain("ABCD2345");
    expect(text).toContain("Do this only if you used /tools connect yourself");
    expect(text).not.toContain("<wiki>");
    // Without this, a phone draws it as a wide page, with a warning too small to read.
    expect(text).toContain('<meta name="viewport" content="width=device-width">');
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it.each(["", "?state=", "?state=10.n.x", `?state=10.${"n".repeat(32)}.${"A".repeat(43)}`, `?x=${"y".repeat(9000)}`])(
    "wakes no object for a state that is not ours: %j",
    async (query) => {
      const { world, asked } = connectingScene({ op: "go", url: "https://login.example" });
      const responses = await Promise.all(
        ["/oauth/start", "/oauth/callback"].map((path) => world.dispatch(page(path + query))),
      );
      expect([responses.map(({ status }) => status), asked]).toEqual([[400, 400], []]);
      // A browser does not render Discord's markup.
      expect(await responses[0]?.text()).toContain("Use <b>/tools connect</b> again.");
    },
  );

  it.each([
    [8191, 302],
    [8192, 302],
    [8193, 400],
  ])("reads a query of at most 8192 characters, and one of %i is answered with %i", async (chars, status) => {
    const { world } = connectingScene({ op: "go", url: "https://login.example" });
    const query = `?state=${await state()}&more=`;
    const padded = query + "x".repeat(chars - query.length);
    expect((await world.dispatch(page(`/oauth/start${padded}`))).status).toBe(status);
  });

  it("says so if the scope can't be reached", async () => {
    const { world } = connectingScene(new Error("down"));
    expect((await world.dispatch(page(`/oauth/start?state=${await state()}`))).status).toBe(503);
  });

  it("is not used up by a program that only checks whether the page exists", async () => {
    const { world, asked } = connectingScene({ op: "code", serverId: "wiki", code: "ABCD2345" });
    for (const path of ["/oauth/start", "/oauth/callback"]) {
      const { url } = page(`${path}?code=c&state=${await state()}`);
      const response = await world.dispatch(new Request(url, { method: "HEAD" }));
      expect([response.status, await response.text(), asked]).toEqual([200, "", []]);
    }
  });

  it("tells authorization servers who we are", async () => {
    const { world } = connectingScene(new Error("nobody asks"));
    const response = await world.dispatch(page("/oauth/client.json"));
    expect(await response.json()).toMatchObject({
      client_id: "https://parley.example/oauth/client.json",
      redirect_uris: ["https://parley.example/oauth/callback"],
      token_endpoint_auth_method: "none",
    });
  });
});

describe("a state", () => {
  it("can be read only with its key, for a server and for the deployment", async () => {
    const nonce = "abcdefghijklmnop_-";
    for (const guildId of ["10", null]) {
      const text = await writeState({ guildId, nonce }, KEY);
      expect(await readState(text, KEY)).toEqual({ guildId, nonce });
      expect(await readState(text, `${KEY}!`)).toBeNull();
      expect(await readState(`${text.slice(0, -6)}AAAAAA`, KEY)).toBeNull();
    }
  });
});
