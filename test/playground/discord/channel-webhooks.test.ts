// A channel's webhooks in the local Discord: what is accepted and what is refused.
import { describe, expect, it } from "vitest";
import { PLACES } from "../../../src/playground/discord/world.ts";
import { AS_BOT, SILENT, type TestWorld, testWorld } from "./world.ts";

const { general, thread, dmOfMira } = PLACES;
const create = (world: TestWorld, channel: string, name = "Parley") =>
  world.rest("POST", `/channels/${channel}/webhooks`, { name }, AS_BOT);
const made = async (world: TestWorld) => {
  const { body } = await create(world, general);
  return { path: `/webhooks/${body.id}/${body.token}`, id: String(body.id) };
};
const shown = (world: TestWorld, channel: string) =>
  world.discord.messages(channel, "21").map(({ author, content }) => [author.name, content]);

describe("creating a webhook", () => {
  it("needs the permission, a text channel and an allowed name", async () => {
    const world = testWorld();
    const answers = [
      await create(world, general),
      await create(world, thread),
      await create(world, dmOfMira),
      await create(world, "404"),
      await create(world, general, "Discord helper"),
      await create(world, general, ""),
    ].map(({ status, code }) => [status, code]);
    world.discord.configure({ botManagesWebhooks: false });
    answers.push(await create(world, general).then(({ status, code }) => [status, code]));
    expect(answers).toEqual([
      [200, null],
      [400, 50024],
      [400, 50024],
      [404, 10003],
      [400, 50035],
      [400, 50035],
      [403, 50013],
    ]);
  });

  it("stops at fifteen, and the list shows each of them with its token", async () => {
    const world = testWorld();
    for (let n = 0; n < 15; n++) await create(world, general);
    const listed = await world.rest("GET", `/channels/${general}/webhooks`, undefined, AS_BOT);
    const hooks = listed.body as unknown as { token: string; application_id: string }[];
    expect([hooks.length, typeof hooks[0]?.token, (await create(world, general)).code]).toEqual([15, "string", 30007]);
  });
});

describe("a webhook", () => {
  it("posts under the name that comes with the message, in the channel or in its thread", async () => {
    const world = testWorld();
    const { path } = await made(world);
    const body = { content: "Good day.", username: "Ada", avatar_url: "https://example.org/a.png", ...SILENT };
    const first = await world.rest("POST", `${path}?wait=true`, body);
    const second = await world.rest("POST", `${path}?wait=true&thread_id=${thread}`, { ...body, username: "Bob" });
    expect([first.status, second.status, (await world.rest("POST", `${path}?thread_id=404`, body)).code]).toEqual([
      200, 200, 10003,
    ]);
    expect([shown(world, general), shown(world, thread)]).toEqual([[["Ada", "Good day."]], [["Bob", "Good day."]]]);
  });

  it("edits and deletes its own messages, only in the channel that they are in", async () => {
    const world = testWorld();
    const { path } = await made(world);
    const { body } = await world.rest("POST", `${path}?wait=true&thread_id=${thread}`, { content: "one", ...SILENT });
    const message = `${path}/messages/${body.id}`;
    const edit = { content: "two", ...SILENT };
    expect((await world.rest("PATCH", message, edit)).code).toBe(10008);
    expect((await world.rest("PATCH", `${message}?thread_id=${thread}`, edit)).status).toBe(200);
    expect(shown(world, thread)).toEqual([["Parley", "two"]]);
    expect((await world.rest("DELETE", `${message}?thread_id=${thread}`)).status).toBe(204);
    expect(shown(world, thread)).toEqual([]);
  });

  it("refuses a wrong token and an edit by the bot, and is unknown once it is removed", async () => {
    const world = testWorld();
    const { path, id } = await made(world);
    const { body } = await world.rest("POST", `${path}?wait=true`, { content: "one", ...SILENT });
    expect((await world.rest("POST", `/webhooks/${id}/wrong?wait=true`, { content: "x", ...SILENT })).code).toBe(50027);
    const byBot = await world.rest(
      "PATCH",
      `/channels/${general}/messages/${body.id}`,
      { content: "x", ...SILENT },
      AS_BOT,
    );
    expect(byBot.code).toBe(50005);
    await world.rest("DELETE", `/webhooks/${id}`, undefined, AS_BOT);
    expect((await world.rest("POST", `${path}?wait=true`, { content: "x", ...SILENT })).code).toBe(10015);
  });
});
