// How much room a table takes, and which rows it accepts.
import { describe, expect, it } from "vitest";
import { codePoints } from "../../../src/core/markdown/code-points.ts";
import {
  continued,
  isShown,
  pointsWithRow,
  renderTable,
  type Table,
  tableFrom,
  tablePoints,
  withRow,
} from "../../../src/core/markdown/tables.ts";

const PLENTY = 2000;

function tableOf(header: string, delimiter: string, rows: string[] = []): Table {
  const table = tableFrom(header, delimiter, PLENTY);
  if (!table) throw new Error(`${header} begins no table`);
  return rows.reduce((grown, row) => withRow(grown, row, PLENTY) ?? grown, table);
}

/** The room that a table takes, with a line end after it. */
const written = (table: Table) => codePoints(renderTable(table)) + 1;

it.each<[string, Table]>([
  ["without rows", tableOf("| a | b |", "|---|---|")],
  ["with rows", tableOf("| a | b |", "|---|:-:|", ["| one | 2 |", "| 3 | four |"])],
  ["in a quote", tableOf("> | a |", "> |---|", ["> | 1 |"])],
  [
    "that continues in another message",
    withRow(continued(tableOf("| a |", "|-|")), "| 1 |", PLENTY) ?? tableOf("", ""),
  ],
])("the room of a table %s is that of its code block", (_what, table) => {
  expect(tablePoints(table)).toBe(written(table));
});

it("a table needs room for its header", () => {
  const room = written(tableOf("| a | b |", "|---|---|"));
  expect(tableFrom("| a | b |", "|---|---|", room)).not.toBeNull();
  expect(tableFrom("| a | b |", "|---|---|", room - 1)).toBeNull();
});

it.each([
  ["a header that would close its code block", "| ``` | b |", "|---|---|"],
  ["a line below the header that is not a delimiter row", "| a | b |", "|---|x|"],
])("a table can't have %s", (_what, header, delimiter) => {
  expect(tableFrom(header, delimiter, PLENTY)).toBeNull();
});

describe("a row", () => {
  const table = tableOf("| a | b |", "|---|---|");
  const row = "| one | 2 |";
  const alone = written(tableOf("| a | b |", "|---|---|", [row]));

  it("belongs to a table that has room for it in a message of its own", () => {
    expect(withRow(table, row, alone)).not.toBeNull();
    expect(withRow(table, row, alone - 1)).toBeNull();
  });

  it("doesn't belong to a table if the line itself is too long for a message", () => {
    const spaced = `|${" ".repeat(100)}1|2|`;
    expect(withRow(table, spaced, codePoints(spaced) + 1)).not.toBeNull();
    expect(withRow(table, spaced, codePoints(spaced))).toBeNull();
  });

  it("is counted with more room than it takes once written if it has double-width characters", () => {
    expect(pointsWithRow(table, row)).toBe(alone);
    const wide = tableOf("| a | b |", "|---|---|", ["| 日本 | 2 |"]);
    expect(pointsWithRow(table, "| 日本 | 2 |")).toBe(tablePoints(wide) + 2);
  });
});

it("a table that continues in another message is shown there once it has a row", () => {
  const next = continued(tableOf("| a |", "|-|"));
  expect([isShown(next), tablePoints(next)]).toEqual([false, 0]);
  const row = withRow(next, "| 1 |", PLENTY);
  expect(row && isShown(row)).toBe(true);
});
