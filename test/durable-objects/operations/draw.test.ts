// The price of a picture: checked against the limits across channels before it is drawn, and counted once, whatever dies.
import { describe, expect, it } from "vitest";
import { DEPLOYMENT } from "../../../src/core/access/scope-copy.ts";
import { spentText } from "../../../src/core/copy/budgets.ts";
import type { MadePicture } from "../../../src/core/state/media.ts";
import { generateImage } from "../../../src/tools/generate-image.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { createScopeHarness, type ScopeHarness } from "../../support/scope-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const PRICE = 40_000;
const PICTURE: MadePicture = { ok: true, type: "image/jpeg", data: new Uint8Array([1]), microUsd: PRICE };
const draws = (...prompts: string[]): ModelEvent[] => [
  {
    kind: "end",
    finishReason: "tool_calls",
    calls: prompts.map((prompt, n) => ({ id: `c${n}`, name: "generate_image", arguments: JSON.stringify({ prompt }) })),
    usage: { inputTokens: 10, outputTokens: 5, costMicroUsd: 0 },
  },
];
const done: ModelEvent[] = [
  { kind: "text", text: "Here." },
  { kind: "end", finishReason: "stop", calls: [], usage: { inputTokens: 10, outputTokens: 5, costMicroUsd: 0 } },
];

/** Makes a deployment that may spend this many micro-dollars a day. */
function deployment(microUsdPerDay: number): ScopeHarness {
  const scopes = createScopeHarness(["1"]);
  scopes.moneyLimits = { microUsdPerDay, microUsdPerMonth: 0 };
  return scopes;
}

/** Makes a channel whose pictures have a price, in a turn that has called its model. */
async function channelOf(
  scopes: ScopeHarness,
  draw: () => MadePicture | Promise<MadePicture> = () => PICTURE,
  turnId = "1",
  more: object = {},
) {
  const asked: string[] = [];
  const drawPicture = async (prompt: string) => {
    asked.push(prompt);
    return draw();
  };
  const imageModel = {
    id: "i",
    model: "i",
    baseUrl: "",
    apiKey: null,
    toolMode: "none",
    unitPrice: PRICE / 1e6,
    ...more,
  };
  const c = createChannelHarness({
    tools: [generateImage],
    media: { drawPicture },
    scope: scopes.scope,
    config: { imageModel: imageModel as never },
  });
  await ask(c, turnId);
  return { c, asked };
}
async function ask(c: ChannelHarness, id: string) {
  const trigger = { ...testRequest(id), guildId: "77", botIsHere: true, text: "draw", receivedAt: c.clock.now() };
  c.submit({ trigger, scope: { settings: {}, isLimited: true } });
  await c.clock.advance(100);
}
async function answer(c: ChannelHarness, events: ModelEvent[]) {
  c.answer(events);
  await c.clock.advance(2000);
}
const costs = (c: ChannelHarness) => c.store.turn("1")?.usage.microUsd ?? 0;
const read = (c: ChannelHarness) =>
  (c.requests.at(-1)?.messages ?? []).flatMap(({ role, text }) => (role === "tool" ? [text] : []));
const counted = async (scopes: ScopeHarness) => {
  const answer = await scopes.scope(DEPLOYMENT).own({ op: "servers" });
  return answer.op === "servers" ? answer.servers.map(({ month }) => month?.microUsd) : null;
};

describe("a picture under a limit of the whole deployment", () => {
  it("is not drawn if what is left would not pay for it, and the model reads why", async () => {
    const { c, asked } = await channelOf(deployment(PRICE - 1));
    await answer(c, draws("a cat"));
    expect([asked, costs(c)]).toEqual([[], 0]);
    expect(read(c)[0]).toContain("not enough for a picture");
  });

  it("is not drawn if nothing is left, and the model reads which limit is reached", async () => {
    const limit = { of: "deployment", unit: "microUsd", limit: PRICE, resetsAt: Number.MAX_SAFE_INTEGER } as const;
    const scopes = deployment(PRICE);
    const { scope } = scopes;
    const [allowance, until] = [{ tokens: null, microUsd: 10 }, Number.MAX_SAFE_INTEGER];
    scopes.scope = (name) => ({
      ...scope(name),
      lease: async ({ estimate }) =>
        estimate.microUsd < PRICE ? { kind: "granted", allowance, until } : { kind: "spent", limit },
    });
    const { c, asked } = await channelOf(scopes);
    await answer(c, draws("a cat"));
    expect([asked, costs(c)]).toEqual([[], 0]);
    expect(read(c)[0]).toContain(spentText(limit));
  });

  it("is drawn once if two channels want one and only one can be paid", async () => {
    const scopes = deployment(PRICE + PRICE / 2);
    const [one, other] = [await channelOf(scopes), await channelOf(scopes, () => PICTURE, "2")];
    for (const { c } of [one, other]) await answer(c, draws("a cat"));
    expect([one.asked, other.asked]).toEqual([["a cat"], []]);
  });

  it("is counted before the next one is asked for", async () => {
    const { c, asked } = await channelOf(deployment(2 * PRICE + PRICE / 2));
    await answer(c, draws("a cat", "a dog", "a hen"));
    expect([asked, costs(c)]).toEqual([["a cat", "a dog"], 2 * PRICE]);
  });
});

describe("the price of a picture", () => {
  const free = () => deployment(0);

  it("is the provider's if it reports one", async () => {
    const { c } = await channelOf(free(), () => ({ ...PICTURE, microUsd: 55_000 }));
    await answer(c, draws("a cat"));
    expect(costs(c)).toBe(55_000);
  });

  const fault = ["a tool failed"];
  it.each<[string, Extract<MadePicture, { ok: false }>, number, string[]]>([
    ["counts nothing if it was refused, which is not an error", { ok: false, error: "no", isBlocked: true }, 0, []],
    ["counts nothing if it failed, which is an error", { ok: false, error: "no" }, 0, fault],
    ["counts if it may have been drawn all the same", { ok: false, error: "late", mayCost: true }, PRICE, fault],
  ])("%s", async (_, failure, expected, errors) => {
    const { c } = await channelOf(free(), () => failure);
    await answer(c, draws("a cat"));
    expect([costs(c), c.errors]).toEqual([expected, errors]);
  });

  it("counts once if the life ends while it is drawn, and reaches the scope with the turn", async () => {
    const scopes = free();
    const { c, asked } = await channelOf(scopes, () => new Promise(() => {}));
    await answer(c, draws("a cat"));
    expect(costs(c)).toBe(PRICE);
    c.crash();
    c.runAlarm();
    await c.clock.advance(60_000);
    await answer(c, done);
    await c.clock.advance(10_000);
    expect([asked, costs(c), await counted(scopes)]).toEqual([["a cat"], PRICE, [PRICE]]);
  });
});

it("a model that is only for some servers draws in no other", async () => {
  const inServers = async (...onlyServers: string[]) => {
    const { c, asked } = await channelOf(deployment(0), () => PICTURE, "1", { onlyServers });
    await answer(c, draws("a cat"));
    return asked;
  };
  expect([await inServers("78"), await inServers("77")]).toEqual([[], ["a cat"]]);
});
