// A reply when its interaction token expires, from the person's side: what the message shows, what a click does, and which
// requests Discord gets.
import { describe, expect, it } from "vitest";
import { endingNotice } from "../../../src/core/copy/endings.ts";
import { say } from "../../../src/core/copy/notices.ts";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import { type AppHarness, type AppHarnessOptions, createAppHarness } from "../../support/app-harness.ts";
import { end, saysUncounted as says, tool } from "../../support/turn-script.ts";

const { theo, mira } = PEOPLE;
const MINUTE = 60_000;
const DANGER: Partial<Tool> = {
  category: "dangerous",
  hints: { readOnly: false, idempotent: false, destructive: true, openWorld: true },
};
const words = (length: number) => "word ".repeat(Math.ceil(length / 5)).slice(0, length);
const waits = (buttons: string) => `${say.deliveryWaits} [${buttons}]`;

/** Lets Theo ask, and the model think for this long. */
async function thinking(
  ms: number,
  options: AppHarnessOptions & { forceEphemeral?: boolean } = {},
): Promise<AppHarness> {
  const place = createAppHarness(options);
  await place.ask(theo, "a long story", { forceEphemeral: options.forceEphemeral ?? false });
  await place.pass(ms);
  return place;
}

function isAtRest({ channel }: AppHarness): void {
  const { lock, running, queue, closing } = channel.store.state();
  expect([lock.turnId, running, queue, closing]).toEqual([null, null, [], []]);
  expect([channel.clock.pending(), channel.alarmAt()]).toEqual([0, null]);
}

describe("a turn that has only its token", () => {
  it("asks for a click at 13 minutes, not before, continues, and is delivered with the click's token", async () => {
    const place = await thinking(13 * MINUTE - 1000);
    expect(place.reads()).toEqual(["…"]);
    await place.pass(6000);
    expect(place.reads()).toEqual([waits("Stop Continue")]);
    place.channel.answer(says("The story."));
    await place.pass(MINUTE);
    expect(place.reads()).toEqual([waits("Continue")]);
    isAtRest(place);
    await place.pass(60 * MINUTE);
    place.requests();
    await place.click(mira, "Continue");
    await place.pass(5000);
    expect(place.reads()).toEqual(["The story."]);
    expect(place.requests()).toEqual(["4445.15 PATCH original → 200"]);
    isAtRest(place);
  });

  it("says that the answer is gone, if the conversation was forgotten before the click", async () => {
    const place = await thinking(13 * MINUTE + 5000);
    place.channel.answer(says("The story."));
    await place.pass(MINUTE);
    place.channel.reset();
    await place.click(theo, "Continue");
    await place.pass(5000);
    expect(place.reads()).toEqual([waits("Continue"), refusalText({ reason: "forgotten" })]);
  });

  it("keeps Continue when a newer answer takes Regenerate and Delete from it", async () => {
    const place = await thinking(13 * MINUTE + 5000);
    place.channel.answer(says("The story."));
    await place.pass(1000);
    await place.ask(mira, "hello");
    await place.pass(1000);
    place.channel.answer(says("Hello."));
    await place.pass(5000);
    expect(place.reads()).toEqual([waits("Continue"), "Hello."]);
    await place.click(theo, "Continue");
    await place.pass(5000);
    expect(place.reads()).toEqual(["The story.", "Hello."]);
    isAtRest(place);
  });

  it("keeps streaming if the click comes while it runs", async () => {
    const place = await thinking(13 * MINUTE + 5000);
    await place.click(theo, "Continue");
    await place.pass(10 * MINUTE);
    place.channel.answer(says("The story."));
    await place.pass(5000);
    expect(place.reads()).toEqual(["The story."]);
    isAtRest(place);
  });

  it("asks again when the click's own token is about to expire", async () => {
    const place = await thinking(13 * MINUTE + 5000);
    await place.click(theo, "Continue");
    await place.pass(13 * MINUTE + 5000);
    expect(place.reads()).toEqual([waits("Stop Continue")]);
    await place.click(theo, "Continue");
    place.channel.answer(says("The story."));
    await place.pass(5000);
    expect(place.reads()).toEqual(["The story."]);
  });

  it("can be stopped while it waits, and says so with the click's token", async () => {
    const place = await thinking(13 * MINUTE + 5000);
    await place.pass(5 * MINUTE);
    await place.click(theo, "Stop");
    await place.pass(5000);
    expect(place.reads()).toEqual([`-# Stopped by <@${theo}>.`, "Stopped the answer to <@1180000000000000022>."]);
    isAtRest(place);
  });

  it("is complete once delivered: a late click changes nothing", async () => {
    const place = await thinking(14 * MINUTE);
    place.channel.answer(says("The story."));
    await place.pass(5000);
    const old = place.buttons()[0] ?? "";
    await place.click(theo, "Continue");
    await place.pass(5000);
    const requests = place.discord.log.length;
    const press = { applicationId: "1", token: "another", messageId: "" };
    expect(place.channel.resume({ turnId: old.replace("resume:", ""), press })).toEqual({ result: "complete" });
    expect(place.channel.resume({ turnId: "nobody's", press })).toEqual({ result: "forgotten" });
    await place.pass(5000);
    expect(place.discord.log.length).toBe(requests);
  });

  it("keeps its text if its parts were made with an expired token", async () => {
    const place = createAppHarness();
    await place.ask(theo, "a long story");
    const text = words(5000);
    place.channel.stream([{ kind: "text", text: text.slice(0, 3000) }]);
    await place.pass(13 * MINUTE + 5000);
    expect(place.reads().map((one) => one.length > 1000)).toEqual([true, true]);
    expect(place.reads()[1]).toMatch(/\[Stop Continue\]$/);
    place.channel.answer([{ kind: "text", text: text.slice(3000) }, ...says("").slice(1)]);
    await place.pass(60 * MINUTE);
    place.requests();
    await place.click(theo, "Continue");
    await place.pass(10_000);
    expect(place.reads().join("")).toBe(text);
    expect(place.requests()).toEqual([
      expect.stringMatching(/PATCH original → 200$/),
      expect.stringMatching(/POST token → 200$/),
      expect.stringMatching(/PATCH original → 200$/),
    ]);
    isAtRest(place);
  });
});

