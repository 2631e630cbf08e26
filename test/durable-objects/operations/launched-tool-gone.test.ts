// A call that an earlier life launched, in a life in which its tool has gone or changed: its server is down, lists other tools or is no longer
// configured.
import { expect, it } from "vitest";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { EFFECT, end, tool } from "../../support/turn-script.ts";

it.each<[string, Partial<Tool> | null]>([
  ["has gone", null],
  ["needs approval", { category: "dangerous" }],
  ["has no right to run", { requires: { permissions: ["PIN_MESSAGES"] } }],
])("its outcome is unknown, also if the tool %s, and nobody is asked", async (_, change) => {
  let ran = 0;
  const send = (more: Partial<Tool> = {}) => tool("send", () => new Promise(() => ran++), { ...EFFECT, ...more });
  let offered = [send()];
  const c = createChannelHarness({ turnRegistry: async () => createToolRegistry(offered) });
  c.submit({ trigger: { ...testRequest("1", "10"), receivedAt: c.clock.now() } });
  await c.clock.advance(5000);
  c.answer([end([["send", { note: "hello" }]])]);
  await c.clock.advance(5000);
  offered = change ? [send(change)] : [];
  c.crash();
  await c.clock.advance(10_000);
  c.runAlarm();
  await c.clock.advance(5000);
  const [result = ""] = (c.requests.at(-1)?.messages ?? []).flatMap((one) => (one.role === "tool" ? [one.text] : []));
  expect([c.store.turn("1")?.state, ran, c.requests.length]).toEqual(["running", 1, 2]);
  expect(result).toContain("outcome unknown");
});
