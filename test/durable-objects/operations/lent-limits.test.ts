// What a scope lends if nothing else here knows about a limit: more is requested when it is used up.
import { expect, it } from "vitest";
import type { LeaseRequest } from "../../../src/core/access/scope-rpc.ts";
import { rollDice } from "../../../src/tools/roll-dice.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";
import { says } from "../../support/turn-script.ts";

it.each([
  ["a number of tokens, asks again when it has used them", { tokens: 500, microUsd: null }, 2],
  ["as many tokens as it wants, asks once", { tokens: null, microUsd: null }, 1],
])("a turn that has waited and is lent %s", async (_, allowance, times) => {
  const asked: LeaseRequest[] = [];
  const c = createChannelHarness({
    tools: [rollDice],
    scope: (name) => ({
      ...openScopes()(name),
      async lease(request) {
        asked.push(request);
        return { kind: "granted", allowance, until: Number.MAX_SAFE_INTEGER };
      },
    }),
  });
  for (const id of ["1", "2"]) c.submit({ trigger: { ...testRequest(id, id), receivedAt: c.clock.now() } });
  await c.clock.advance(100);
  // The second turn has waited, so its person is checked again.
  c.answer(says("Hi."));
  await c.clock.advance(2000);
  const call = { id: "c", name: "roll_dice", arguments: '{"notation":"1d6"}' };
  const usage = { inputTokens: 900, outputTokens: 100 };
  c.answer([{ kind: "end", finishReason: "tool_calls", calls: [call], usage }]);
  await c.clock.advance(2000);
  expect([c.streams(), asked.length]).toEqual([1, times]);
});
