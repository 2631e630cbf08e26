// Parses Discord's Markdown line by line: a message's text in, a tree of blocks out. Pure, so that tests need no browser.
import { parseSpans, type Span } from "./inline.ts";

/** A block of a message. A `list` has its items in order, each with the blocks nested below it. */
export type Block =
  | { kind: "paragraph" | "subtext"; spans: Span[] }
  | { kind: "heading"; level: 1 | 2 | 3; spans: Span[] }
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; start: number | null; items: { spans: Span[]; blocks: Block[] }[] };

const FENCE = /```(?:([\w+#.-]+)\n)?\n?([\s\S]*?)\n?```/;
const HEADING = /^(#{1,3}) +(\S.*)$/;
const SUBTEXT = /^-# +(\S.*)$/;
const QUOTE = /^> (.*)$/;
const REST = /^>>> ?/m;
const ITEM = /^( *)([-*]|\d{1,9}\.) +(\S.*)$/;

/** Reads a whole message. A fence that is never closed is text, as in Discord's own client. */
export function parseBlocks(text: string): Block[] {
  const fence = FENCE.exec(text);
  const rest = REST.exec(text);
  if (rest && (!fence || rest.index < fence.index)) {
    const quoted = text.slice(rest.index + rest[0].length);
    return [...parseLines(text.slice(0, rest.index)), { kind: "quote", blocks: parseBlocks(quoted) }];
  }
  // A fence inside a quote is read with the quote, after the quote's marks are removed.
  if (!fence || QUOTE.test(lastLine(text.slice(0, fence.index)))) return parseLines(text);
  const [whole, language = "", code = ""] = fence;
  return [
    ...parseLines(text.slice(0, fence.index)),
    { kind: "code", language, text: code },
    ...parseBlocks(text.slice(fence.index + whole.length).replace(/^\n/, "")),
  ];
}

const lastLine = (text: string) => text.slice(text.lastIndexOf("\n") + 1);

function parseLines(text: string): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const start = at;
    const line = lines[at] ?? "";
    if (line.trim() === "") at++;
    else if (QUOTE.test(line)) {
      while (at < lines.length && QUOTE.test(lines[at] ?? "")) at++;
      const quoted = lines.slice(start, at).map((one) => one.replace(QUOTE, "$1"));
      blocks.push({ kind: "quote", blocks: parseBlocks(quoted.join("\n")) });
    } else if (ITEM.test(line)) {
      while (at < lines.length && ITEM.test(lines[at] ?? "")) at++;
      blocks.push(...parseLists(lines.slice(start, at)));
    } else if (isPlain(line)) {
      while (at < lines.length && isPlain(lines[at] ?? "")) at++;
      blocks.push({ kind: "paragraph", spans: parseSpans(lines.slice(start, at).join("\n")) });
    } else {
      blocks.push(parseTitle(line));
      at++;
    }
  }
  return blocks;
}

const isPlain = (line: string) =>
  line.trim() !== "" && ![HEADING, SUBTEXT, QUOTE, ITEM].some((pattern) => pattern.test(line));

function parseTitle(line: string): Block {
  const heading = HEADING.exec(line);
  if (!heading) return { kind: "subtext", spans: parseSpans(SUBTEXT.exec(line)?.[1] ?? line) };
  const marks = heading[1]?.length;
  return { kind: "heading", level: marks === 1 ? 1 : marks === 2 ? 2 : 3, spans: parseSpans(heading[2] ?? "") };
}

// Reads consecutive lines of items. Lines indented deeper than the first belong to the item above them, and a change between bullets and
// numbers starts another list.
function parseLists(lines: readonly string[]): Block[] {
  const lists: Extract<Block, { kind: "list" }>[] = [];
  const indent = lines[0]?.search(/\S/) ?? 0;
  for (let at = 0; at < lines.length; ) {
    const [, , mark = "-", text = ""] = ITEM.exec(lines[at++] ?? "") ?? [];
    const below = at;
    while (at < lines.length && (lines[at] ?? "").search(/\S/) > indent) at++;
    const start = /\d/.test(mark) ? Number.parseInt(mark, 10) : null;
    const item = { spans: parseSpans(text), blocks: at > below ? parseLists(lines.slice(below, at)) : [] };
    const open = lists.at(-1);
    if (open && (open.start === null) === (start === null)) open.items.push(item);
    else lists.push({ kind: "list", start, items: [item] });
  }
  return lists;
}
