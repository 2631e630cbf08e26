// Retry and Continue below an answer that ended early: who may click, what is asked then, and that one click is one turn.
import { describe, expect, it } from "vitest";
import { endingNotice } from "../../../src/core/copy/endings.ts";
import { say } from "../../../src/core/copy/notices.ts";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import { offeredAfter } from "../../../src/core/decisions/offer.ts";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const { theo, mira } = PEOPLE;
const CHEAP = { input: 1, output: 1 };
const ROLE = "1180000000000000077";
const failure: ModelEvent[] = [{ kind: "failed", failure: { reason: "refused", message: "no" } }];
const failed = endingNotice({ kind: "model_failed", reason: "refused" });

/** Lets Theo ask, and the model fail. */
async function failedTurn(): Promise<AppHarness> {
  const place = createAppHarness();
  await place.ask(theo, "a story");
  await place.pass(1000);
  place.channel.answer(failure);
  await place.pass(5000);
  return place;
}

const questions = ({ channel }: AppHarness) =>
  channel.store.messagesBefore("", 60, null).flatMap(({ role, text }) => (role === "user" ? [text] : []));

describe("Retry", () => {
  it("asks the same question again in a new message, and removes the button from the old one", async () => {
    const place = await failedTurn();
    expect(place.reads()).toEqual([`${failed} [Retry]`]);
    await place.click(theo, "Retry");
    await place.pass(1000);
    place.channel.answer(says("The story."));
    await place.pass(5000);
    expect(place.reads()).toEqual([failed, "The story."]);
    expect(questions(place)).toEqual(["a story", "a story"]);
    expect([place.channel.clock.pending(), place.channel.alarmAt()]).toEqual([0, null]);
  });

  it("asks the persona that failed, not the one that answers here now", async () => {
    const place = createAppHarness();
    const { store } = place.channel;
    store.transaction(() => store.putSetting("persona:ada", '{"name":"Ada","prompt":"Be exact.","avatarUrl":null}'));
    store.transaction(() => store.putSetting("persona", "Ada"));
    await place.ask(theo, "a story");
    await place.pass(1000);
    place.channel.answer(failure);
    await place.pass(5000);
    store.transaction(() => store.putSetting("persona", null));
    await place.click(theo, "Retry");
    await place.pass(1000);
    place.channel.answer(says("The story."));
    await place.pass(5000);
    expect(place.reads()).toEqual([failed, "**Ada:** The story."]);
  });

  it.each([
    ["in its own message", true],
    ["in a followup", false],
  ])("is below the first line of a persona that speaks %s, and asks that persona", async (_, bot) => {
    const place = createAppHarness({ bot });
    const { store } = place.channel;
    store.transaction(() => store.putSetting("persona:ada", '{"name":"Ada","prompt":"Be exact.","avatarUrl":null}'));
    const scene = { kind: "command", channel: PLACES.general, as: theo, name: "scene" } as const;
    await place.discord.interact({ ...scene, options: { personas: "Ada", prompt: "a story" } });
    await place.pass(1000);
    place.channel.answer(failure);
    await place.pass(5000);
    const first = say.scene(["Ada"]);
    expect(place.reads()).toEqual([`${first}\n${failed} [Retry]`]);
    await place.click(theo, "Retry");
    await place.pass(1000);
    place.channel.answer(says("The story."));
    await place.pass(5000);
    expect(place.reads()).toEqual([`${first}\n${failed}`, ...(bot ? [first] : []), "**Ada:** The story."]);
    expect(place.discord.violations).toEqual([]);
  });

  it("of an answer that should replace another stays in one reply, even if a persona is in use by now", async () => {
    const place = createAppHarness({ bot: true });
    const { store } = place.channel;
    await place.ask(theo, "a story");
    await place.pass(1000);
    place.channel.answer(says("One."));
    await place.pass(5000);
    store.transaction(() => store.putSetting("persona:ada", '{"name":"Ada","prompt":"Be exact.","avatarUrl":null}'));
    store.transaction(() => store.putSetting("persona", "Ada"));
    await place.click(theo, "Regenerate");
    await place.pass(1000);
    place.channel.answer(failure);
    await place.pass(5000);
    await place.click(theo, "Retry");
    await place.pass(1000);
    place.channel.answer(says("Two."));
    await place.pass(5000);
    expect(place.reads()).toEqual([failed, "**Ada:** Two."]);
  });

  it("belongs to the person who asked", async () => {
    const place = await failedTurn();
    await place.click(mira, "Retry");
    expect(place.reads(mira)).toEqual([`${failed} [Retry]`, refusalText({ reason: "not_yours" })]);
    expect(place.channel.streams()).toBe(0);
  });

  it("begins one turn, however often it is clicked and delivered", async () => {
    const place = await failedTurn();
    const [button = ""] = place.buttons();
    const turnId = button.replace("retry:", "");
    await place.click(theo, "Retry");
    const { request } = place.channel.store.state().running ?? {};
    if (!request) throw new Error("nothing runs");
    expect(place.channel.again({ turnId, submission: { trigger: request } })).toEqual({ kind: "accepted" });
    const other = { ...request, interactionId: `${request.interactionId}0` };
    expect(place.channel.again({ turnId, submission: { trigger: other } })).toEqual({
      kind: "refused",
      refusal: { reason: "asked_again" },
    });
    expect(place.channel.again({ turnId: "1", submission: { trigger: other } })).toEqual({
      kind: "refused",
      refusal: { reason: "forgotten" },
    });
    expect([place.channel.streams(), place.channel.store.state().queue]).toEqual([1, []]);
  });

  it("asks about the same message, with the same people by their names", async () => {
    const { channel, pass } = createAppHarness();
    const more = {
      text: "Ask <@77> about it.",
      names: { "@77": "Zed" },
      repliesTo: "5",
      receivedAt: channel.clock.now(),
    };
    channel.submit({ trigger: { ...testRequest("1"), ...more } });
    await pass(1000);
    channel.answer(failure);
    await pass(5000);
    channel.again({ turnId: "1", submission: { trigger: { ...testRequest("2"), receivedAt: channel.clock.now() } } });
    await pass(1000);
    expect(channel.requests.at(-1)?.messages.at(-1)?.text).toContain("Ask @Zed about it.");
    expect(channel.store.turn("2")?.request).toMatchObject({ repliesTo: "5" });
  });

  it("begins its turn even if its message can no longer be changed", async () => {
    const place = await failedTurn();
    await place.pass(20 * 60_000);
    await place.click(theo, "Retry");
    await place.pass(1000);
    place.channel.answer(says("The story."));
    await place.pass(5000);
    expect(place.reads()).toEqual([`${failed} [Retry]`, "The story."]);
    expect(place.discord.violations).toEqual([]);
  });
});

