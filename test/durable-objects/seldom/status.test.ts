// `/bot status` while a turn runs: the step that it shows is the current one.
import { expect, it } from "vitest";
import { statusText } from "../../../src/core/copy/status.ts";
import { buildStatusReport } from "../../../src/core/decisions/status.ts";
import { channel, runningTurn } from "../../core/decisions/turns.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const DANGER = {
  category: "dangerous",
  hints: { readOnly: false, idempotent: false, destructive: true, openWorld: true },
} as const;

it.each([
  ["off", true],
  ["mention", false],
])("the status says whether messages are questions here: answer_to %s", (value, commandsOnly) => {
  const c = createChannelHarness();
  c.store.putSetting("answer_to", value);
  expect(c.status().commandsOnly).toBe(commandsOnly);
});

it("the status shows the current step: while its model writes, while its tools run, and after a wait for approval", async () => {
  let finish = () => {};
  const slow = async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return { ok: true, data: "done" } as const;
  };
  const c = createChannelHarness({ tools: [tool("slow", slow), tool("purge", slow, DANGER)] });
  const status = () =>
    statusText(buildStatusReport(c.store.state(), { viewerId: "10", maxIterations: 100, now: c.clock.now() })).split(
      "\n",
    )[0];
  const answer = async (name: string) => {
    c.answer([text("Well."), end([name])]);
    await c.drain();
  };
  c.submit({ trigger: { ...testRequest("1"), receivedAt: c.clock.now() } });
  await c.drain();
  expect(status()).toBe("Answering <@10> for 0 s: the model is writing, step 1 of 100.");
  await answer("slow");
  expect(status()).toBe("Answering <@10> for 0 s: using tools, step 1 of 100.");
  finish();
  await c.drain();
  expect(status()).toBe("Answering <@10> for 0 s: the model is writing, step 2 of 100.");
  await answer("purge");
  expect(status()).toBe("Nothing is running.");
  const by = { userId: "10", userName: "x", moderator: false };
  const press = { applicationId: "1", token: "token-p", messageId: "original-token-1" };
  c.approve({ interactionId: "p", turnId: "1", approved: true, ...by, press });
  await c.drain();
  expect(status()).toBe("Answering <@10> for 0 s: using tools, step 2 of 100.");
  finish();
  await c.drain();
  expect(status()).toBe("Answering <@10> for 0 s: the model is writing, step 3 of 100.");
});

it("the status shows the last step while the answer without tools is written", () => {
  const running = runningTurn("10", { iteration: 3 });
  const steps = [1, 3, 4, 9].map((maxIterations) => {
    const report = buildStatusReport(channel({ running }), { viewerId: "10", maxIterations, now: 0 });
    return report.running?.iteration;
  });
  expect(steps).toEqual([0, 2, 3, 3]);
});

it("the status shows how long the turn has run and may still run, and never a negative time", async () => {
  const c = createChannelHarness();
  c.submit({ trigger: { ...testRequest("1"), receivedAt: c.clock.now() } });
  await c.drain();
  await c.clock.advance(5000);
  const { running } = c.store.state();
  const times = (now: number) => {
    const report = buildStatusReport(c.store.state(), { viewerId: "10", maxIterations: 100, now });
    return [report.running?.elapsedMs, report.running?.deadlineInMs];
  };
  const deadlineAt = running?.deadlineAt ?? 0;
  expect(times(c.clock.now())).toEqual([5000, deadlineAt - c.clock.now()]);
  expect(times(deadlineAt + 1)[1]).toBe(0);
});
