// An effect happens once per turn, however often and in whatever words a model asks for it: the runtime's ledger over the
// channel's storage, through the loop.
import { describe, expect, it } from "vitest";
import { createTurnHarness } from "../support/turn-harness.ts";
import { calls, EFFECT, end, fails, says, tool } from "../support/turn-script.ts";

/** A tool that pays, and how often it did. */
function paying(over: object = {}) {
  const paid: unknown[] = [];
  const pay = tool("pay", ({ callId }) => ({ ok: true, data: paid.push(callId) }), { ...EFFECT, ...over });
  return { pay, paid };
}
const BROKEN = [fails("overloaded"), fails("overloaded"), fails("overloaded")] as const;
const read = (w: ReturnType<typeof createTurnHarness>) =>
  (w.requests.at(-1)?.messages ?? []).flatMap((one) => (one.role === "tool" ? [JSON.parse(one.text)] : []));

describe("an effect requested by an earlier model", () => {
  it("is not caused again by the same arguments in other words", async () => {
    const { pay, paid } = paying();
    const w = createTurnHarness({
      models: [
        [calls(["pay", { note: "5" }]), ...BROKEN],
        [calls(["PAY", { note: 5 }]), says("Done.")],
      ],
      tools: [pay],
    });
    expect(await w.end(10_000)).toMatchObject({ status: "completed", text: "Done." });
    expect([paid.length, read(w)]).toEqual([1, [{ data: 1, warnings: ["note: took 5 for string"] }]]);
  });

  it("is caused by a call that can run, if the earlier call never ran", async () => {
    const { pay, paid } = paying();
    const w = createTurnHarness({
      models: [
        [[end(["pay"], "length")], ...BROKEN],
        [calls("pay"), says("Done.")],
      ],
      tools: [pay],
    });
    expect(await w.end(10_000)).toMatchObject({ status: "completed" });
    expect([paid.length, read(w)]).toEqual([1, [1]]);
  });
});

it("an effect with its own key is found by that key, and no other effect may use the key", async () => {
  const { pay, paid } = paying({ idempotencyKey: () => "invoice 7" });
  const w = createTurnHarness({
    models: [[calls("pay"), calls("pay"), calls(["pay", { note: "b" }]), says("Done.")]],
    tools: [pay],
  });
  expect(await w.end()).toMatchObject({ status: "completed" });
  const conflict = expect.stringContaining("belongs to another call") as unknown;
  expect([paid.length, read(w)]).toEqual([
    1,
    [1, 1, { status: "tool_execution_failed", reason: conflict, tool_name: "pay" }],
  ]);
  expect(w.channel.ledgerRowByKey("tool:pay:invoice 7")).toMatchObject({ turnId: "t1", tool: "pay" });
});
