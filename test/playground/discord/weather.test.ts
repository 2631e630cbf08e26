// The local Discord's own rate limits and bad weather: what the headers say, and that each spell ends.
import { describe, expect, it } from "vitest";
import { FORECASTS, type Forecast } from "../../../src/playground/discord/forecast.ts";
import { APPLICATION, createLocalDiscord } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";

const WINDOW_MS = 2000;

/** A reply that can be edited, under a clock that the test moves. */
async function reply() {
  let now = Date.UTC(2030, 0, 1);
  const dispatch = async () => Response.json({ type: 5 });
  const discord = createLocalDiscord({
    now: () => now,
    dispatch,
    options: { buckets: { limit: 2, windowMs: WINDOW_MS } },
  });
  const chat = { kind: "command", name: "chat", options: { message: "hi" } } as const;
  const { token } = await discord.interact({ as: PEOPLE.theo, channel: PLACES.general, ...chat });
  const edit = (content: string) =>
    discord.fetch(
      new Request(`http://local/api/v10/webhooks/${APPLICATION.id}/${token}/messages/@original`, {
        method: "PATCH",
        headers: { "user-agent": "DiscordBot (https://example.org, 1)", "content-type": "application/json" },
        body: JSON.stringify({ content, allowed_mentions: { parse: [] } }),
      }),
    );
  const pass = (ms: number) => {
    now += ms;
  };
  return { discord, edit, pass };
}

const limitsIn = (response: Response) => [
  response.status,
  response.headers.get("x-ratelimit-remaining"),
  response.headers.get("x-ratelimit-reset-after"),
  response.headers.get("x-ratelimit-scope"),
];

describe("a bucket", () => {
  it("says how many requests are left, refuses one too many with the time to wait, and is full again after that", async () => {
    const { edit, pass } = await reply();
    expect(limitsIn(await edit("1"))).toEqual([200, "1", "2", null]);
    pass(500);
    expect(limitsIn(await edit("2"))).toEqual([200, "0", "1.5", null]);
    const refused = await edit("3");
    expect(limitsIn(refused)).toEqual([429, "0", "1.5", "user"]);
    expect(await refused.json()).toEqual({ message: "You are being rate limited.", retry_after: 1.5, global: false });
    pass(1500);
    expect(limitsIn(await edit("4"))).toEqual([200, "1", "2", null]);
  });
});

describe("bad weather", () => {
  it.each(Object.keys(FORECASTS) as Forecast[])(
    "of the kind %s affects as many requests as it was made for, and no more",
    async (forecast) => {
      const { discord, edit, pass } = await reply();
      discord.brew(forecast, 1);
      const spoilt = await edit("spoilt");
      const body = await spoilt.text().catch(() => "broken");
      expect(spoilt.ok && body !== "broken").toBe(false);
      pass(WINDOW_MS);
      expect((await edit("fine")).status).toBe(200);
    },
  );
});
