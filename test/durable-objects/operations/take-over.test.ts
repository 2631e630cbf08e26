// A turn during which the object's life ends again and again: it continues as long as each life gets further.
import { expect, it } from "vitest";
import { MAX_TAKEOVERS, MAX_TAKEOVERS_WITHOUT_PROGRESS } from "../../../src/core/limits.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, says, tool } from "../../support/turn-script.ts";

const moment = (c: ChannelHarness) => c.clock.advance(5000);

/** Makes a channel whose turn is running. */
async function running(): Promise<ChannelHarness> {
  const c = createChannelHarness({ tools: [tool("look", () => ({ ok: true, data: "seen" }))] });
  c.submit({ trigger: { ...testRequest("1"), receivedAt: c.clock.now() } });
  await moment(c);
  return c;
}

/** Ends the life, and lets the next one take the turn over. */
async function dies(c: ChannelHarness): Promise<void> {
  c.crash();
  c.runAlarm();
  await moment(c);
}

it("a turn continues after each death that follows at least one more answer and call result", async () => {
  const c = await running();
  const epochs = [c.store.lock().epoch];
  for (let death = 1; death < MAX_TAKEOVERS; death++) {
    expect(c.answer([end([["look", { note: String(death) }]])])).toBe(true);
    await moment(c);
    await dies(c);
    epochs.push(c.store.lock().epoch);
  }
  // No life's fence equals that of an earlier one, which may still try to write.
  expect(epochs).toEqual([...new Set(epochs)].toSorted((a, b) => a - b));
  c.answer(says("All seen."));
  await moment(c);
  expect(c.store.turn("1")).toMatchObject({ status: "completed", takeovers: MAX_TAKEOVERS - 1 });
});

it("a turn that gets no further ends soon, however far it got before", async () => {
  const c = await running();
  c.answer([end([["look", { note: "once" }]])]);
  await moment(c);
  for (let death = 0; death <= MAX_TAKEOVERS_WITHOUT_PROGRESS; death++) {
    expect(c.store.turn("1")?.state).toBe("running");
    await dies(c);
  }
  expect(c.store.turn("1")).toMatchObject({ state: "finished", status: "error" });
});
