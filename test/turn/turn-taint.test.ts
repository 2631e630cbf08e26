// What decides whether a call may run without asking.
import { expect, it } from "vitest";
import type { ToolLoopParams } from "../../src/turn/turn-params.ts";
import { buildTurnTaint } from "../../src/turn/turn-taint.ts";

const placedAt = (messageSeq: number, position = 0, name = "fetch_url") => ({
  messageSeq,
  position,
  call: { id: "c", name, arguments: "{}" },
});

it("searches a page for addresses once, however many pages follow it", () => {
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
    const { isKnown } = buildTurnTaint(params as unknown as ToolLoopParams, placedAt(page));
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
  const { isKnown } = buildTurnTaint(params as unknown as ToolLoopParams, placedAt(0));
  const places = ["given", "file", "gives/false", "hides/true"];
  expect(places.map((place) => isKnown(`https://a.example/${place}`))).toEqual([true, isFile, false, false]);
});

it("treats the fourth and later calls of a tool that reads addresses as after a page, if strangers were only overheard", () => {
  const placed = [
    placedAt(3, 0, "look"),
    placedAt(3, 1),
    placedAt(3, 2),
    placedAt(4, 0),
    placedAt(4, 1),
    placedAt(5, 0),
  ];
  const levels = (taint: string) => {
    const params = {
      store: { taint: () => taint, rounds: () => [{ calls: [null, ...placed.map((one) => ({ placed: one }))] }] },
      runtime: { toolFor: (name: string) => ({ givesAddresses: name === "fetch_url" }), names: () => [] },
    };
    const all = [...placed, placedAt(5, 2, "look")];
    return all.map((one) => buildTurnTaint(params as unknown as ToolLoopParams, one).level);
  };
  expect(levels("weak")).toEqual(["weak", "weak", "weak", "weak", "full", "full", "weak"]);
  expect(levels("none")).toEqual(Array(7).fill("none"));
});
