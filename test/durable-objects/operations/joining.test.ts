// Which messages join their person's running answer (`follow_up` = `steer`), and which wait for an answer of their own.
import { expect, it } from "vitest";
import type { WantedSpeakers } from "../../../src/core/state/scene.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const look = tool("look", () => ({ ok: true, data: "seen" }));

/** Makes a channel with two personas, in which messages join. */
function place() {
  const channel = createChannelHarness({ tools: [look] });
  const { store } = channel;
  store.putSetting("follow_up", "steer");
  for (const name of ["Ada", "Bob"])
    store.putSetting(`persona:${name.toLowerCase()}`, JSON.stringify({ name, prompt: "Be exact.", avatarUrl: null }));
  const ask = (id: string, speakers: WantedSpeakers = {}) =>
    channel.submit({ trigger: { ...testRequest(id), text: `words ${id}`, receivedAt: channel.clock.now() }, speakers });
  return { ...channel, ask };
}

it.each<[what: string, running: WantedSpeakers, next: WantedSpeakers, joins: boolean]>([
  ["a message to nobody in particular joins the answer of a persona", { persona: "Ada" }, {}, true],
  ["a message to the persona that answers joins its answer", { persona: "Ada" }, { persona: "ada" }, true],
  ["a message to a persona waits while another one answers", { persona: "Ada" }, { persona: "Bob" }, false],
  ["a message to a persona waits while the bot answers as itself", {}, { persona: "Bob" }, false],
  ["a scene waits, even with only one speaker", {}, { scene: ["Ada"] }, false],
])("%s", async (_, running, next, joins) => {
  const c = place();
  c.ask("1", running);
  await c.drain();
  c.ask("2", next);
  c.answer([end(["look"])]);
  await c.clock.advance(2000);
  c.answer([text("Done."), end()]);
  await c.clock.advance(5000);
  expect(c.store.turn("2")?.state).toBe(joins ? "finished" : "running");
  const [asked] = [next.persona, next.scene?.[0]].filter((name) => name !== undefined);
  if (!joins) expect(c.requests.at(-1)?.system).toContain(`You speak as ${asked}`);
});

it("messages are answered in order, even those that come after one of them has begun a turn of its own", async () => {
  const c = place();
  const questions = () =>
    c.requests.at(-1)?.messages.flatMap(({ role, text: said }) => (role === "user" ? [said] : []));
  c.ask("1");
  await c.drain();
  for (const id of ["2", "3"]) c.ask(id);
  c.answer([text("One."), end()]);
  await c.clock.advance(2000);
  c.ask("4");
  c.answer([end(["look"])]);
  await c.clock.advance(2000);
  for (const words of ["Two.", "Three.", "Four."]) {
    c.answer([text(words), end()]);
    await c.clock.advance(2000);
  }
  expect(questions()?.map((said) => said.split("\n")[1])).toEqual(["words 1", "words 2", "words 3", "words 4"]);
  expect([...c.shown().values()]).toEqual(["One.", "Two.", "Three.", "Four."]);
});