describe("a life that ends", () => {
  it("while the reply waits keeps the request to click, and the next life delivers the answer", async () => {
    const place = await thinking(13 * MINUTE + 5000);
    place.channel.crash();
    await place.pass(10_000);
    place.channel.answer(says("The story."));
    await place.pass(MINUTE);
    expect(place.reads()).toEqual([expect.stringContaining(waits("Continue"))]);
    place.channel.crash();
    await place.pass(60 * MINUTE);
    await place.click(theo, "Continue");
    await place.pass(10_000);
    expect(place.reads()).toEqual(["The story."]);
    isAtRest(place);
  });

  it("right after the click was stored still lets the rest be delivered", async () => {
    const place = await thinking(14 * MINUTE);
    place.channel.answer(says("The story."));
    await place.pass(60 * MINUTE);
    await place.click(theo, "Continue");
    place.channel.crash();
    await place.pass(10_000);
    expect(place.reads()).toEqual(["The story."]);
    isAtRest(place);
  });
});

it.each([
  ["the running turn", 1, [waits("Stop Continue"), "…"]],
  ["a waiting turn", 3, ["…", waits("Stop Continue")]],
])("a life that ends before %s could ask for a click leaves that to the next one", async (_, request, shown) => {
  const settings = { notices: "false", show_question: "false", ping_when_done: "never", channel_context: "0" };
  // If the bot is a member, it first checks whether it can reach the reply.
  const place = await thinking(MINUTE, { bot: true, settings, death: { request, when: "before" } });
  await place.ask(mira, "me too");
  await place.pass((request === 1 ? 12 : 13) * MINUTE + 10_000);
  expect(place.reads()).toEqual(shown);
  place.channel.answer(says("The story."));
  await place.pass(5000);
  place.channel.answer(says("You too."));
  await place.pass(5 * MINUTE);
  await place.click(mira, "Continue");
  await place.pass(5000);
  expect(place.reads()).toEqual(["The story.", "You too."]);
});

