// Reads a page of HTML as a person would: title, text in lines, links. Pure, and linear in the page's length. A page can be
// hostile, so nothing here recurses. Ignores styles and runs no scripts, so content that a page builds in the browser is missing.
import { type INode, type ITag, parse } from "html5parser";
import { decodeEntities } from "./html-entities.ts";
import { createLineWriter, type LineWriter } from "./line-writer.ts";

/** The content of a page. Links are absolute, in the page's order, each address once. */
export interface PageText {
  title: string;
  text: string;
  links: { text: string; url: string }[];
}

/** A browser never shows these as text. */
const UNSEEN = new Set(
  "script style template noscript svg math head title iframe object canvas select !-- !doctype".split(" "),
);
/** Shown around the main content of a page. */
const AROUND: ReadonlySet<string> = new Set(["nav", "footer", "aside"]);
const NOTHING: ReadonlySet<string> = new Set();
/** These begin and end a line. */
const BLOCKS = new Set(
  "address article aside blockquote body br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul".split(
    " ",
  ),
);
/** The start of a line of this kind, as in Markdown. */
const MARKS: Readonly<Record<string, string>> = {
  li: "- ",
  h1: "# ",
  h2: "## ",
  h3: "### ",
  h4: "#### ",
  h5: "##### ",
  h6: "###### ",
};
const MARK = /^(?:-|#+) /;
const MAX_LINK_TEXT_CHARS = 100;
const MAX_LINKS = 500;

/** Reads the page found at `address`. If it has only navigation, reads that. Never throws. */
export function readHtml(html: string, address: URL): PageText {
  const nodes = parse(html);
  const title = oneLine(readNodes(findTag(nodes, "title")?.body ?? [], NOTHING).text);
  const main = findTag(nodes, "main")?.body ?? nodes;
  const inner = readNodes(main, AROUND);
  const { text, links } = inner.text === "" ? readNodes(nodes, NOTHING) : inner;
  return { title, text, links: resolveLinks(links, address) };
}

/** One step of a walk: a node to enter, or an action for the end of a tag. */
type Step = INode | (() => void);

function readNodes(nodes: readonly INode[], left: ReadonlySet<string>): { text: string; links: RawLink[] } {
  const writer = createLineWriter();
  const links: RawLink[] = [];
  const steps: Step[] = [...nodes].reverse();
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (typeof step === "function") step();
    else if (!isTag(step)) writer.write(decodeEntities(step.value));
    else if (!UNSEEN.has(step.name) && !left.has(step.name)) {
      steps.push(enter(step, writer, links));
      for (const inner of (step.body ?? []).toReversed()) steps.push(inner);
    }
  }
  return { text: writer.text(), links };
}

const isTag = (node: INode): node is ITag => "name" in node;

/** Handles the start of a tag; the returned function handles its end. */
function enter(tag: ITag, writer: LineWriter, links: RawLink[]): () => void {
  const { name } = tag;
  const isBlock = BLOCKS.has(name);
  if (name === "td" || name === "th") writer.write(" ");
  if (isBlock) writer.beginLine(MARKS[name]);
  if (name === "pre") writer.preserve(1);
  const began = writer.length();
  return () => {
    const href = name === "a" ? readAttribute(tag, "href") : null;
    if (href !== null && links.length < MAX_LINKS) links.push({ text: writer.since(began), href });
    if (name === "pre") writer.preserve(-1);
    if (isBlock) writer.endLine();
  };
}

function readAttribute({ attributes }: ITag, name: string): string | null {
  const found = attributes.find((attribute) => attribute.name.value.toLowerCase() === name);
  return found?.value ? decodeEntities(found.value.value) : null;
}

interface RawLink {
  text: string;
  href: string;
}

function resolveLinks(raw: readonly RawLink[], address: URL): PageText["links"] {
  const byUrl = new Map<string, string>();
  for (const { text, href } of raw) {
    if (!URL.canParse(href, address.href)) continue;
    const url = new URL(href, address.href);
    url.hash = "";
    const isOther = url.href.replace(/#$/, "") !== address.href.replace(/#.*$/, "");
    if (/^https?:$/.test(url.protocol) && isOther && !byUrl.has(url.href))
      byUrl.set(url.href, oneLine(text.replace(MARK, "")).slice(0, MAX_LINK_TEXT_CHARS));
  }
  return [...byUrl].map(([url, text]) => ({ text, url }));
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The first tag with this name that belongs to the page itself. */
function findTag(nodes: readonly INode[], name: string): ITag | null {
  const open = nodes.filter(isTag).reverse();
  for (let tag = open.pop(); tag; tag = open.pop()) {
    if (tag.name === name) return tag;
    if (tag.name === "svg") continue;
    for (const inner of (tag.body ?? []).toReversed()) if (isTag(inner)) open.push(inner);
  }
  return null;
}
