// Retry and Continue while another turn of the same person runs or waits: a click asks an older question, which must not replace a newer one.
import { expect, it } from "vitest";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const deaf = tool("deaf", () => new Promise(() => {}));

/** Makes a channel in which one person asks, and asks the first question again. */
function place(mode: "interrupt" | "steer") {
  const c = createChannelHarness({ tools: [deaf], config: { maxIterations: 1 } });
  c.store.putSetting("follow_up", mode);
  const request = (id: string) => ({ ...testRequest(id), text: `words ${id}`, receivedAt: c.clock.now() });
  const ask = (id: string) => c.submit({ trigger: request(id) });
  const again = (id: string) => c.again({ turnId: "1", submission: { trigger: request(id) } });
  return { ...c, ask, again };
}

/** Lets the first question fail, and the model get the second one. */
async function failedThenAsked(mode: "interrupt" | "steer") {
  const c = place(mode);
  c.ask("1");
  await c.drain();
  c.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
  await c.clock.advance(3000);
  c.ask("2");
  await c.drain();
  return c;
}

it.each(["interrupt", "steer"] as const)(
  "Retry neither ends nor joins the answer to a newer question (%s)",
  async (mode) => {
    const c = await failedThenAsked(mode);
    c.stream([text("Half")]);
    await c.clock.advance(2000);
    c.again("3");
    await c.clock.advance(2000);
    expect(c.store.state().running?.id).toBe("2");
    c.answer([text(" and half."), end()]);
    await c.clock.advance(3000);
    c.answer([text("Three."), end()]);
    await c.clock.advance(3000);
    expect([...c.shown().values()].slice(1)).toEqual(["Half and half.", "Three."]);
  },
);

it("Retry does not replace a waiting question", async () => {
  const c = await failedThenAsked("interrupt");
  c.answer([end(["deaf"])]);
  await c.clock.advance(2000);
  c.ask("3");
  c.again("4");
  expect(c.store.state().queue.map(({ id }) => id)).toEqual(["3", "4"]);
});

it("Continue does not join the answer to a newer question", async () => {
  const c = place("steer");
  c.ask("1");
  await c.drain();
  c.answer([end(["nothing"])]);
  await c.clock.advance(3000);
  c.ask("2");
  await c.drain();
  c.again("3");
  c.answer([text("Two."), end()]);
  await c.clock.advance(3000);
  expect(c.store.turn("3")).toMatchObject({ state: "running", steers: null });
  expect(c.store.turn("3")?.events.find(({ what }) => what === "admitted")?.detail).toBe("back");
});
