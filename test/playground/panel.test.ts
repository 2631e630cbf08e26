// What the side panel's routes report about a local world: Discord's requests and whether they are valid, the model's, and trouble on demand.
import { describe, expect, it } from "vitest";
import { localWorldRoutes } from "../../src/playground/control.ts";
import { APPLICATION, createLocalDiscord } from "../../src/playground/discord/local-discord.ts";
import { PLACES } from "../../src/playground/discord/world.ts";
import { createLocalModel } from "../../src/playground/model/model.ts";
import type { WatchedCall, WatchedRequest } from "../../src/playground/page/panel/watched.ts";

const ORIGIN = "http://127.0.0.1:8787";

function newWorld() {
  const sleep = async () => {};
  const discord = createLocalDiscord({
    now: () => 1_000_000,
    dispatch: async () => new Response(null, { status: 500 }),
  });
  const model = createLocalModel({ now: () => 2_000_000, sleep });
  const { fetch } = localWorldRoutes({ discord, model, sleep, clock: { advance() {}, reset() {} } });
  const get = (path: string) => fetch(new Request(ORIGIN + path));
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(new Request(ORIGIN + path, { method: "POST", body: JSON.stringify(body), headers }));
  return {
    get,
    post,
    say: (body: unknown) =>
      post(`/api/v10/channels/${PLACES.general}/messages`, body, {
        authorization: `Bot ${APPLICATION.botToken}`,
        "content-type": "application/json",
        "user-agent": "DiscordBot (https://example.org, 1.0)",
      }),
    ask: async (words: string) => {
      const body = { model: "m", messages: [{ role: "user", content: words }] };
      return post("/v1/chat/completions", body, { authorization: "Bearer local" });
    },
    /** The list as it is now. */
    watched: async <Row>(list: string): Promise<Row[]> => {
      const reader = (await get(`/local/watch?list=${list}`)).body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      await reader?.cancel();
      return JSON.parse(new TextDecoder().decode(value).replace(/^data: /, ""));
    },
  };
}

describe("Discord's requests", () => {
  it("are listed newest first, marked if Discord would refuse them as malformed, and each can be opened", async () => {
    const world = newWorld();
    await world.say({ content: "all is   well", allowed_mentions: { parse: [] } });
    await world.say({ content: 7 });
    const rows = await world.watched<WatchedRequest>("requests");
    const path = `/channels/${PLACES.general}/messages`;
    expect(rows.map(({ n: _, at: __, ...rest }) => rest)).toEqual([
      { method: "POST", path, status: 400, code: 50035, fault: true, words: "7" },
      { method: "POST", path, status: 200, code: null, fault: false, words: "all is well" },
    ]);
    const bad = await (await world.get(`/local/log/${rows[0]?.n}`)).json();
    expect(bad).toMatchObject({ body: { content: 7 }, refusal: { code: 50035 } });
    expect((await world.get("/local/log/999")).status).toBe(404);
  });

  it("don't count as faults if a real Discord would only rate-limit them", async () => {
    const world = newWorld();
    await world.post("/local/weather", { forecast: "limited" });
    await world.say({ content: "slower" });
    expect(await world.watched("requests")).toMatchObject([{ status: 429, fault: false }]);
  });
});

describe("the model's requests", () => {
  it("show how many messages and tools they had, what was newest, and how they ended", async () => {
    const world = newWorld();
    await (await world.ask("hello")).text();
    await world.post("/local/model/script", [{ status: 500 }]);
    await world.ask("and now?");
    const rows = await world.watched<WatchedCall>("calls");
    expect(rows).toMatchObject([
      { status: 500, state: "failed", newest: "user: and now?" },
      { status: 200, state: "finished", messages: 1, tools: 0, newest: "user: hello" },
    ]);
    const whole = await (await world.get(`/local/model/log/${rows[1]?.n}`)).json();
    expect(whole).toMatchObject({ body: { messages: [{ role: "user", content: "hello" }] } });
  });
});

describe("trouble", () => {
  it.each([
    ["refused", 401],
    ["limited", 429],
    ["broken", 500],
    ["overloaded", 503],
    ["too_long", 400],
  ])("with the model of the kind %s is one answer with %i, and then all is well again", async (mishap, status) => {
    const world = newWorld();
    await world.post("/local/mishaps", { mishap });
    expect([(await world.ask("hi")).status, (await world.ask("hi")).status]).toEqual([status, 200]);
  });

  it("comes as often as it was requested, and only of the listed kinds", async () => {
    const world = newWorld();
    await world.post("/local/mishaps", { mishap: "broken", count: 2 });
    const statuses = [await world.ask("1"), await world.ask("2"), await world.ask("3")].map(({ status }) => status);
    expect(statuses).toEqual([500, 500, 200]);
    expect((await world.post("/local/mishaps", { mishap: "flood" })).status).toBe(400);
    const listed = (await (await world.get("/local/mishaps")).json()) as Record<string, object>;
    const kinds = Object.values(listed).flatMap((one) => Object.keys(one));
    const answers = await Promise.all(kinds.map((mishap) => world.post("/local/mishaps", { mishap })));
    expect(answers.map(({ status }) => status)).toEqual(kinds.map(() => 200));
  });

  it("with a page begins with the call that reads it", async () => {
    const world = newWorld();
    await world.post("/local/mishaps", { mishap: "unavailable" });
    const answer = await (await world.ask("read it")).json();
    const url = `${ORIGIN}/local/pages/unavailable`;
    const call = { function: { name: "fetch_url", arguments: JSON.stringify({ url }) } };
    expect(answer).toMatchObject({ choices: [{ message: { tool_calls: [call] } }] });
    const pages = ["unavailable", "throttled", "hanging", "hostile"];
    const read = await Promise.all(pages.map((kind) => world.get(`/local/pages/${kind}`)));
    expect(read.map(({ status }) => status)).toEqual([503, 429, 204, 200]);
    await expect((await world.get("/local/pages/severed")).text()).rejects.toThrow("The page was cut on purpose");
  });
});
