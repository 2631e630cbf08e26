// What the model learns about a channel's age restriction, also in turns that waited or come by themselves.
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../src/config.ts";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { BOT, createMessageHarness } from "../../support/message-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const HOUR_MS = 3_600_000;
const RESTRICTED = /This Discord channel is age-restricted/;
const OPEN = /This Discord channel is not age-restricted/;

const parsed = parseConfig({ DISCORD_PUBLIC_KEY: "a".repeat(64), DISCORD_APPLICATION_ID: "1", OPENAI_API_KEY: "test" });
if (!parsed.ok) throw new Error(parsed.problems.join("; "));
const testConfig = parsed.config;

const asked = (id: string, ageRestricted?: boolean): TurnRequest => ({
  ...testRequest(id, id),
  ...(ageRestricted !== undefined && { ageRestricted }),
});
async function answer(channel: ChannelHarness): Promise<void> {
  await channel.drain();
  channel.answer([
    { kind: "text", text: "Yes." },
    { kind: "end", finishReason: "stop", calls: [], usage: null },
  ]);
  await channel.clock.advance(2000);
}
const told = ({ requests }: ChannelHarness) =>
  requests.map(({ system }) => (RESTRICTED.test(system) ? "restricted" : OPEN.test(system) ? "open" : "nothing"));

it("each turn states its own, even if an earlier life queued it; one of an older program states nothing", async () => {
  const channel = createChannelHarness();
  channel.submit({ trigger: asked("1", true) });
  channel.submit({ trigger: asked("2", false) });
  channel.submit({ trigger: asked("3") });
  channel.crash();
  channel.runAlarm();
  for (let n = 0; n < 3; n++) await answer(channel);
  expect(told(channel)).toEqual(["restricted", "open", "nothing"]);
});

it("a question by message states what Discord says about its channel", async () => {
  const place = await createMessageHarness();
  const general = { id: PLACES.general, type: 0, guild_id: PLACES.guild, nsfw: true, permission_overwrites: [] };
  place.world.discord.addWeather(({ path }) =>
    path === `/channels/${PLACES.general}` ? Response.json(general) : null,
  );
  place.write(PEOPLE.theo, `${BOT} hello?`);
  await place.rest();
  expect(place.world.requests.map(({ system }) => RESTRICTED.test(system))).toEqual([true]);
});

it("a reminder's turn states what applied where it was set", async () => {
  const channel = createChannelHarness();
  const dueAt = channel.clock.now() + HOUR_MS;
  channel.remindersFor(asked("1", true)).set({ key: "k", text: "tea", dueAt });
  await channel.clock.advance(HOUR_MS);
  channel.runAlarm();
  await answer(channel);
  expect(told(channel)).toEqual(["restricted"]);
});

describe("a command in a thread, whose interaction says nothing about its channel's restriction,", () => {
  const CONFIG = { ...testConfig, discord: { ...testConfig.discord, botToken: "a token" } };
  const inThread = { guildId: "20", parentChannelId: "3", botIsHere: true } as const;
  /** Makes a thread of the channel 3. `asked`: the requests about that channel. */
  const open = (answer: (signal: AbortSignal | null | undefined) => Promise<Response>) => {
    const asked: string[] = [];
    const fetch = async (url: string, { signal }: RequestInit) => {
      if (url !== "/channels/3") return new Response("{}", { status: 404 });
      asked.push(url);
      return answer(signal);
    };
    const discord = () => ({ fetch, baseUrl: "", userAgent: "", botToken: "a token" });
    return { channel: createChannelHarness({ config: CONFIG, discord }), asked };
  };
  const place = (nsfw: boolean) => async () => Response.json({ type: 0, guild_id: "20", nsfw });

  it.each([
    ["states the channel's restriction", place(true), "restricted"],
    ["states that it has none", place(false), "open"],
    ["states that it has none if Discord says nothing", async () => new Response("{}", { status: 403 }), "open"],
    [
      "waits at most 1.5 s for it",
      (signal) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
      "open",
    ],
  ] satisfies [string, Parameters<typeof open>[0], string][])("%s", async (_, answers, said) => {
    const { channel } = open(answers);
    channel.submit({ trigger: { ...asked("1", false), ...inThread } });
    await channel.clock.advance(1500);
    await answer(channel);
    expect(told(channel)).toEqual([said]);
  });

  it("asks Discord once in five minutes", async () => {
    const { channel, asked: requests } = open(place(true));
    for (const id of ["1", "2"]) {
      channel.submit({ trigger: { ...asked(id, false), ...inThread } });
      await answer(channel);
    }
    expect([told(channel), requests]).toEqual([["restricted", "restricted"], ["/channels/3"]]);
  });

  it.each([
    ["a message, with which it was read", { messageId: "1" }],
    ["the question that a thread was opened for, which brings its channel's along", { beginsThread: true }],
    ["a visitor, where the bot can't look", { botIsHere: false }],
  ] as const)("is not looked up for %s", async (_, more) => {
    const { channel, asked: requests } = open(place(true));
    channel.submit({ trigger: { ...asked("1", false), ...inThread, ...more } });
    await answer(channel);
    expect(requests).toEqual([]);
  });
});
