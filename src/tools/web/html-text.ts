// Reads a page of HTML as a person would: title, text in lines, links. Pure, and linear in the page's length, because a page can be
// hostile: there is no tree, and the open elements are a list of limited length. Ignores style sheets and runs no scripts, so it does not
// see what a page builds in the browser.
import { decodeEntities } from "./html-entities.ts";
import { type HtmlToken, htmlTokens, type Looked } from "./html-tokens.ts";
import { createLineWriter } from "./line-writer.ts";

/** The content of a page. Links are absolute and in the page's order, with each address only once. */
export interface PageText {
  title: string;
  text: string;
  links: { text: string; url: string }[];
}

/** Elements that a browser never shows as text. */
const UNSEEN = new Set(
  "script style template noscript noembed noframes svg math head title iframe object canvas select datalist audio video dialog".split(
    " ",
  ),
);
/** Elements that surround what the page is about. */
const AROUND: ReadonlySet<string> = new Set(["nav", "footer", "aside"]);
/** Elements that a page may hide until its scripts have run. Treating these as hidden would hide everything. */
const WHOLE: ReadonlySet<string> = new Set(["html", "body", "main"]);
/** Elements that begin and end a line. */
const BLOCKS = new Set(
  "address article aside blockquote body br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul".split(
    " ",
  ),
);
/** How a line of this kind starts, as in Markdown. */
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
const MAX_LINKS = 500;
/** Each link is resolved against the page's base. A longer address can't be fetched anyway. */
const MAX_BASE_CHARS = 2048;
/** The most open elements, as many as browsers allow. At the limit, the innermost one ends before another begins. */
const MAX_DEPTH = 512;

/** Reads a page that was found at `address`. If it contains nothing but navigation, that is read. */
export function readHtml(html: string, address: URL, looked?: Looked): PageText {
  const inner = readPage(html, false, looked);
  const { text, links } = inner.text === "" ? readPage(html, true, looked) : inner;
  return { title: oneLine(decodeEntities(inner.title)), text, links: resolveLinks(links, address, inner.base) };
}

interface RawLink {
  text: string;
  href: string;
}

/** An open element. `began`: the position in the text at which it was entered; null if nothing of it is read. */
interface Open {
  name: string;
  href: string | null;
  began: number | null;
  /** Everything inside it is left out, too: either nobody sees it, or it surrounds the main part. */
  hides: "unseen" | "around" | null;
}

/** Runs over the page once. Unless `isWhole`, reads only its first main part or, without one, everything except what surrounds a main part. */
function readPage(html: string, isWhole: boolean, looked: Looked = () => {}) {
  let writer = createLineWriter();
  let links: RawLink[] = [];
  let title: string | null = null;
  let base: string | null = null;
  let main: Open | null = null;
  let isOver = false;
  const open = createOpenElements();
  const isSeen = () => !open.areHiding() && !isOver;

  const enter = (tag: Tag): Open => {
    const { name, href } = tag;
    const hides = hidesWithin(tag, isWhole);
    if (hides || !isSeen()) return { name, href, began: null, hides };
    if (name === "td" || name === "th") writer.write(" ");
    if (BLOCKS.has(name)) writer.beginLine(MARKS[name]);
    if (name === "pre") writer.preserve(1);
    return { name, href, began: writer.length(), hides };
  };
  const leave = (element: Open) => {
    const { name, href, began } = element;
    if (began !== null && !isOver) {
      if (name === "a" && href !== null && links.length < MAX_LINKS)
        links.push({ text: writer.since(began), href: decodeEntities(href) });
      if (name === "pre") writer.preserve(-1);
      if (BLOCKS.has(name)) writer.endLine();
    }
    isOver ||= element === main;
  };
  const endInnermost = (): Open | undefined => {
    const element = open.pop();
    if (!element) return;
    looked(1);
    leave(element);
    return element;
  };
  const begin = (tag: Tag) => {
    const { name, isClosed } = tag;
    if (endsBefore(name, open.innermost())) endInnermost();
    const isMain = name === "main" && !isWhole && main === null && !open.areUnseen();
    if (isMain) {
      // The page's content begins here. The elements around it end later, or were never closed.
      writer = createLineWriter();
      links = [];
      open.unhide();
    }
    if (open.isFull() && !isClosed) {
      // An element that hides its content must not end early.
      if (open.areHiding()) return;
      endInnermost();
    }
    const element = enter(tag);
    if (isMain) main = element;
    if (isClosed) leave(element);
    else open.push(element);
  };

  for (const token of htmlTokens(html, looked)) {
    switch (token.kind) {
      case "text":
        if (isSeen()) writer.write(decodeEntities(token.text));
        break;
      case "raw":
        if (token.name === "title" && !open.has("svg")) title ??= token.text;
        if (isSeen()) writer.write(token.name === "textarea" ? decodeEntities(token.text) : token.text);
        break;
      case "open":
        if (token.name === "base") base ??= token.href;
        if (token.name === "meta" && token.href !== null && links.length < MAX_LINKS)
          links.push({ text: "", href: decodeEntities(token.href) });
        begin(token);
        break;
      case "close":
        if (open.has(token.name)) while (endInnermost()?.name !== token.name);
        break;
    }
  }
  while (endInnermost());
  return { title: title ?? "", text: writer.text(), links, base: decodeEntities(base ?? "") };
}

