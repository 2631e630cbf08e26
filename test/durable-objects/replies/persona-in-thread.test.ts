// The voice of a persona whose answer is in a thread of its own: the webhook of the channel, by the thread's id.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { planFaults } from "../../faults/plan.ts";
import { FaultHarness } from "../../support/fault-harness.ts";
import { BOT, createMessageHarness, type MessageHarness } from "../../support/message-harness.ts";

const { theo, mira } = PEOPLE;

/** A channel in which Ada answers each question in a thread, and the objects of both. */
async function openPlace(): Promise<MessageHarness & { restAll(): Promise<void>; threadId(): string }> {
  const place = await createMessageHarness({ settings: { auto_thread: "true" } });
  let thread: FaultHarness | null = null;
  place.world.threads = (threadId) => {
    thread ??= new FaultHarness(place.world.scenario, planFaults(), threadId, place.world);
    return { submit: thread.submit.bind(thread), hear: thread.hear.bind(thread) };
  };
  const restAll = async () => {
    for (let isBusy = true; isBusy; ) {
      isBusy = await place.world.step(Number.POSITIVE_INFINITY);
      if (thread?.hasWork()) isBusy = (await thread.step(Number.POSITIVE_INFINITY)) || isBusy;
    }
  };
  await place.use(mira, "persona create", { name: "Ada", prompt: "Be brief." });
  await place.use(mira, "persona use", { name: "Ada" });
  await place.rest();
  return { ...place, restAll, threadId: () => thread?.channelId ?? "" };
}

const said = ({ world }: MessageHarness, channel: string) =>
  world.discord
    .messages(channel, theo)
    .flatMap(({ author, content, interaction }) => (author.bot && !interaction ? [`${author.name}: ${content}`] : []));

describe("a persona whose answer is in a thread of its own", () => {
  it("speaks there for itself to who has written a message", async () => {
    const place = await openPlace();
    place.write(theo, `${BOT} why?`);
    await place.restAll();
    expect(said(place, place.threadId())).toEqual(["Ada: Hello there."]);
    expect(said(place, PLACES.general)).toEqual([]);
    expect(place.world.discord.violations).toEqual([]);
  });

  it("speaks there for itself to who has used /chat, and the bot says where", async () => {
    const place = await openPlace();
    await place.use(theo, "chat", { message: "why?" });
    await place.restAll();
    expect(said(place, place.threadId())).toEqual(["Ada: Hello there."]);
    const shown = place.world.discord
      .messages(PLACES.general, theo)
      .map(({ author, content }) => [author.name, content]);
    expect(shown).toContainEqual([
      expect.not.stringContaining("Ada"),
      `> why?\n${say.answersInThread(place.threadId())}`,
    ]);
    expect(place.world.discord.violations).toEqual([]);
  });

  it.each([
    ["to a message", (place: MessageHarness) => void place.write(theo, `${BOT} why?`), "Ada"],
    ["to /chat", (place: MessageHarness) => void place.use(theo, "chat", { message: "why?" }), "Parley"],
  ])("answers in the channel %s where there can be no thread", async (_what, ask, name) => {
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
