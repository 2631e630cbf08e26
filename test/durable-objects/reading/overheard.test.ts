// What was said in the channel since the last answer, from Discord to the request: when it is read, and when it is not.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { MAX_SENDS_PER_WINDOW, SEND_WINDOW_MS } from "../../../src/core/limits.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import { BOT, createMessageHarness, type MessageHarness } from "../../support/message-harness.ts";

const { theo, mira } = PEOPLE;
const READS = { readsContent: true } as const;

/** The messages of the last request. */
const request = ({ world }: MessageHarness) => (world.requests.at(-1)?.messages ?? []).map(({ text }) => text);
/** What was overheard in it, line by line, without the marks. */
const overheard = (place: MessageHarness) =>
  (request(place).find((text) => text.startsWith("Overheard")) ?? "").split("\n").slice(2, -1);

async function ask(place: MessageHarness, as: string, words: string): Promise<void> {
  place.write(as, `${BOT} ${words}`);
  await place.rest();
}

describe("a question", () => {
  it("comes right after what was said since the last answer, and the next request contains none of that", async () => {
    const place = await createMessageHarness(READS);
    place.write(mira, "The train leaves at noon.");
    place.write(theo, "Which one?");
    await ask(place, theo, "when?");
    expect(request(place).map((text) => text.split("\n")[0])).toEqual([
      expect.stringContaining("Overheard in this channel"),
      "[Theo · u1]",
    ]);
    expect(overheard(place)).toEqual([
      expect.stringMatching(/^Mira, \d\d:\d\d: The train leaves at noon\.$/),
      expect.stringMatching(/^Theo, \d\d:\d\d: Which one\?$/),
    ]);
    place.write(mira, "Never mind.");
    await ask(place, mira, "thanks");
    expect(request(place).map((text) => text.split("\n")[0])).toEqual([
      "[Theo · u1]",
      "Hello there.",
      expect.stringContaining("Overheard in this channel"),
      "[Mira · u2]",
    ]);
    expect(overheard(place)).toEqual([expect.stringMatching(/^Mira, \d\d:\d\d: Never mind\.$/)]);
    expect(JSON.stringify(place.world.life?.channel.ports.store.messagesBefore("", 9, null))).not.toContain("train");
  });

  it("comes with what was said while the last answer was awaited and written, and before the ping of its asker", async () => {
    const place = await createMessageHarness({
      ...READS,
      settings: { ping_when_done: "always" },
      answerTo: () => ({ texts: ["It leaves ", "at noon."], firstMs: 5000, pauseMs: 25_000 }),
    });
    place.write(mira, "Trains again.");
    place.write(theo, `${BOT} when?`);
    await place.pass(2000);
    place.write(mira, "Platform 4, I think.");
    await place.pass(20_000);
    place.write(mira, "Or 5.");
    await place.rest();
    expect(place.reads()).toEqual(["It leaves at noon.", say.answerReady(theo)]);
    place.write(mira, "No, 4.");
    await ask(place, theo, "which platform?");
    expect(overheard(place).map((line) => line.slice(line.indexOf(": ") + 2))).toEqual([
      "Platform 4, I think.",
      "Or 5.",
      "No, 4.",
    ]);
  });

  it("comes with what was said before a question that was cleared from the queue", async () => {
    let isSlow = true;
    const place = await createMessageHarness({
      ...READS,
      settings: { follow_up: "queue" },
      answerTo: () => ({ texts: ["Well."], firstMs: isSlow ? 20_000 : 10 }),
    });
    place.write(theo, `${BOT} when?`);
    await place.pass(3000);
    place.write(mira, "Platform 4, I think.");
    place.write(mira, `${BOT} which platform?`);
    await place.pass(3000);
    await place.use(PEOPLE.juno, "bot kill");
    await place.rest();
    isSlow = false;
    await ask(place, theo, "which platform?");
    expect(overheard(place)).toEqual([expect.stringMatching(/^Mira, \d\d:\d\d: Platform 4, I think\.$/)]);
  });

  it("leaves out whoever wants to be left out, as the scope's note says", async () => {
    const place = await createMessageHarness(READS);
    await ask(place, theo, "hi");
    place.world.life?.channel.ports.store.saveScopeNote({ settings: {}, isLimited: false, leftOut: [mira] });
    place.write(mira, "The train leaves at noon.");
    place.write(theo, "Which one?");
    await ask(place, theo, "when?");
    expect(JSON.stringify(overheard(place))).not.toContain("train");
    expect(JSON.stringify(overheard(place))).toContain("Which one?");
  });

  it("comes after what was overheard and after the channel's notes", async () => {
    const place = await createMessageHarness(READS);
    await ask(place, theo, "hi");
    place.world.life?.channel.ports.notes.write("They like tea.");
    place.write(mira, "Tea?");
    await ask(place, theo, "yes?");
    expect(request(place).map((text) => text.split(/[ \n]/)[0])).toEqual([
      "[Theo",
      "Hello",
      "Your",
      "Overheard",
      "[Theo",
    ]);
  });

  it("that is a command comes with the same, and its own reply does not count as the last answer", async () => {
    const place = await createMessageHarness(READS);
    await ask(place, theo, "hi");
    place.write(mira, "Tea?");
    await place.chat(theo, "what did she ask?");
    expect(overheard(place)).toEqual([expect.stringMatching(/^Mira, \d\d:\d\d: Tea\?$/)]);
  });

  it("weakly taints a turn that has overheard someone, and no other", async () => {
    const place = await createMessageHarness(READS);
    const newest = () => place.world.life?.channel.ports.store.recentTurns(1, { userId: theo, moderator: true })[0];
    await ask(place, theo, "hi");
    expect(newest()?.taint).toBeUndefined();
    place.write(mira, "Tea?");
    await ask(place, theo, "what did she ask?");
    expect(newest()?.taint).toBe("weak");
  });

  it("shows which of the people overheard have spoken to the bot", async () => {
    const place = await createMessageHarness(READS);
    await ask(place, mira, "hi");
    place.write(mira, "It is me.");
    await ask(place, theo, "who?");
    expect(overheard(place)).toEqual([expect.stringMatching(/^Mira \(u1\), \d\d:\d\d: It is me\.$/)]);
  });

  it("costs one more request, for as many messages as the setting says, and none with 0", async () => {
    const reads = async (settings: Record<string, string>) => {
      const place = await createMessageHarness({ settings, ...READS });
      place.write(mira, "Tea?");
      place.requests();
      await ask(place, theo, "hi");
      return place
        .requests()
        .filter((line) => line.includes("?limit="))
        .map((line) => line.split(" ")[2]);
    };
    expect(await reads({})).toEqual(["/channels/general/messages?limit=20&before=N"]);
    expect(await reads({ channel_context: "50" })).toEqual(["/channels/general/messages?limit=50&before=N"]);
    expect(await reads({ channel_context: "0" })).toEqual([]);
  });

  it("is answered without it if Discord does not let the bot read, or hides every word", async () => {
    const hidden = await createMessageHarness({ readsContent: false });
    hidden.write(mira, "Tea?");
    await ask(hidden, theo, "hi");
    expect([overheard(hidden), hidden.reads()]).toEqual([[], ["Hello there."]]);
  });

  it("waits for it at most 1.5 s, and the next one within a minute does not ask", async () => {
    const place = await createMessageHarness(READS);
    place.write(mira, "Tea?");
    place.world.hangs = ({ search }) => search.includes("limit=");
    place.requests();
    await ask(place, theo, "hi");
    const sent = place.requests().find((line) => line.includes("POST /channels/general/messages"));
    expect([request(place), place.reads()]).toEqual([["[Theo · u1]\nhi"], ["Hello there."]]);
    expect(Number(sent?.split(" ")[0])).toBeGreaterThanOrEqual(1.5);
    expect(Number(sent?.split(" ")[0])).toBeLessThan(2.2);
    place.world.hangs = () => false;
    await ask(place, theo, "and?");
    expect(place.requests().filter((line) => line.includes("?limit="))).toEqual([]);
    await place.pass(60_000);
    await ask(place, theo, "and now?");
    expect(place.requests().filter((line) => line.includes("?limit="))).toHaveLength(1);
  });
});

