// A turn's tools, the product's own and the remote ones, and what the object's database keeps about their servers.
import { describe, expect, it } from "vitest";
import { openManifests } from "../../../durable-objects/store/manifests.ts";
import { migrations } from "../../../durable-objects/store/migrations.ts";
import { createTurnRegistry } from "../../../durable-objects/turn/turn-registry.ts";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { COUNTS, probe } from "../../toolkit/arrange.ts";

const signal = new AbortController().signal;
const tool = (name: string, over: Partial<Tool> = {}) => probe(() => ({ ok: true, data: null }), { name, ...over });
const remote = (name: string, schema: object = { type: "object", properties: {} }) =>
  tool(name, { input: schema as Tool["input"], category: "async", hints: COUNTS });

describe("a turn's registry", () => {
  it("is the product's own if there is no server", async () => {
    const own = createToolRegistry([tool("one")]);
    expect(
      await createTurnRegistry(
        own,
        () => async () => [],
        () => {},
      )(signal, null),
    ).toBe(own);
  });

  it("has all tools in one order, and is the same object for the same tools", async () => {
    const own = createToolRegistry([tool("m"), tool("b")]);
    let there: readonly Tool[] = [remote("z_two"), remote("a_one")];
    const registryOf = createTurnRegistry(
      own,
      () => async () => there,
      () => {},
    );
    const first = await registryOf(signal, null);
    expect(first.list().map(({ name }) => name)).toEqual(["a_one", "b", "m", "z_two"]);
    there = [...there];
    const second = await registryOf(signal, null);
    expect([second, second.schemas()]).toEqual([first, first.schemas()]);
    expect(second.schemas()).toBe(first.schemas());
    there = [remote("a_one")];
    expect((await registryOf(signal, null)).list().map(({ name }) => name)).toEqual(["a_one", "b", "m"]);
    expect(own.list().map(({ name }) => name)).toEqual(["b", "m"]);
  });

  it.each<[string, string[], string[]]>([
    ["another tool has replaced one", ["one", "three"], ["b", "one", "three"]],
    ["the last one is gone", ["one"], ["b", "one"]],
  ])("is another object if %s", async (_, left, wanted) => {
    const known = new Map(["one", "two", "three"].map((name) => [name, remote(name)]));
    const pick = (names: string[]) => names.flatMap((name) => known.get(name) ?? []);
    let there = pick(["one", "two"]);
    const registryOf = createTurnRegistry(
      createToolRegistry([tool("b")]),
      () => async () => there,
      () => {},
    );
    await registryOf(signal, null);
    there = pick(left);
    expect((await registryOf(signal, null)).list().map(({ name }) => name)).toEqual(wanted);
  });

  it("is separate for each place", async () => {
    const registryOf = createTurnRegistry(
      createToolRegistry([tool("b")]),
      (guildId) => async () => (guildId === null ? [] : [remote(`of_${guildId}`)]),
      () => {},
    );
    const names = async (guildId: string | null) => (await registryOf(signal, guildId)).list().map(({ name }) => name);
    expect(await Promise.all(["10", "20", null].map(names))).toEqual([["b", "of_10"], ["b", "of_20"], ["b"]]);
  });

  it.each([
    [126, [], "r125"],
    [127, ['{"tools":1}'], "r125"],
    [320, ['{"tools":194}'], "r125"],
  ])(
    "has at most 128 tools, its own before %i remote ones, and logs how many are missing",
    async (count, logged, last) => {
      const lines: string[] = [];
      const registryOf = createTurnRegistry(
        createToolRegistry([tool("z"), tool("zz")]),
        () => async () => Array.from({ length: count }, (_, index) => remote(`r${String(index).padStart(3, "0")}`)),
        (_line, detail) => lines.push(JSON.stringify(detail)),
      );
      const names = (await registryOf(signal, null)).list().map(({ name }) => name);
      expect([names.length, names.slice(-3), lines]).toEqual([128, [last, "z", "zz"], logged]);
    },
  );

  it("leaves out a remote tool whose schema does not compile, and logs it", async () => {
    const lines: string[] = [];
    const bad = remote("a_bad", { type: "object", properties: { x: { type: "string", pattern: "(" } } });
    const registryOf = createTurnRegistry(
      createToolRegistry([tool("b")]),
      () => async () => [bad],
      (line) => lines.push(line),
    );
    expect((await registryOf(signal, null)).list().map(({ name }) => name)).toEqual(["b"]);
    expect(lines).toEqual(["a tool was left out: its schema does not compile"]);
  });
});

it("the database keeps one manifest per server, the last one, in one row", () => {
  const database = nodeSqlite();
  for (const step of migrations) database.sql.exec(step);
  const manifests = openManifests(database);
  manifests.putManifest("a", "1");
  manifests.putManifest("b", "2");
  manifests.putManifest("a", "3");
  expect(["a", "b", "c"].map((server) => manifests.manifest(server))).toEqual(["3", "2", null]);
  expect(database.sql.exec("SELECT count(*) AS n FROM manifests").toArray()).toEqual([{ n: 2 }]);
});
