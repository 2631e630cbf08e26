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
  /** How many of the open elements hide what is within them: as machinery, and as what is around the main part. */
  let unseen = 0;
  let around = 0;
  const open: Open[] = [];
  /** How many elements of a name are open: a closing tag that closes nothing must not search for its beginning. */
  const counts = new Map<string, number>();
  const isOpen = (name: string) => (counts.get(name) ?? 0) > 0;
  const isSeen = () => unseen === 0 && around === 0 && !isOver;

  const count = (hides: Open["hides"], by: 1 | -1) => {
    if (hides === "unseen") unseen += by;
    if (hides === "around") around += by;
  };
  const enter = ({ name, href, isHidden }: Tag): Open => {
    const isUnseen = UNSEEN.has(name) || (isHidden && !WHOLE.has(name));
    const hides = isUnseen ? "unseen" : !isWhole && AROUND.has(name) ? "around" : null;
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
    counts.set(element.name, (counts.get(element.name) ?? 0) - 1);
    count(element.hides, -1);
    leave(element);
    return element;
  };
  const begin = (tag: Tag) => {
    const { name, isClosed } = tag;
    const { name: above, hides: hiding } = open.at(-1) ?? {};
    // Their closing tags may be left out.
    if ((name === "li" && above === "li") || (above === "head" && BLOCKS.has(name))) endInnermost();
    // One that is hidden must not hide what follows.
    else if (above === "p" && hiding && BLOCKS.has(name) && name !== "br") endInnermost();
    const isMain = name === "main" && !isWhole && main === null && unseen === 0;
    if (isMain) {
      // The page begins here. What is around it has an end of its own, or was never closed.
      writer = createLineWriter();
      links = [];
      around = 0;
      for (const element of open) element.hides = null;
    }
    if (open.length === MAX_DEPTH && !isClosed) {
      // What hides must not end before its time.
      if (unseen + around > 0) return;
      endInnermost();
    }
    const element = enter(tag);
    if (isMain) main = element;
    if (isClosed) return leave(element);
    open.push(element);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    count(element.hides, 1);
  };

  for (const token of htmlTokens(html, looked)) {
    switch (token.kind) {
      case "text":
        if (isSeen()) writer.write(decodeEntities(token.text));
        break;
      case "raw":
        if (token.name === "title" && !isOpen("svg")) title ??= token.text;
        if (isSeen()) writer.write(token.name === "textarea" ? decodeEntities(token.text) : token.text);
        break;
      case "open":
        if (token.name === "base") base ??= token.href;
        if (token.name === "meta" && token.href !== null && links.length < MAX_LINKS)
          links.push({ text: "", href: decodeEntities(token.href) });
        begin(token);
        break;
      case "close":
        if (isOpen(token.name)) while (endInnermost()?.name !== token.name);
        break;
    }
  }
  while (endInnermost());
  return { title: title ?? "", text: writer.text(), links, base: decodeEntities(base ?? "") };
}

type Tag = Extract<HtmlToken, { kind: "open" }>;

/** `base`: the address from which a page says that its links count; the first one counts, as in a browser. */
function resolveLinks(raw: readonly RawLink[], address: URL, base: string): PageText["links"] {
  const named = (base.length <= MAX_BASE_CHARS && URL.parse(base, address.href)) || address;
  const from = /^https?:$/.test(named.protocol) ? named.href : address.href;
  const byUrl = new Map<string, string>();
  for (const { text, href } of raw) {
    const url = URL.parse(href, from);
    if (!url) continue;
    url.hash = "";
    const isOther = url.href.replace(/#$/, "") !== address.href.replace(/#.*$/, "");
    if (/^https?:$/.test(url.protocol) && isOther && !byUrl.has(url.href))
      byUrl.set(url.href, oneLine(text.replace(MARK, "")));
  }
  return [...byUrl].map(([url, text]) => ({ text, url }));
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
