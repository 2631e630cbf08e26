// Renders GFM tables, which Discord does not show: each becomes a code block with its columns aligned by display width. A
// table that is cut continues in the next message under its header, with columns at least as wide; a full message is never
// aligned again.
import { codePoints } from "./code-points.ts";
import { displayWidth } from "./display-width.ts";
import { readIndent } from "./fences.ts";

type Align = "left" | "center" | "right";

/** A table in one message. `columns` include the widths of the rows in earlier messages. */
export interface Table {
  /** What precedes each line: a quote's mark, an indentation. */
  indent: string;
  /** Rows begin with a bar, as the header does. */
  isBarred: boolean;
  columns: readonly { align: Align; width: number }[];
  header: readonly string[];
  rows: readonly (readonly string[])[];
  /** It began in an earlier message, so nothing of it is shown here unless a row follows. */
  isContinued: boolean;
  /** Code points of the header and the rows, without the padding that depends on the widths. */
  ink: number;
}

/** A wider cell sticks out of its column, so that one long cell does not fill every other row with spaces. */
const MAX_WIDTH = 40;
const GAP = " | ";
const FENCE = "```";
/** The line end after the closing fence always counts. */
const FENCE_POINTS = FENCE.length + 1;

const BAR = /(?<!\\)\|/;

/** Whether the next line may turn this one into a table's header. */
export const isHeaderLike = (line: string): boolean => BAR.test(line);

/** Whether a line that begins like this may become the one below a header. */
export const isDelimiterLike = (start: string): boolean => /^[ \t>|:-]*\r?$/.test(start);

/** Returns the longest beginning of a line that may be a row: a line with a complete fence is not one. */
export const rowStart = (line: string): string => line.replace(/(?<=``)`.*/s, "");

/** Returns the table that these two lines begin; null if they begin none, or one that exceeds `most` code points. */
export function tableFrom(header: string, delimiter: string, most: number): Table | null {
  const indent = readIndent(header);
  const names = readCells(header);
  const rules = readCells(delimiter);
  if (!BAR.test(header) || quotes(delimiter) !== quotes(header) || rules.length !== names.length) return null;
  if (!rules.every((rule) => /^:?-+:?$/.test(rule)) || header.includes(FENCE)) return null;
  const isBarred = header.slice(indent.length).startsWith("|");
  const columns = rules.map((rule) => ({ align: readAlign(rule), width: 0 }));
  const table: Table = { indent, isBarred, header: names, rows: [], isContinued: false, ...withCells(columns, names) };
  return tablePoints(table) <= most ? table : null;
}

/** Returns the table with one more row; null if the line is not a row, or too long for a message of `limit` code points. */
export function withRow(table: Table, line: string, limit: number): Table | null {
  const alone = pointsWithRow(continued(table), line);
  if (alone === null || Math.max(alone, codePoints(line) + 1) > limit) return null;
  return withMore(table, readCells(line, table.columns.length));
}

/**
 * Returns the code points of the table with one more row of any length, or null if the line is not a row. Never less than with
 * only part of the row: a wide character in a cell replaces two spaces, but is counted as if it replaced none.
 */
export function pointsWithRow(table: Table, line: string): number | null {
  const text = line.slice(readIndent(line).length);
  if (quotes(line) !== quotes(table.indent) || line.includes(FENCE)) return null;
  if (table.isBarred ? !text.startsWith("|") : !BAR.test(text)) return null;
  const cells = readCells(line, table.columns.length);
  const wide = cells.map((cell) => Math.max(0, displayWidth(cell) - codePoints(cell)));
  return tablePoints(withMore(table, cells)) + wide.reduce((sum, one) => sum + one, 0);
}

/** Returns the table as it is at the start of the next message. */
export const continued = (table: Table): Table => ({
  ...table,
  rows: [],
  isContinued: true,
  ...withCells(table.columns, table.header),
});

/** Whether there is anything to show of the table in this message. */
export const isShown = ({ isContinued, rows }: Table): boolean => !isContinued || rows.length > 0;

/** Returns the code points of the table as a code block with a line end after it. */
export function tablePoints(table: Table): number {
  if (!isShown(table)) return 0;
  const { indent, columns, rows, ink } = table;
  const around = codePoints(indent) + GAP.length * (columns.length - 1) + 1;
  const padding = columns.reduce((sum, { width }, index) => sum + (isPadded(columns, index) ? width : 0), 0);
  const rule = around + columns.reduce((sum, { width }) => sum + width, 0);
  return 2 * (codePoints(indent) + FENCE_POINTS) + (rows.length + 1) * (around + padding) + rule + ink;
}

/** Renders the code block, without a line end after it. */
export function renderTable({ indent, columns, header, rows }: Table): string {
  const rule = columns.map(({ width }) => "-".repeat(width)).join("-+-");
  const row = (cells: readonly string[]) =>
    columns.map((_, index) => padded(cells[index] ?? "", columns, index)).join(GAP);
  return [FENCE, row(header), rule, ...rows.map(row), FENCE].map((line) => indent + line).join("\n");
}

const quotes = (line: string): string => readIndent(line).replace(/[ \t]/g, "");

/** Reads a row's cells, unescaped; the last cell gets everything beyond the columns. */
function readCells(line: string, columns: number = Number.POSITIVE_INFINITY): string[] {
  const inner = line
    .slice(readIndent(line).length)
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  const cells = inner.split(BAR).map((cell) => cell.trim().replaceAll("\\|", "|"));
  return cells.length <= columns ? cells : [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(GAP)];
}

function readAlign(rule: string): Align {
  if (!rule.endsWith(":")) return "left";
  return rule.startsWith(":") ? "center" : "right";
}

function withMore(table: Table, cells: readonly string[]): Table {
  const { columns, ink } = withCells(table.columns, cells);
  return { ...table, columns, rows: [...table.rows, cells], ink: table.ink + ink };
}

/** Returns the columns widened by these cells, and the cells' code points minus the columns that they fill. */
function withCells(before: Table["columns"], cells: readonly string[]): Pick<Table, "columns" | "ink"> {
  const filled = before.map((_, index) => Math.min(displayWidth(cells[index] ?? ""), MAX_WIDTH));
  const columns = before.map((column, index) => ({ ...column, width: Math.max(column.width, filled[index] ?? 0) }));
  const ink = columns.map(
    (_, index) => codePoints(cells[index] ?? "") - (isPadded(columns, index) ? (filled[index] ?? 0) : 0),
  );
  return { columns, ink: ink.reduce((sum, one) => sum + one, 0) };
}

/** Whether a column is padded. Nothing follows the last one, so it needs no padding if it is left-aligned. */
const isPadded = (columns: Table["columns"], index: number): boolean =>
  index < columns.length - 1 || columns[index]?.align !== "left";

function padded(cell: string, columns: Table["columns"], index: number): string {
  const { align = "left", width = 0 } = columns[index] ?? {};
  const missing = isPadded(columns, index) ? Math.max(0, width - displayWidth(cell)) : 0;
  const before = { left: 0, center: Math.floor(missing / 2), right: missing }[align];
  return " ".repeat(before) + cell + " ".repeat(missing - before);
}
