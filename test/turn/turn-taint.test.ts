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

it.each([
  ["whole", undefined, true],
  ["in part by others", "full", false],
])("knows the addresses in the files of a question that its asker has written %s", (_, taint, isFile) => {
  const call = (name: string, ok: boolean) => ({
    placed: { messageSeq: 0, position: 0, call: { name } },
    result: { ok, data: `https://a.example/${name}/${ok}` },
  });
  const params = {
    request: { taint },
    files: { texts: [{ text: "See https://a.example/file" }] },
    store: {
      taint: () => "full",
      givenAddresses: () => ["https://a.example/given"],
      modelIndex: () => 0,
      rounds: () => [{ calls: [call("gives", false)] }, { calls: [call("hides", true)] }],
    },
    runtime: { toolFor: (name: string) => ({ givesAddresses: name === "gives" }), names: () => [] },
  };
  const { isKnown } = buildTurnTaint(params as unknown as ToolLoopParams, "fetch_url");
  const places = ["given", "file", "gives/false", "hides/true"];
  expect(places.map((place) => isKnown(`https://a.example/${place}`))).toEqual([true, isFile, false, false]);
});