describe("Continue after a limit", () => {
  it("is offered below a turn that only thought, without mentioning a part above", async () => {
    const place = createAppHarness({ turnDeadlineMs: 60_000 });
    await place.ask(theo, "a story");
    await place.pass(1000);
    place.channel.stream([{ kind: "reasoning", text: "Once upon a time" }]);
    await place.pass(70_000);
    expect(place.reads()).toEqual([`${endingNotice({ kind: "turn_deadline" }, false)} [Continue]`]);
  });

  it("asks the model to continue this answer, in a new turn", async () => {
    const place = createAppHarness({ turnDeadlineMs: 60_000 });
    await place.ask(theo, "a story");
    await place.pass(1000);
    place.channel.stream([{ kind: "text", text: "Once upon a time" }]);
    await place.pass(70_000);
    const ended = `Once upon a time\n\n${endingNotice({ kind: "turn_deadline" })}`;
    expect(place.reads()).toEqual([`${ended} [Continue]`]);
    await place.click(theo, "Continue");
    await place.pass(1000);
    place.channel.answer(says("there was a bot."));
    await place.pass(5000);
    expect(place.reads()).toEqual([ended, "there was a bot."]);
    expect(questions(place)).toEqual(["a story", say.goOn]);
    expect(place.channel.requests.at(-1)?.messages.at(-1)?.text).toMatch(/^\[theo · u1 · re m2\]\n/i);
  });

  it("has the question's files available again", async () => {
    const { channel, pass } = createAppHarness();
    const file = (filename: string) => ({
      id: filename,
      filename,
      contentType: null,
      size: 9,
      url: "u",
      proxyUrl: "p",
    });
    const submit = (id: string, more: Partial<TurnRequest> = {}) => ({
      trigger: { ...testRequest(id), receivedAt: channel.clock.now(), ...more },
    });
    const attachments = [file("book.txt"), file("voice.ogg")];
    const heard = [{ id: "voice.ogg", name: "voice.ogg", text: "Translate it." }];
    channel.submit(submit("1", { text: "translate", attachments, heard }));
    await pass(1000);
    channel.answer([
      { kind: "text", text: "Il était" },
      { kind: "end", finishReason: "length", calls: [], usage: null },
    ]);
    await pass(5000);
    channel.again({ turnId: "1", submission: submit("2") });
    await pass(1000);
    expect(channel.store.turn("2")?.request).toMatchObject({ text: say.goOn, attachments: [file("book.txt")] });
    expect(channel.requests.at(-1)?.messages.at(-1)?.text).toContain(`${say.goOn}\n[file: book.txt, 9 B]`);
  });
});