describe("a waiting turn", () => {
  it("asks for a click at 13 minutes, keeps its position, and is answered with the click's token", async () => {
    const place = await thinking(MINUTE);
    await place.ask(mira, "me too");
    await place.pass(13 * MINUTE + 5000);
    expect(place.reads()[1]).toBe(`-# Waiting: number 1 in the queue, after <@${theo}>.\n${waits("Stop Continue")}`);
    await place.click(mira, "Continue");
    await place.pass(10_000);
    expect(place.reads()[1]).toBe(`-# Waiting: number 1 in the queue, after <@${theo}>. [Stop]`);
    place.channel.answer(says("The story."));
    await place.pass(5000);
    place.channel.answer(says("You too."));
    await place.pass(5000);
    expect(place.reads()[1]).toBe("You too.");
  });
});

/** Lets Theo ask for a scene with these two. */
async function scene(options: AppHarnessOptions, before?: string): Promise<AppHarness> {
  const place = createAppHarness(options);
  if (before !== undefined) await place.ask(mira, before);
  const here = { kind: "command", channel: PLACES.general } as const;
  for (const name of ["Ada", "Bob"]) {
    const persona = { name, prompt: "You count." };
    await place.discord.interact({ ...here, as: mira, name: "persona", subcommand: "create", options: persona });
  }
  const wanted = { personas: "Ada, Bob", prompt: "Is it late?" };
  await place.discord.interact({ ...here, as: theo, name: "scene", options: wanted });
  return place;
}

it("a scene that has only its token ends before the token does, with what was said and the reason", async () => {
  const place = await scene({});
  await place.pass(14 * MINUTE);
  place.channel.stream([{ kind: "text", text: "It is" }]);
  await place.pass(2 * MINUTE);
  const [late, unheard] = [true, false].map((hasWords) => endingNotice({ kind: "turn_deadline" }, hasWords));
  expect(place.reads()).toEqual([`${say.scene(["Ada", "Bob"])}\n${unheard}`, `**Ada:** It is\n\n${late}`]);
  isAtRest(place);
});

it("a scene that has only its token and waits until the token ends does not begin, and says why", async () => {
  const place = await scene({}, "a long story");
  await place.pass(16 * MINUTE);
  const late = endingNotice({ kind: "turn_deadline" }, false);
  expect(place.reads()).toEqual([waits("Stop Continue"), `${say.scene(["Ada", "Bob"])}\n${late}`]);
  place.channel.answer(says("The story."));
  await place.pass(MINUTE);
  expect(place.channel.requests.length).toBe(1);
  isAtRest(place);
});

