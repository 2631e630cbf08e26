// What Discord is asked about the place of a question, and how long its answer is used.
import { describe, expect, it, vi } from "vitest";
import { readAsBot } from "../../../durable-objects/hearing/hearing.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { BOT, createMessageHarness, type MessageHarness } from "../../support/message-harness.ts";

const { theo, mira } = PEOPLE;
const MINUTE_MS = 60_000;

/** The requests that read the place. */
const lookUps = (place: MessageHarness) =>
  place.requests().filter((line) => line.includes("GET") && !line.includes("?limit="));

async function asked(place: MessageHarness, as: string, content: string): Promise<string> {
  const id = place.write(as, content);
  await place.rest();
  return id;
}

describe("a place", () => {
  it("is asked for only once in five minutes", async () => {
    const place = await createMessageHarness();
    await asked(place, theo, `${BOT} one`);
    place.requests();
    await asked(place, theo, `${BOT} two`);
    expect(lookUps(place)).toEqual([]);
    await place.pass(5 * MINUTE_MS);
    await asked(place, theo, `${BOT} three`);
    expect(lookUps(place)).toHaveLength(2);
  });

  it("is asked for only once if many questions come at the same moment", async () => {
    const place = await createMessageHarness();
    for (const as of [theo, mira, theo, mira, theo, mira]) place.write(as, `${BOT} hello?`);
    await place.pass(1000);
    expect(lookUps(place)).toEqual(["0 GET /guilds/guild → 200", "0 GET /channels/general → 200"]);
  });

  it("is asked for again soon after Discord did not answer", async () => {
    const place = await createMessageHarness();
    place.world.discord.failNext(2, new Response(null, { status: 500 }), ({ method }) => method === "GET");
    await asked(place, mira, `${BOT} one`);
    await place.pass(5000);
    const id = await asked(place, mira, `${BOT} two`);
    const { moderator } = place.world.life?.channel.ports.store.turn(id)?.request ?? {};
    expect([moderator, lookUps(place).length]).toEqual([true, 4]);
  });

  it.each([
    ["five minutes after an answer", 200, 5 * MINUTE_MS],
    ["five seconds after a failure", 500, 5000],
  ])("is asked for again %s, and not a moment before", async (_, status, lifeMs) => {
    const place = await createMessageHarness();
    await asked(place, theo, `${BOT} hello?`);
    const { hearing } = place.world.life?.channel ?? expect.fail("there is no channel");
    const asks = async () => {
      place.requests();
      await hearing.facts.channel(PLACES.staff, AbortSignal.any([]));
      return lookUps(place).length;
    };
    if (status !== 200)
      place.world.discord.failNext(1, new Response(null, { status }), ({ path }) => path.endsWith(PLACES.staff));
    const times = [await asks()];
    await place.pass(lifeMs - 1);
    times.push(await asks());
    await place.pass(1);
    times.push(await asks());
    expect(times).toEqual([1, 0, 1]);
  });

  it("is forgotten when it must be asked for again", async () => {
    const place = await createMessageHarness();
    await asked(place, theo, `${BOT} hello?`);
    const { facts } = place.world.life?.channel.hearing ?? expect.fail("there is no channel");
    const set = vi.spyOn(Map.prototype, "set");
    for (let minute = 0; minute < 20; minute++) {
      await facts.channel(`1180000000000000${minute}`, AbortSignal.any([]));
      await place.pass(MINUTE_MS);
    }
    const at = set.mock.calls.findLastIndex(([key]) => key === "/channels/118000000000000019");
    const kept = set.mock.contexts[at] as Map<string, unknown>;
    set.mockRestore();
    expect([...kept.keys()]).toEqual(["/channels/118000000000000019"]);
  });

  it("is not asked for if the time for that is over", async () => {
    const place = await createMessageHarness();
    await asked(place, theo, `${BOT} hello?`);
    place.requests();
    const { ports } = place.world.life?.channel ?? expect.fail("there is no channel");
    expect(await readAsBot(ports, `/channels/${PLACES.staff}`, AbortSignal.abort())).toBeNull();
    expect(place.requests()).toEqual([]);
  });

  it("that is not known to be a channel counts as a thread until Discord says that it isn't one", async () => {
    const place = await createMessageHarness({ settings: { answer_to: "mention" } });
    await asked(place, mira, `${BOT} hello?`);
    const [first] = place.door.heard;
    if (first?.event.kind !== "asked") throw new Error("nothing was heard");
    const { message } = first.event;
    const unsaid = { ...message, id: "2", place: { kind: "thread", guildId: PLACES.guild } } as const;
    await place.world.during(place.world.hear({ ...first, event: { kind: "asked", message: unsaid } }));
    await place.rest();
    const turns = ["2", message.id].map((id) => place.world.life?.channel.ports.store.turn(id)?.request);
    expect(turns[0]).toMatchObject({ moderator: true, permissions: turns[1]?.permissions });
    expect(turns[0]?.parentChannelId).toBeUndefined();
  });
});