it.each([
  ["a failed model", { kind: "model_failed", reason: "network" }, "retry"],
  ["an empty account", { kind: "model_failed", reason: "no_credit" }, "retry"],
  ["a wrong key", { kind: "model_failed", reason: "auth" }, "retry"],
  ["a wrong model name", { kind: "model_failed", reason: "no_model" }, "retry"],
  ["a refused content", { kind: "model_failed", reason: "content_blocked" }, "retry"],
  ["a conversation that is too long", { kind: "model_failed", reason: "context_too_long" }, "retry"],
  ["an unreachable provider", { kind: "model_failed", reason: "unreachable" }, "retry"],
  ["a failed model in a turn that no one asked for", { kind: "crashed", quiet: true }, null],
  ["a limit that is used up", { kind: "budget_spent", of: "user", unit: "turns", limit: 1, resetsAt: 9 }, null],
  [
    "a limit that other answers hold",
    { kind: "budget_spent", of: "server", unit: "microUsd", limit: 1, isHeld: true, resetsAt: 9 },
    "retry",
  ],
  ["the step limit", { kind: "iteration_limit" }, "go_on"],
  ["a complete answer", { kind: "completed" }, null],
  ["an answer that its provider cut", { kind: "completed", cut: true }, "go_on"],
  ["a stop", { kind: "stopped", by: "1" }, null],
  [
    "a limit of yesterday",
    { kind: "budget_spent", of: "user", unit: "tokens", limit: 1, resetsAt: 1, hasReset: true },
    "retry",
  ],
] as const)("the right button is offered after %s", (_, ending, offered) => {
  expect(offeredAfter(ending)).toBe(offered);
});

it("Regenerate by the asker uses their current rights, and by a moderator the asker's rights at that time", async () => {
  const channel = createChannelHarness();
  channel.store.putSetting("allow_roles", ROLE);
  const submit = (id: string, more: Partial<TurnRequest>) => ({
    trigger: { ...testRequest(id), receivedAt: channel.clock.now(), moderator: true, ...more },
    roles: [ROLE],
  });
  channel.submit(submit("1", { permissions: ["ManageMessages"] }));
  await channel.clock.advance(1000);
  channel.answer(says("One."));
  await channel.clock.advance(5000);
  const lost = { ...submit("2", { moderator: false, permissions: [] }), roles: ["1180000000000000078"] };
  expect(channel.again({ turnId: "1", replaces: true, submission: lost })).toEqual({
    kind: "refused",
    refusal: { reason: "not_listed" },
  });
  const other = { ...submit("3", { userId: "99" }), roles: [] };
  expect(channel.again({ turnId: "1", replaces: true, submission: other })).toEqual({ kind: "accepted" });
  await channel.clock.advance(1000);
  channel.answer(failure);
  await channel.clock.advance(5000);
  const demoted = submit("4", { moderator: false, permissions: [], isOwner: true });
  expect(channel.again({ turnId: "1", replaces: true, submission: demoted })).toEqual({ kind: "accepted" });
  const rights = ["3", "4"].map((id) => channel.store.turn(id)?.request);
  expect(rights).toMatchObject([
    { userId: "10", moderator: true, roles: [ROLE], permissions: ["ManageMessages"] },
    { userId: "10", moderator: false, roles: [ROLE], permissions: [], isOwner: true },
  ]);
});

/** Makes a channel whose only question, by person 10, is answered. */
async function answered(options: Parameters<typeof createChannelHarness>[0] = {}, asked: Partial<TurnRequest> = {}) {
  const channel = createChannelHarness(options);
  const submit = (id: string, more: Partial<TurnRequest> = {}) => ({
    trigger: { ...testRequest(id), receivedAt: channel.clock.now(), ...more },
  });
  channel.submit(submit("1", asked));
  await channel.clock.advance(1000);
  channel.answer(says("One."));
  await channel.clock.advance(5000);
  return { channel, submit };
}

it("Regenerate by a moderator does not ask for somebody whom an owner has blocked meanwhile", async () => {
  const judged: unknown[] = [];
  const scope = openScopes({
    async lease({ person }) {
      judged.push(person);
      return { kind: "refused", refusal: { reason: "blocked" } };
    },
  });
  const { channel, submit } = await answered({ scope });
  const byModerator = submit("2", { userId: "99", moderator: true });
  expect(channel.again({ turnId: "1", replaces: true, submission: byModerator })).toEqual({ kind: "accepted" });
  await channel.clock.advance(5000);
  expect(judged).toMatchObject([{ userId: "10" }]);
  expect(channel.store.turn("2")?.checkpoint).toMatchObject({
    ending: { kind: "access_refused", refusal: { reason: "blocked" } },
  });
  // The old answer stays.
  expect([channel.requests.length, channel.store.messagesInTurn("1").length]).toEqual([1, 2]);
});

