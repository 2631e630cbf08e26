// Enforces the table of rooms (support/rooms.ts): who may import whom, and what must not be named where. Also bounds the length of a file.
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { type Room, rooms } from "./support/rooms.ts";
import { findImportCircles, listSources, readImports, readSource, withoutComments } from "./support/source-tree.ts";

const MAX_LINES = 250;
const MAX_TEST_LINES = 400;
const VAGUE_NAMES = /^(utils?|helpers?|common|managers?|services?)\.ts$/;

/** The files of a room, without those of the rooms inside it. */
function filesIn({ room }: Room): string[] {
  const inner = rooms.map((other) => other.room).filter((other) => other !== room && other.startsWith(`${room}/`));
  return listSources(room).filter((file) => !inner.some((other) => file === other || file.startsWith(`${other}/`)));
}

const reaches = (rule: string, to: string) => {
  const door = rule.replace(/\.ts$/, "");
  return to === door || to.startsWith(door.endsWith(":") ? door : `${door}/`);
};

describe.each(rooms)("$room", (row) => {
  const files = filesIn(row);

  it("imports only its neighbors, names nothing that is banned, and keeps its files short", () => {
    const faults: string[] = [];
    for (const file of files) {
      const text = readSource(file);
      for (const { to } of readImports(file))
        if (![row.room, ...row.imports].some((rule) => reaches(rule, to)))
          faults.push(`${file} imports ${to}, which its row in test/support/rooms.ts does not allow`);
      const named = row.banned && withoutComments(text).match(row.banned);
      if (named) faults.push(`${file} names ${named[0]}, which its row in test/support/rooms.ts bans`);
      const lines = text.trimEnd().split("\n").length;
      if (lines > MAX_LINES) faults.push(`${file} has ${lines} lines, at most ${MAX_LINES} are allowed`);
      if (!/^(\/\/|\/\*|#!)/.test(text)) faults.push(`${file} does not say in its first line what it owns`);
    }
    expect(faults).toEqual([]);
  });

  it("has files, and uses every import that its row allows", () => {
    expect(files).not.toEqual([]);
    const used = files.flatMap(readImports);
    const unused = row.imports.filter((rule) => !used.some(({ to }) => reaches(rule, to)));
    expect(unused, "No file needs these imports: take them out of the row in test/support/rooms.ts.").toEqual([]);
  });
});

describe("the whole tree", () => {
  const files = ["src", "durable-objects", "test"].flatMap(listSources);
  const sources = files.filter((file) => !file.startsWith("test/"));

  it("has every source file in exactly one room", () => {
    const inRooms = Map.groupBy(rooms.flatMap(filesIn), (file) => file);
    const faults = sources.filter((file) => inRooms.get(file)?.length !== 1);
    expect(
      faults,
      "Put each into a folder that has a row in test/support/rooms.ts, or give its own folder one.",
    ).toEqual([]);
  });

  it("has no import cycles at run time", () => {
    expect(findImportCircles(sources)).toEqual([]);
  });

  it("has no file named utils, helpers, common, manager or service, and at most one barrel", () => {
    expect(files.filter((file) => VAGUE_NAMES.test(basename(file)))).toEqual([]);
    const barrels = files.filter((file) => basename(file) === "index.ts" && file !== "src/index.ts");
    expect(barrels.filter((file) => file !== "src/tools/index.ts")).toEqual([]);
  });

  it("keeps test files short, without module mocks, skipped or focused tests, time limits of their own, or silenced types", () => {
    const faults = files.flatMap((file) => {
      const text = readSource(file);
      const isLong = file.startsWith("test/") && text.trimEnd().split("\n").length > MAX_TEST_LINES;
      const trick = file.endsWith("architecture.test.ts")
        ? null
        : text.match(/vi\.mock\(|\.(only|skip)\(|@ts-(ignore|nocheck)|\bas any\b|^ *\}, [\d_]{4,}\);$/m);
      return [
        ...(isLong ? [`${file} has more than ${MAX_TEST_LINES} lines`] : []),
        ...(trick ? [`${file} has ${trick[0]}`] : []),
      ];
    });
    expect(faults).toEqual([]);
  });
});
