// Which endings the owners must know about, and that no turn depends on notifying them.
import { expect, it } from "vitest";
import { alertAbout } from "../../../durable-objects/scope-calls/tell-owners.ts";
import type { OwnerAlert } from "../../../src/core/access/scope-rpc.ts";
import type { Ending, ModelFailureReason } from "../../../src/core/state/ending.ts";
import { generateImage } from "../../../src/tools/generate-image.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";

const limit = { unit: "microUsd", limit: 5, resetsAt: 9 } as const;

it.each<[Ending, Omit<OwnerAlert, "channelId"> | null]>([
  [{ kind: "model_failed", reason: "no_credit" }, { kind: "no_credit" }],
  [{ kind: "model_failed", reason: "auth" }, { kind: "auth" }],
  [{ kind: "model_failed", reason: "no_model" }, { kind: "no_model" }],
  [{ kind: "model_failed", reason: "unreachable" }, { kind: "unreachable" }],
  [{ kind: "model_failed", reason: "rate_limited" }, null],
  [{ kind: "budget_spent", of: "deployment", ...limit }, { kind: "day_spent", limit: 5, resetsAt: 9 } as OwnerAlert],
  [
    { kind: "budget_spent", of: "deployment", per: "month", ...limit },
    { kind: "month_spent", limit: 5, resetsAt: 9 } as OwnerAlert,
  ],
  [{ kind: "budget_spent", of: "deployment", isHeld: true, ...limit }, null],
  [{ kind: "budget_spent", of: "server", ...limit }, null],
  [{ kind: "completed" }, null],
  [{ kind: "crashed" }, null],
])("after the ending %j the owners read %j", (ending, alert) => {
  expect(alertAbout(ending, "500")).toEqual(alert && { ...alert, channelId: "500" });
});

async function fail(reason: ModelFailureReason, alert: (alert: OwnerAlert) => Promise<void>) {
  const names: string[] = [];
  const scope: ReturnType<typeof openScopes> = (name) => {
    names.push(name);
    return openScopes({ alert })(name);
  };
  const channel = createChannelHarness({ scope });
  channel.submit({ trigger: testRequest("100", "7") });
  await channel.drain();
  channel.answer([{ kind: "failed", failure: { reason, message: "no" } }]);
  await channel.clock.advance(1000);
  return { names, state: channel.store.turn("100")?.state, errors: channel.errors };
}

it("the deployment's scope is notified of a turn that ended like this", async () => {
  const alerts: OwnerAlert[] = [];
  const { names } = await fail("no_credit", async (alert) => void alerts.push(alert));
  expect(alerts).toEqual([{ kind: "no_credit", channelId: testRequest("100", "7").channelId }]);
  expect(new Set(names)).toContain("deployment");
});

const price = { input: 1, output: 1 };
const NEXT = { price: [price, price] } as const;

it.each<[string, ModelFailureReason, OwnerAlert["kind"] | null, object, number]>([
  ["has no credit", "no_credit", "no_credit", NEXT, 1],
  ["was busy", "refused", null, NEXT, 1],
  ["is gone and was replaced", "no_model", "no_model", { successors: 1 }, 0],
])("an answer by the next model because the first %s is reported too", async (_, reason, kind, models, modelIndex) => {
  const alerts: OwnerAlert[] = [];
  const scope = openScopes({ alert: async (alert) => void alerts.push(alert) });
  const channel = createChannelHarness({ scope, ...models });
  channel.submit({ trigger: testRequest("100", "7") });
  await channel.drain();
  channel.answer([{ kind: "failed", failure: { reason, message: "no" } }]);
  await channel.clock.advance(1000);
  channel.answer([
    { kind: "text", text: "Yes." },
    { kind: "end", finishReason: "stop", calls: [], usage: null },
  ]);
  await channel.clock.advance(5000);
  const { channelId } = testRequest("100", "7");
  expect(channel.store.turn("100")).toMatchObject({ status: "completed", modelIndex });
  expect(alerts).toEqual(kind === null ? [] : [{ kind, channelId, isAnswered: true }]);
});

it.each<[ModelFailureReason, number]>([
  ["no_credit", 1],
  ["rate_limited", 0],
])(
  "a model that draws or listens and fails with %s is reported to the owners %i times, for each model",
  async (reason, times) => {
    const failed = { model: "helper", reason, message: "no" };
    const alerts: OwnerAlert[] = [];
    const channel = createChannelHarness({
      scope: openScopes({ alert: async (alert) => void alerts.push(alert) }),
      tools: [generateImage],
      media: {
        listen: async () => ({ ok: false, error: "no", failed }),
        drawPicture: async () => ({ ok: false, error: "no", failed }),
      },
    });
    const file = { contentType: "audio/ogg", size: 9, url: "https://cdn.discordapp.com/1", proxyUrl: "" };
    const attachments = [{ id: "1", filename: "1.ogg", ...file }];
    channel.submit({ trigger: { ...testRequest("100", "7"), receivedAt: channel.clock.now(), attachments } });
    await channel.clock.advance(1000);
    const call = { id: "c", name: "generate_image", arguments: '{"prompt":"a cat"}' };
    channel.answer([{ kind: "end", finishReason: "tool_calls", calls: [call], usage: null }]);
    await channel.clock.advance(1000);
    const alert = { kind: reason, channelId: testRequest("100", "7").channelId, isAnswered: true };
    const drawn = Array<object>(times).fill(alert);
    expect(alerts).toEqual(drawn);
    channel.answer([
      { kind: "text", text: "Sorry." },
      { kind: "end", finishReason: "stop", calls: [], usage: null },
    ]);
    await channel.clock.advance(5000);
    expect(alerts).toEqual([...drawn, ...drawn]);
  },
);

it("the turn ends all the same while the scope does not answer, or can't be reached", async () => {
  const waiting = await fail("auth", () => new Promise(() => {}));
  const lost = await fail("auth", () => Promise.reject(new Error("down")));
  expect([waiting.state, waiting.errors]).toEqual(["finished", ["model call failed", "a turn failed"]]);
  expect([lost.state, lost.errors]).toEqual([
    "finished",
    ["model call failed", "a turn failed", "the owners were not notified"],
  ]);
});
