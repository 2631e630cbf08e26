// What a turn's timeline says about its models and about what others wrote.
import { expect, it } from "vitest";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { EFFECT, end, text, tool } from "../../support/turn-script.ts";

const PRICE = { input: 1, output: 1 };

it("names the next model by its position in the list", async () => {
  const channel = createChannelHarness({ price: [PRICE, PRICE] });
  channel.submit({ trigger: testRequest("1") });
  await channel.drain();
  channel.answer([{ kind: "failed", failure: { reason: "auth", message: "no key" } }]);
  await channel.clock.advance(10_000);
  channel.answer([text("Well."), end()]);
  await channel.clock.advance(10_000);
  const events = channel.store.turn("1")?.events ?? [];
  expect(events.filter(({ what }) => what === "fallback").map(({ detail }) => detail)).toEqual(["model 2"]);
});

it("drops a failed model's pictures with its answers, and keeps a tool's pictures", async () => {
  const made = (name: string) => ({ name, type: "image/png", data: new Uint8Array([1, 2]) });
  const paint = tool("paint", () => ({ ok: true, data: 1, files: [made("painting.png")] }), EFFECT);
  const channel = createChannelHarness({ price: [PRICE, PRICE], tools: [paint] });
  const names = () => channel.store.files("1").map(({ name }) => name);
  channel.submit({ trigger: testRequest("1") });
  await channel.drain();
  channel.answer([{ ...end([["paint", {}]]), files: [made("picture-1.png")] } as ModelEvent]);
  await channel.clock.advance(10);
  expect(names()).toEqual(["picture-1.png", "painting.png"]);
  channel.answer([{ kind: "failed", failure: { reason: "auth", message: "no key" } }]);
  await channel.clock.advance(10);
  expect([channel.store.turn("1")?.modelIndex, names()]).toEqual([1, ["painting.png"]]);
});

it("says once, before the first model call, that others' words are in the question", async () => {
  const look = tool("look", () => ({ ok: true, data: 1 }));
  const channel = createChannelHarness({ tools: [look] });
  const said = () => (channel.store.turn("1")?.events ?? []).filter(({ what }) => what === "tainted").length;
  channel.submit({ trigger: { ...testRequest("1"), taint: "full" } });
  await channel.drain();
  expect(said()).toBe(1);
  channel.answer([end([["look", {}]])]);
  await channel.clock.advance(10);
  channel.answer([text("Well."), end()]);
  await channel.clock.advance(10_000);
  expect(said()).toBe(1);
});

it("takes in only as many quoted words as its row has room for; a message with more is answered after it", async () => {
  const look = tool("look", () => ({ ok: true, data: 1 }));
  const config = { maxQueueLength: 20, maxQueuedPerUser: 20 };
  const channel = createChannelHarness({ tools: [look], config });
  channel.store.putSetting("follow_up", "steer");
  channel.store.putSetting("turns_per_minute", "0");
  channel.submit({ trigger: testRequest("1") });
  await channel.drain();
  const joining = Array.from({ length: 12 }, (_, n) => String(10 + n));
  for (const id of joining) {
    const quoted = `> ${"\u6f22".repeat(40_000)}`;
    const trigger = { ...testRequest(id), text: `and this\n\n${quoted}`, quoted, taint: "full" as const };
    channel.submit({ trigger });
  }
  channel.answer([end([["look", {}]])]);
  for (let answers = 0; answers < 13; answers++) {
    await channel.clock.advance(5000);
    channel.answer([text("Well."), end()]);
  }
  await channel.clock.advance(10_000);
  const ended = ["1", ...joining].map((id) => channel.store.turn(id)?.status);
  expect(ended).toEqual(["completed", "steered", "steered", ...joining.slice(2).map(() => "completed")]);
});
