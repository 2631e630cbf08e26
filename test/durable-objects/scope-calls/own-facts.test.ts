// Facts that belong to a person: they come with that person's questions in every channel of the server, with nobody else's, and a scope
// that does not answer delays no turn.
import { expect, it } from "vitest";
import type { PersonAnswer, PersonRequest } from "../../../src/core/access/person-rpc.ts";
import { forget } from "../../../src/tools/forget.ts";
import { remember } from "../../../src/tools/remember.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { createScopeHarness, type ScopeHarness } from "../../support/scope-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const SERVER = "guild:77";
const calls = (name: string, args: object): ModelEvent[] => [
  { kind: "end", finishReason: "tool_calls", calls: [{ id: "a", name, arguments: JSON.stringify(args) }], usage: null },
];

/** Asks a question with what its endpoint knows about the server, up to the request to the model. */
async function asks(c: ChannelHarness, id: string, userId: string, withFacts: readonly string[], ms = 100) {
  const trigger = { ...testRequest(id, userId), guildId: "77", receivedAt: c.clock.now() };
  c.submit({ trigger, scope: { settings: {}, isLimited: false, withFacts } });
  await c.clock.advance(ms);
}
const sent = (c: ChannelHarness) => JSON.stringify(c.requests.at(-1)?.messages);
async function answered(c: ChannelHarness) {
  c.answer(says("Yes."));
  await c.clock.advance(10_000);
}
const tell = (h: ScopeHarness, userId: string, text: string) =>
  h.scope(SERVER).person({ op: "remember", userId, text, origin: "person" });

it("come with their person's questions in any channel, next to the question, and with nobody else's", async () => {
  const h = createScopeHarness(["1"]);
  await tell(h, "10", "Call me Theo.");
  for (const _channel of ["500", "501"]) {
    const c = createChannelHarness({ scope: h.scope });
    await asks(c, "1", "10", ["10"]);
    expect(c.requests.at(-1)?.messages.at(-2)?.text).toMatch(/person who asks now.*\n1\. Call me Theo\.$/);
    await answered(c);
    await asks(c, "2", "20", ["10"]);
    expect(sent(c)).not.toContain("Call me Theo");
  }
});

it("cost nothing for a person without facts: the scope is not asked", async () => {
  const h = createScopeHarness(["1"]);
  const c = createChannelHarness({ scope: h.scope });
  await asks(c, "1", "20", ["10"]);
  expect([c.requests.length, h.calls]).toEqual([1, []]);
});

it("are kept and forgotten by the tools, for the person who asks", async () => {
  const h = createScopeHarness(["1"]);
  const c = createChannelHarness({ scope: h.scope, tools: [remember, forget] });
  await asks(c, "1", "10", []);
  c.answer(calls("remember", { text: "Theo likes rye.", for_me: true }));
  await c.clock.advance(100);
  expect(sent(c)).toContain('\\"number\\":1,\\"text\\":\\"Theo likes rye.\\",\\"for_me\\":true');
  expect(c.memories().count()).toBe(0);
  await answered(c);
  await asks(c, "2", "10", ["10"]);
  expect(sent(c)).toContain("1. Theo likes rye.");
  c.answer(calls("forget", { number: 1, for_me: true }));
  await c.clock.advance(100);
  expect(sent(c)).toContain('\\"forgotten\\":true');
  expect(await h.scope(SERVER).person({ op: "facts", userId: "10" })).toEqual({ op: "facts", facts: [] });
});

it("delay a turn only for a moment if the scope does not answer", async () => {
  const silent = (request: PersonRequest) =>
    request.op === "facts" ? new Promise<PersonAnswer>(() => {}) : Promise.reject(new Error("down"));
  const c = createChannelHarness({ scope: openScopes({ person: silent }), tools: [remember] });
  await asks(c, "1", "10", ["10"], 1400);
  expect(c.requests).toHaveLength(0);
  await c.clock.advance(200);
  expect(c.requests).toHaveLength(1);
  c.answer(calls("remember", { text: "Theo likes rye.", for_me: true }));
  await c.clock.advance(20_000);
  expect(sent(c)).toContain("can't be kept now");
});
