// The voice of a persona whose answer is in a thread of its own: the channel's webhook, with the thread's id.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { BOT, type MessageHarness } from "../../support/message-harness.ts";
import { openThreadPlace, type ThreadPlace } from "../../support/thread-harness.ts";

const { theo, mira } = PEOPLE;

/** Makes a channel in which Ada answers each question in a thread. */
async function openPlace(texts = ["Hello there."]): Promise<ThreadPlace> {
  const place = await openThreadPlace({ texts });
  await place.use(mira, "persona create", { name: "Ada", prompt: "Be brief." });
  await place.use(mira, "persona use", { name: "Ada" });
  await place.rest();
  return place;
}

const threadOf = (place: ThreadPlace) => place.thread()?.channelId ?? "";
const said = ({ world }: MessageHarness, channel: string) =>
  world.discord
    .messages(channel, theo)
    .flatMap(({ author, content, interaction }) => (author.bot && !interaction ? [`${author.name}: ${content}`] : []));

describe("a persona whose answer is in a thread of its own", () => {
  it("speaks there for itself if the question is a message", async () => {
    const place = await openPlace();
    place.write(theo, `${BOT} why?`);
    await place.restAll();
    expect(said(place, threadOf(place))).toEqual(["Ada: Hello there."]);
    expect(said(place, PLACES.general)).toEqual([]);
    expect(place.world.discord.violations).toEqual([]);
  });

  it("speaks there for itself after /chat, and the bot links to the answer", async () => {
    const place = await openPlace();
    await place.use(theo, "chat", { message: "why?" });
    await place.restAll();
    expect(said(place, threadOf(place))).toEqual(["Ada: Hello there."]);
    const shown = place.world.discord
      .messages(PLACES.general, theo)
      .map(({ author, content }) => [author.name, content]);
    expect(shown).toContainEqual([
      expect.not.stringContaining("Ada"),
      `> why?\n${say.answersInThread(threadOf(place))}`,
    ]);
    expect(place.world.discord.violations).toEqual([]);
  });

  it.each([
    ["was made", "lose the answer"],
    ["was not made", new Response(null, { status: 503 })],
  ] as const)("says everything once if its life ends at its first message, which %s", async (_what, answer) => {
    const place = await openPlace(["Hello ", "there."]);
    const { discord } = place.world;
    const clear = discord.addWeather(({ method, path }) => {
      if (method !== "POST" || !path.includes("thread_id=")) return null;
      place.thread()?.restart();
      clear();
      return answer instanceof Response ? answer.clone() : answer;
    });
    await place.use(theo, "chat", { message: "why?" });
    await place.restAll();
    expect(said(place, threadOf(place))).toEqual(["Ada: Hello there."]);
    expect([place.thread()?.hasWork(), discord.violations]).toEqual([false, []]);
  });

  it.each([
    ["to a message", (place: MessageHarness) => void place.write(theo, `${BOT} why?`), "Ada"],
    ["to /chat", (place: MessageHarness) => void place.use(theo, "chat", { message: "why?" }), "Parley"],
  ])("answers in the channel %s if there can't be a thread", async (_what, ask, name) => {
    const place = await openPlace();
    const refusal = () => Response.json({ code: 50013, message: "Missing Permissions" }, { status: 403 });
    place.world.discord.failNext(1, refusal(), ({ path }) => path.endsWith("/threads"));
    ask(place);
    await place.restAll();
    const answers = place.world.discord.messages(PLACES.general, theo).filter(({ author }) => author.bot);
    expect(answers.at(-1)?.author.name).toBe(name);
    expect(answers.at(-1)?.content).toContain("Hello there.");
    expect([place.world.hasWork(), place.world.discord.violations]).toEqual([false, []]);
  });
});