it("a question is answered without what was said while our own pace forbids reading, and the next one has it again", async () => {
  const place = await createMessageHarness(READS);
  await ask(place, theo, "hi");
  const endpoint = { channelId: `/channels/${PLACES.general}/messages` };
  for (let others = 0; others < MAX_SENDS_PER_WINDOW; others++)
    place.world.life?.channel.ports.rateLimiter.sending(endpoint, "sight");
  place.write(mira, "Tea?");
  await ask(place, theo, "and?");
  expect([overheard(place), place.reads()]).toEqual([[], ["Hello there.", "Hello there."]]);
  await place.pass(SEND_WINDOW_MS);
  place.write(mira, "Coffee?");
  await ask(place, theo, "and now?");
  expect(overheard(place)).toEqual([expect.stringContaining("Coffee?")]);
});

describe("nothing is read", () => {
  it("in a direct message with the bot", async () => {
    const place = await createMessageHarness({ channelId: PLACES.dmOfJuno, ...READS });
    place.requests();
    await ask(place, PEOPLE.juno, "hi");
    expect([place.reads(PEOPLE.juno), place.requests().filter((line) => line.includes("GET"))]).toEqual([
      ["Hello there."],
      [],
    ]);
  });

  it.each([
    ["without the bot's token", { bot: false }],
    ["if a person brought the bot along", { bot: true, isMember: false }],
  ])("%s", async (_what, options) => {
    const place = createAppHarness(options);
    await place.ask(theo, "hi");
    await place.pass(1000);
    expect(place.requests().filter((line) => line.includes("GET") && line.includes("/messages?"))).toEqual([]);
    expect(place.channel.requests[0]?.messages).toHaveLength(1);
  });
});