describe("where the bot is a member", () => {
  it("a turn continues with the bot's own token after fifteen minutes, and nobody must click", async () => {
    const place = await thinking(12 * MINUTE, { bot: true });
    place.requests();
    await place.pass(4 * MINUTE);
    expect(place.reads()).toEqual(["…"]);
    place.channel.answer(says("The story."));
    await place.pass(5000);
    expect(place.reads()).toEqual(["The story."]);
    expect(place.requests()).toEqual(["780 GET original → 200", "780 GET bot → 200", "960 PATCH bot → 200"]);
    isAtRest(place);
  });

  it("a dangerous call may be approved for ten minutes, even if the question's token ends earlier", async () => {
    const purge = tool("purge", () => ({ ok: true, data: "purged" }), DANGER);
    const place = await thinking(8 * MINUTE, { bot: true, tools: [purge] });
    place.channel.answer([end(["purge"])]);
    await place.pass(9 * MINUTE);
    await place.click(theo, "Approve");
    await place.pass(5000);
    place.channel.answer(says("Purged."));
    await place.pass(5000);
    expect(place.reads()[0]).toBe("Purged.");
    isAtRest(place);
  });

  it("a scene's header loses its Stop button even if the last turn ends after fifteen minutes", async () => {
    const place = createAppHarness({ bot: true });
    const here = { kind: "command", channel: PLACES.general } as const;
    const ada = { name: "Ada", prompt: "You count." };
    await place.discord.interact({ ...here, as: mira, name: "persona", subcommand: "create", options: ada });
    const scene = { personas: "Ada", prompt: "Is it late?" };
    await place.discord.interact({ ...here, as: theo, name: "scene", options: scene });
    await place.pass(16 * MINUTE);
    expect(place.reads()).toEqual([`${say.scene(["Ada"])} [Stop]`]);
    place.channel.answer(says("No."));
    await place.pass(5000);
    expect(place.reads()).toEqual([say.scene(["Ada"]), "**Ada:** No."]);
    isAtRest(place);
  });

  it.each([
    ["turns out not to be a member", { bot: true, isMember: false }],
    ["can't see a reply that only one person sees", { bot: true, forceEphemeral: true }],
  ])("a click is still needed if the bot %s", async (_, options) => {
    const place = await thinking(13 * MINUTE + 5000, options);
    expect(place.reads()).toEqual([waits("Stop Continue")]);
    place.channel.answer(says("The story."));
    await place.pass(5 * MINUTE);
    await place.click(theo, "Continue");
    await place.pass(5000);
    expect(place.reads()).toEqual(["The story."]);
  });

  it("a reply that only one person sees still waits for its click in a life that begins after the token's end", async () => {
    const place = await thinking(16 * MINUTE, { bot: true, forceEphemeral: true });
    place.channel.crash();
    await place.pass(10_000);
    place.channel.answer(says("The story."));
    await place.pass(MINUTE);
    expect(place.reads()).toEqual([waits("Stop Continue")]);
    await place.click(theo, "Continue");
    await place.pass(5000);
    expect(place.reads()).toEqual(["The story."]);
    isAtRest(place);
  });
});

describe("a click whose acknowledgement Discord did not get", () => {
  /** Makes Discord know only the tokens so far, and no new ones. Returns a function that ends this. */
  function forgetful({ discord }: AppHarness): () => void {
    const known = discord.log.map(({ path }) => path.split("/messages")[0] ?? "");
    let isDeaf = true;
    const isUnknown = (path: string) =>
      path.startsWith("/webhooks/") && !known.includes(path.split("/messages")[0] ?? "");
    const refusal = Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 });
    discord.failNext(999, refusal, ({ path }) => isDeaf && isUnknown(path));
    return () => {
      isDeaf = false;
    };
  }

  it("of Approve loses no answer: the next click brings it", async () => {
    const place = await thinking(1000, { tools: [tool("purge", async () => ({ ok: true, data: "gone" }), DANGER)] });
    place.channel.answer([end(["purge"])]);
    await place.pass(5000);
    const hears = forgetful(place);
    await place.click(theo, "Approve");
    await place.pass(MINUTE);
    place.channel.answer(says("Done."));
    await place.pass(MINUTE);
    hears();
    await place.click(theo, "Approve");
    await place.pass(5000);
    expect(place.reads().slice(0, 1)).toEqual(["Done."]);
    isAtRest(place);
  });

  it("of Continue loses no answer: the next click brings it", async () => {
    const place = await thinking(13 * MINUTE + 5000);
    place.channel.answer(says("The story."));
    await place.pass(5 * MINUTE);
    const hears = forgetful(place);
    await place.click(theo, "Continue");
    await place.pass(MINUTE);
    hears();
    await place.click(theo, "Continue");
    await place.pass(5000);
    expect(place.reads()).toEqual(["The story."]);
    isAtRest(place);
  });

  it("of Continue, while the answer is being written, only stops it until the next click", async () => {
    const place = await thinking(13 * MINUTE + 5000);
    const hears = forgetful(place);
    await place.click(theo, "Continue");
    place.channel.stream([{ kind: "text", text: "The story" }]);
    await place.pass(MINUTE);
    hears();
    expect(place.reads()).toEqual([waits("Stop Continue")]);
    await place.click(theo, "Continue");
    await place.pass(5000);
    expect(place.reads()).toEqual(["The story [Stop]"]);
    place.channel.answer(says(" begins."));
    await place.pass(5000);
    expect(place.reads()).toEqual(["The story begins."]);
    isAtRest(place);
  });
});
