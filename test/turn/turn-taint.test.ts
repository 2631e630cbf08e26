// What decides whether a call may run without asking.
import { expect, it } from "vitest";
import type { ToolLoopParams } from "../../src/turn/turn-params.ts";
import { buildTurnTaint } from "../../src/turn/turn-taint.ts";

it("looks for the addresses of a page once, however many pages follow it", () => {
  const pages: { placed: object; result: object }[] = [];
  let reads = 0;
  const params = {
    request: {},
    files: { texts: [] },
    store: {
      taint: () => "full",
      givenAddresses: () => [],
      modelIndex: () => 0,
      rounds: () => [{ calls: pages }],
    },
    runtime: { toolFor: () => ({ givesAddresses: true }), names: () => [] },
  };
  for (let page = 0; page < 20; page++) {
    const { isKnown } = buildTurnTaint(params as unknown as ToolLoopParams, "fetch_url");
    expect([isKnown(`https://a.example/${page}`), isKnown(`https://a.example/${page + 1}`)]).toEqual([page > 0, false]);
    const data = {
      get text() {
        reads++;
        return `Read on at https://a.example/${page + 1}.`;
      },
    };
    pages.push({ placed: { messageSeq: page, position: 0, call: { name: "fetch_url" } }, result: { ok: true, data } });
  }
  expect(reads).toBe(19);
});
