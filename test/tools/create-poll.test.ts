// A poll is posted once in a turn, against the local Discord, whatever happens to the answer that confirms it.
import { expect, it } from "vitest";
import { createChannelActions } from "../../src/discord/rest/bot-actions.ts";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import { createPoll } from "../../src/tools/create-poll.ts";
import { testWorld } from "../playground/discord/world.ts";
import { createTestClock } from "../support/clock.ts";
import { unlimited } from "./unlimited.ts";

it("is posted once in a turn whose model asks again because Discord's first answer was lost", async () => {
  const { discord } = testWorld();
  let lost = 1;
  const actions = createChannelActions(
    {
      ...unlimited(),
      async fetch(url, init) {
        const response = await discord.fetch(new Request(url, init));
        return lost-- > 0 ? new Response("", { status: 502 }) : response;
      },
      baseUrl: "http://discord.local/api/v10",
      userAgent: "DiscordBot (https://example.org, 1.0)",
      botToken: APPLICATION.botToken,
    },
    PLACES.general,
    APPLICATION.id,
  );
  const availability = {
    botToken: true,
    permissions: new Set(["SEND_POLLS"]),
    modelAbilities: new Set<string>(),
    settings: new Set<string>(),
  };
  const { after } = createTestClock(0).timers;
  const runtime = new ToolRuntime(createToolRegistry([createPoll]), { services: { actions }, availability, after });
  const ask = (turnId: string) => {
    const call = { name: "create_poll", arguments: { question: "Tea?", answers: ["yes", "no"] } };
    return runtime.execute(call, { channelId: PLACES.general, turnId });
  };
  const polls = () => discord.messages(PLACES.general, PEOPLE.theo).filter(({ poll }) => poll);

  expect(await ask("100000000000000001")).toMatchObject({ ok: false });
  expect(polls().length).toBe(1);
  expect(await ask("100000000000000001")).toMatchObject({ ok: true, data: { message: polls()[0]?.id } });
  expect(polls().length).toBe(1);
  expect(await ask("100000000000000002")).toMatchObject({ ok: true, data: { message: polls()[1]?.id } });
});
