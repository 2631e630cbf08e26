// A page of HTML as a person reads it: title, text in lines, links. Pure, and linear in the page's length, because a page can be
// hostile: there is no tree, and the open elements are a list of limited length. Knows no styles and runs no scripts: what a page
// builds in the browser is not seen.
import { decodeEntities } from "./html-entities.ts";
import { type HtmlToken, htmlTokens, type Looked } from "./html-tokens.ts";
import { createLineWriter } from "./line-writer.ts";

/** The content of a page. Links are absolute, in the page's order, each address once. */
export interface PageText {
  title: string;
  text: string;
  links: { text: string; url: string }[];
}

/** Never shown as text by a browser. */
const UNSEEN = new Set(
  "script style template noscript noembed noframes svg math head title iframe object canvas select datalist audio video dialog".split(
    " ",
  ),
);
/** Shown around what the page is about. */
const AROUND: ReadonlySet<string> = new Set(["nav", "footer", "aside"]);
/** Hidden only until the page's scripts have run: they would hide everything. */
const WHOLE: ReadonlySet<string> = new Set(["html", "body", "main"]);
/** Begin and end a line. */
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
const MAX_LINKS = 500;
/** Each link is read together with the page's base, and an address that is longer can't be read. */
const MAX_BASE_CHARS = 2048;
/** Open elements, as many as browsers allow. At the limit the innermost one ends before another begins. */
const MAX_DEPTH = 512;

/** Reads a page that was found at `address`. Where nothing but navigation is found, that is read. */
export function readHtml(html: string, address: URL, looked?: Looked): PageText {
  const inner = readPage(html, false, looked);
  const { text, links } = inner.text === "" ? readPage(html, true, looked) : inner;
  return { title: oneLine(decodeEntities(inner.title)), text, links: resolveLinks(links, address, inner.base) };
}

interface RawLink {
  text: string;
  href: string;
}

/** An open element. `began`: the place in the text where it was entered; null when nothing of it is read. */
interface Open {
  name: string;
  href: string | null;
  began: number | null;
  /** Everything within it is left out, too: no one sees it, or it is around the main part. */
  hides: "unseen" | "around" | null;
}

/** One run over the page. Unless `isWhole`, only its first main part is read, or all but what is around the main part. */
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
      // The page begins here. What is around it has an end of its own, or was never closed.
      writer = createLineWriter();
      links = [];
      open.unhide();
    }
    if (open.isFull() && !isClosed) {
      // What hides must not end before its time.
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

/** Why an element and all within it is left out, or null. */
function hidesWithin({ name, isHidden }: Tag, isWhole: boolean): Open["hides"] {
  if (UNSEEN.has(name) || (isHidden && !WHOLE.has(name))) return "unseen";
  return !isWhole && AROUND.has(name) ? "around" : null;
}

/** Does the innermost open element end before one of this name begins? */
function endsBefore(name: string, innermost: Open | undefined): boolean {
  // Their closing tags may be left out.
  if (name === "li" && innermost?.name === "li") return true;
  if (innermost?.name === "head") return BLOCKS.has(name);
  // A paragraph that is hidden must not hide what follows.
  return innermost?.name === "p" && innermost.hides !== null && BLOCKS.has(name) && name !== "br";
}

/** The elements that are open, each within the one before it. Every method takes the same time, however many there are, but `unhide`. */
function createOpenElements() {
  const open: Open[] = [];
  /** How many of them hide what is within: as machinery, and as what is around the main part. */
  const hiding = { unseen: 0, around: 0 };
  /** How many of a name are open: a closing tag that closes nothing must not search for its beginning. */
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
    /** None of them hides what is within any more. */
    unhide() {
      hiding.unseen = 0;
      hiding.around = 0;
      for (const element of open) element.hides = null;
    },
  };
}

type Tag = Extract<HtmlToken, { kind: "open" }>;

const isWeb = ({ protocol }: URL): boolean => /^https?:$/.test(protocol);

/** `base`: the address from which a page says that its links count; the first one counts, as in a browser. */
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
