// The bot's direct message to one person, over the local Discord.
import { expect, it } from "vitest";
import { sendDirectMessage } from "../../../src/discord/rest/direct-message.ts";
import { APPLICATION, createLocalDiscord } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";

const world = () => {
  const discord = createLocalDiscord({
    now: () => Date.UTC(2030, 0, 1),
    dispatch: async () => Response.json({ type: 5 }),
  });
  const lost: string[] = [];
  const bodies: string[] = [];
  const ports = {
    async fetch(url: string, init: RequestInit) {
      bodies.push(String(init.body));
      return discord.fetch(new Request(url, init));
    },
    baseUrl: "http://discord.local/api/v10",
    userAgent: "DiscordBot (https://example.org, 1.0)",
    botToken: APPLICATION.botToken as string | null,
    onLost: (method: string) => void lost.push(method),
  };
  return { discord, ports, lost, bodies };
};

it("reaches the person, pings no one, and is not sent twice with one nonce", async () => {
  const { discord, ports, bodies } = world();
  for (let n = 0; n < 2; n++)
    expect(await sendDirectMessage(ports, PEOPLE.juno, "Look, @everyone", "a1")).toMatchObject({ ok: true });
  expect(discord.messages(PLACES.dmOfJuno, PEOPLE.juno).map(({ content }) => content)).toEqual(["Look, @everyone"]);
  expect(JSON.parse(bodies[1] ?? "")).toMatchObject({
    nonce: "a1",
    enforce_nonce: true,
    allowed_mentions: { parse: [] },
  });
  expect(discord.violations).toEqual([]);
});

it("says why it was not sent: Discord refused, or gave no answer", async () => {
  const { ports, lost } = world();
  const refused = await sendDirectMessage(ports, "1180000000000009999", "Look", "a1");
  const gone = await sendDirectMessage(
    { ...ports, fetch: () => Promise.reject(new Error("no answer")) },
    PEOPLE.juno,
    "Look",
    "a1",
  );
  const unreachable = { ok: false, kind: "unreachable", text: "Error: no answer" };
  expect([refused.ok, gone, lost]).toEqual([false, unreachable, ["POST"]]);
});
