// What the tools of a channel's turn get to work with.
import { expect, it } from "vitest";
import { parseConfig } from "../../../src/config.ts";
import { viewImage } from "../../../src/tools/view-image.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const REQUIRED = { DISCORD_PUBLIC_KEY: "a".repeat(64), DISCORD_APPLICATION_ID: "1", OPENAI_API_KEY: "test" };
const PERSON = "118000000000000010";

it.each<[string, Record<string, string>, string[]]>([
  ["are read with the bot's token", { DISCORD_BOT_TOKEN: "token" }, [`/users/${PERSON}`]],
  ["are not read without one", {}, []],
])("profile pictures %s", async (_, variables, asked) => {
  const parsed = parseConfig({ ...REQUIRED, ...variables });
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  const read: string[] = [];
  const channel = createChannelHarness({
    config: parsed.config,
    tools: [viewImage],
    discord: () => ({
      fetch: async (url: string) => {
        read.push(url);
        return Response.json({});
      },
      baseUrl: "",
      userAgent: "",
      botToken: parsed.config.discord.botToken,
    }),
  });
  channel.submit({ trigger: { ...testRequest("9"), guildId: null, botIsHere: true } });
  await channel.drain();
  const call = { id: "a", name: "view_image", arguments: JSON.stringify({ user: PERSON }) };
  channel.answer([{ kind: "end", finishReason: "tool_calls", calls: [call], usage: null }]);
  await channel.clock.advance(5000);
  expect(read).toEqual(asked);
});