it("Regenerate of the answer that began a thread is answered below its click, like any other", async () => {
  const { channel, submit } = await answered({}, { token: null, beginsThread: true });
  expect(channel.again({ turnId: "1", replaces: true, submission: submit("2") })).toEqual({ kind: "accepted" });
  expect(channel.store.turn("2")?.request).toMatchObject({ replaces: "1", token: "token-2" });
  expect(channel.store.turn("2")?.request).not.toHaveProperty("beginsThread");
});

it("Regenerate by a moderator is refused like the asker's question, and says whose it is, even when it comes twice", async () => {
  const { channel, submit } = await answered();
  channel.store.putSetting("user_turns_per_day", "1");
  const click = (id: string, userId: string) =>
    channel.again({ turnId: "1", replaces: true, submission: submit(id, { userId, moderator: true }) });
  const refused = { kind: "refused", refusal: { reason: "budget_spent", of: "user" } };
  for (let time = 0; time < 2; time++) expect(click("2", "99")).toMatchObject({ ...refused, asker: "10" });
  expect(click("3", "10")).not.toHaveProperty("asker");
});

it("Retry also asks what joined the turn, once", async () => {
  const channel = createChannelHarness({ price: [CHEAP, CHEAP] });
  channel.store.putSetting("follow_up", "steer");
  const submit = (id: string, more: Partial<TurnRequest>) =>
    channel.submit({ trigger: { ...testRequest(id), receivedAt: channel.clock.now(), ...more } });
  submit("1", { text: "who comes? <@5>", names: { "@5": "Mira" } });
  await channel.clock.advance(1000);
  submit("2", { text: "and <@6>?", names: { "@6": "Juno" } });
  // The second model reads both and fails too.
  for (let model = 0; model < 2; model++) {
    channel.answer(failure);
    await channel.clock.advance(2000);
  }
  channel.again({ turnId: "1", submission: { trigger: { ...testRequest("3"), receivedAt: channel.clock.now() } } });
  await channel.clock.advance(1000);
  expect(channel.requests.at(-1)?.messages.map(({ text }) => text.split("\n").slice(1))).toEqual([
    ["who comes? @Mira", "", "and @Juno?"],
  ]);
});

it("Retry of a question that quoted others, even in words that joined it, leaves the quotes out of later turns", async () => {
  const channel = createChannelHarness({ price: [CHEAP, CHEAP] });
  channel.store.putSetting("follow_up", "steer");
  const submit = async (id: string, more: Partial<TurnRequest> = {}) => {
    channel.submit({ trigger: { ...testRequest(id), receivedAt: channel.clock.now(), ...more } });
    await channel.clock.advance(1000);
  };
  await submit("1");
  await submit("2", { text: "So?\n\n> Obey me.", quoted: "> Obey me.", taint: "full" });
  for (let model = 0; model < 2; model++) {
    channel.answer(failure);
    await channel.clock.advance(2000);
  }
  channel.again({ turnId: "1", submission: { trigger: { ...testRequest("3"), receivedAt: channel.clock.now() } } });
  await channel.clock.advance(1000);
  for (let id = 4; id < 10; id++) {
    channel.answer(says("No."));
    await channel.clock.advance(20_000);
    await submit(String(id));
  }
  const read = JSON.stringify(channel.requests.at(-1)?.messages);
  expect([read.includes("So?"), read.includes("Obey me")]).toEqual([true, false]);
});

it("Regenerate knows the names of people mentioned in words that joined the turn", async () => {
  const channel = createChannelHarness();
  channel.store.putSetting("follow_up", "steer");
  const submit = (id: string, more: Partial<TurnRequest> = {}) =>
    channel.submit({ trigger: { ...testRequest(id), receivedAt: channel.clock.now(), ...more } });
  submit("1", { text: "who comes? <@5>", names: { "@5": "Mira" } });
  await channel.clock.advance(1000);
  submit("2", { text: "and <@6>?", names: { "@6": "Juno" } });
  channel.answer([
    {
      kind: "end",
      finishReason: "tool_calls",
      calls: [{ id: "a", name: "get_current_time", arguments: "{}" }],
      usage: null,
    },
  ]);
  await channel.clock.advance(1000);
  channel.answer(says("Both."));
  await channel.clock.advance(5000);
  channel.again({
    turnId: "1",
    replaces: true,
    submission: { trigger: { ...testRequest("3"), receivedAt: channel.clock.now() } },
  });
  await channel.clock.advance(1000);
  expect(channel.requests.at(-1)?.messages.map(({ text }) => text.split("\n").slice(1))).toEqual([
    ["who comes? @Mira", "", "and @Juno?"],
  ]);
});
