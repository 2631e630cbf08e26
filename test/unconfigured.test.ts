// A Worker whose configuration has problems: Discord keeps its address, and people read what is wrong.
import { describe, expect, it } from "vitest";
import { say } from "../src/core/copy/notices.ts";
import type { Interact } from "../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../src/playground/discord/world.ts";
import { scene, VARIABLES } from "./support/endpoint-harness.ts";
import { silently } from "./support/shown-answer.ts";

const raw = (type: number, data: unknown): Interact => ({
  as: PEOPLE.theo,
  channel: PLACES.general,
  kind: "raw",
  type,
  extra: {},
  data,
});
const chatData = { name: "chat", type: 1, options: [{ name: "message", value: "hi" }] };

describe("a Worker whose configuration has problems", () => {
  const variables = { ...VARIABLES, OPENAI_API_KEY: undefined };
  const sentence = say.notConfigured(["OPENAI_API_KEY is missing"]);

  it("answers Discord's PING, so that Discord keeps its address", async () => {
    const world = scene({ variables });
    const response = await world.dispatch(await world.discord.sign(JSON.stringify({ type: 1 })));
    expect([response.status, await response.json(), world.calls]).toEqual([200, { type: 1 }, []]);
  });

  it("also answers PING if a variable is not text, such as a list of models that was saved as JSON", async () => {
    const world = scene({ variables: { ...VARIABLES, MODELS: [{ id: "a", model: "m" }] } });
    const response = await world.dispatch(await world.discord.sign(JSON.stringify({ type: 1 })));
    expect([response.status, await response.json()]).toEqual([200, { type: 1 }]);
    expect(await world.answered(raw(2, chatData))).toEqual(silently(say.notConfigured(["MODELS is not a string"])));
  });

  it.each<[string, Interact, object]>([
    ["a command", raw(2, chatData), silently(sentence)],
    ["a click", raw(3, { custom_id: "stop:1", component_type: 2 }), silently(sentence)],
    ["a form", raw(5, { custom_id: "ask-long", components: [] }), silently(sentence)],
    ["an unknown command", raw(2, { name: "dance", type: 1 }), silently(sentence)],
    ["a completion", raw(4, { ...chatData, options: [] }), { type: 8, data: { choices: [] } }],
  ])("answers %s privately with the name of the variable, and submits nothing", async (_, interact, answer) => {
    const world = scene({ variables });
    expect([await world.answered(interact), world.calls]).toEqual([answer, []]);
  });

  it("checks the signature first, and logs the problems once a minute", async () => {
    const world = scene({ variables });
    const body = JSON.stringify({ type: 1 });
    for (let tries = 0; tries < 3; tries++)
      expect((await world.dispatch(await world.discord.sign(body, { key: "22".repeat(32) }))).status).toBe(401);
    expect(world.errors).toEqual([
      { line: "not configured", problems: ["OPENAI_API_KEY is missing"], unlogged: 0 },
      { line: "refused request", reason: "other_key", unlogged: 0 },
    ]);
  });

  it.each([
    ["the public key is missing", { DISCORD_PUBLIC_KEY: "" }, "DISCORD_PUBLIC_KEY is missing"],
    ["the public key is not a key", { DISCORD_PUBLIC_KEY: "12" }, "DISCORD_PUBLIC_KEY is not 64 hexadecimal digits"],
    ["the public key is not text", { DISCORD_PUBLIC_KEY: 12 }, "DISCORD_PUBLIC_KEY is not a string"],
    ["the application's id is not text", { DISCORD_APPLICATION_ID: 42 }, "DISCORD_APPLICATION_ID is not a string"],
    ["the application's id is missing", { DISCORD_APPLICATION_ID: "" }, "DISCORD_APPLICATION_ID is missing"],
  ])("answers no interaction when %s", async (_, missing, problem) => {
    const world = scene({ variables: { ...VARIABLES, ...missing } });
    const response = await world.dispatch(await world.discord.sign(JSON.stringify({ type: 1 })));
    expect([response.status, await response.json()]).toEqual([500, { error: "not configured", problems: [problem] }]);
  });
});