it("a thread's first question has its title, and the second one doesn't", async () => {
  const place = await createMessageHarness({ channelId: PLACES.thread, ...READS });
  await ask(place, theo, "hello?");
  expect(overheard(place)).toEqual(["[this is a thread: late night ideas]"]);
  await ask(place, theo, "and then?");
  expect(overheard(place)).toEqual([]);
});

it.each([
  [
    "its title, and the message that the thread was made of",
    [],
    ["[this is a thread: late night ideas]", expect.stringMatching(/Mira.*: Who is awake\?$/)],
  ],
  // Discord names a thread after the message, and who begins a forum's post writes its title.
  ["neither if the author of that message has opted out", [mira], []],
])("a thread's first question has %s", async (_, leftOut, lines) => {
  const place = await createMessageHarness({
    channelId: PLACES.thread,
    ...READS,
    more: { scope: { settings: {}, isLimited: false, leftOut } },
  });
  place.write(theo, `${BOT} hello?`);
  const [author, timestamp] = [{ id: mira, username: "mira", global_name: "Mira" }, new Date(0).toISOString()];
  const message = {
    id: PLACES.thread,
    channel_id: PLACES.general,
    type: 0,
    author,
    content: "Who is awake?",
    timestamp,
  };
  const isStarter = ({ path }: { path: string }) => path.endsWith(`${PLACES.general}/messages/${PLACES.thread}`);
  place.world.discord.failNext(1, Response.json(message), isStarter);
  await place.rest();
  expect(overheard(place)).toEqual(lines);
});

it.each([[[]], [[theo]]])(
  "a question that begins its thread, as in a forum, is not also overheard (left out: %j)",
  async (leftOut) => {
    const more = { scope: { settings: {}, isLimited: false, leftOut } };
    const place = await createMessageHarness({ channelId: PLACES.thread, ...READS, more });
    const id = place.write(theo, `${BOT} hello?`);
    const author = { id: theo, username: "theo" };
    const starter = {
      id,
      channel_id: PLACES.thread,
      type: 0,
      author,
      content: "hello?",
      timestamp: new Date(0).toISOString(),
    };
    const isStarter = ({ path }: { path: string }) => path.endsWith(`${PLACES.thread}/messages/${PLACES.thread}`);
    place.world.discord.failNext(1, Response.json(starter), isStarter);
    await place.rest();
    expect(place.world.discord.log.filter(isStarter).map(({ status }) => status)).toEqual([200]);
    expect(overheard(place)).toEqual(["[this is a thread: late night ideas]"]);
  },
);
