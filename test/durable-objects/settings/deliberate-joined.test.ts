// Deliberate mode and messages that join a running turn (`follow_up` = `steer`): their words ask for tools too.
import { expect, it } from "vitest";
import { withQuotes } from "../../../durable-objects/hearing/question-words.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const named = (name: string) => tool(name, () => ({ ok: true, data: 1 }), { triggers: { phrases: [name] } });

/** Makes a channel with the mode on and this window, in which a question that asks for alpha is running. */
async function place(window = {}) {
  const channel = createChannelHarness({ tools: [named("alpha"), named("beta"), named("gamma")] });
  channel.store.putSetting("follow_up", "steer");
  channel.deliberate({ interactionId: "1", userId: "7", change: { what: "mode", on: true } });
  const submit = async (id: string, words: string, quoted = "") => {
    const request = { ...testRequest(id, "7"), receivedAt: channel.clock.now() };
    channel.submit({ trigger: { ...request, ...withQuotes(words, quoted) } });
    await channel.clock.advance(1);
  };
  const calls = async (name: string) => {
    channel.answer([end([name])]);
    await channel.clock.advance(1);
  };
  const offered = () => channel.requests.at(-1)?.tools.map(({ name }) => name);
  channel.store.saveLock({ ...channel.store.lock(), window });
  await submit("100", "alpha, please");
  return { channel, submit, calls, offered };
}

it("offers the tool that a joining message asks for, beginning with the request that contains it, and lets the tool run", async () => {
  const { channel, submit, calls, offered } = await place();
  await submit("101", "and beta");
  expect(offered()).toEqual(["alpha"]);
  await calls("alpha");
  expect(offered()).toEqual(["alpha", "beta"]);
  channel.crash();
  channel.runAlarm();
  await channel.clock.advance(1);
  expect(offered()).toEqual(["alpha", "beta"]);
  await calls("beta");
  expect(channel.requests.at(-1)?.messages.findLast(({ role }) => role === "tool")?.text).toBe("1");
  channel.answer([text("Done."), end()]);
  await channel.clock.advance(10_000);
  await submit("102", "hm");
  expect(offered()).toEqual(["alpha", "beta"]);
});

it("ignores what a joining message quotes, and counts the window down only for the question", async () => {
  const { channel, submit, calls, offered } = await place({ beta: 3 });
  await submit("101", "thanks", "> gamma");
  await calls("alpha");
  expect(offered()).toEqual(["alpha", "beta"]);
  channel.answer([text("Done."), end()]);
  await channel.clock.advance(10_000);
  expect(channel.store.lock().window).toEqual({ alpha: 4, beta: 2 });
});