/** Returns why an element and everything inside it is left out, or null. */
function hidesWithin({ name, isHidden }: Tag, isWhole: boolean): Open["hides"] {
  if (UNSEEN.has(name) || (isHidden && !WHOLE.has(name))) return "unseen";
  return !isWhole && AROUND.has(name) ? "around" : null;
}

/** Whether the innermost open element ends before one with this name begins. */
function endsBefore(name: string, innermost: Open | undefined): boolean {
  // Closing tags of list items may be left out.
  if (name === "li" && innermost?.name === "li") return true;
  if (innermost?.name === "head") return BLOCKS.has(name);
  // A hidden paragraph must not hide what follows it.
  return innermost?.name === "p" && innermost.hides !== null && BLOCKS.has(name) && name !== "br";
}

/** Creates the list of open elements, each inside the one before it. Every method except `unhide` takes constant time. */
function createOpenElements() {
  const open: Open[] = [];
  /** How many of them hide their content: because it is never seen, or because it surrounds the main part. */
  const hiding = { unseen: 0, around: 0 };
  /** How many elements of each name are open, so that a closing tag without an opening one needs no search. */
  const counts = new Map<string, number>();
  const count = ({ name, hides }: Open, by: 1 | -1) => {
    counts.set(name, (counts.get(name) ?? 0) + by);
    if (hides) hiding[hides] += by;
  };
  return {
    innermost: () => open.at(-1),
    has: (name: string) => (counts.get(name) ?? 0) > 0,
    isFull: () => open.length === MAX_DEPTH,
    areUnseen: () => hiding.unseen > 0,
    areHiding: () => hiding.unseen + hiding.around > 0,
    push(element: Open) {
      open.push(element);
      count(element, 1);
    },
    pop(): Open | undefined {
      const element = open.pop();
      if (element) count(element, -1);
      return element;
    },
    /** Makes all of them stop hiding their content. */
    unhide() {
      hiding.unseen = 0;
      hiding.around = 0;
      for (const element of open) element.hides = null;
    },
  };
}

type Tag = Extract<HtmlToken, { kind: "open" }>;

const isWeb = ({ protocol }: URL): boolean => /^https?:$/.test(protocol);

/** Resolves links. `base`: the address to which the page says its links are relative; the first one counts, as in a browser. */
function resolveLinks(raw: readonly RawLink[], address: URL, base: string): PageText["links"] {
  const named = (base.length <= MAX_BASE_CHARS && URL.parse(base, address.href)) || address;
  const from = isWeb(named) ? named.href : address.href;
  const byUrl = new Map<string, string>();
  for (const { text, href } of raw) {
    const url = URL.parse(href, from);
    if (!url) continue;
    url.hash = "";
    const isOther = url.href.replace(/#$/, "") !== address.href.replace(/#.*$/, "");
    if (isWeb(url) && isOther && !byUrl.has(url.href)) byUrl.set(url.href, oneLine(text.replace(MARK, "")));
  }
  return [...byUrl].map(([url, text]) => ({ text, url }));
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
