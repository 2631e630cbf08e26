// Splits HTML into tags and text in one pass, so that the time is linear in the page's length. Knows how tags are written, but not what
// they mean, except which elements contain no other tags. Builds no tree.

import { decodeEntities } from "./html-entities.ts";

/**
 * `text` is as written, with its character references. `raw`: the content of an element that contains no tags. `isHidden`: the tag itself says
 * that people don't see the element. `href` of `meta`: the address to which the page redirects.
 */
export type HtmlToken =
  | { kind: "text"; text: string }
  | { kind: "raw"; name: string; text: string }
  | { kind: "open"; name: string; href: string | null; isHidden: boolean; isClosed: boolean }
  | { kind: "close"; name: string };

/** Gets the number of characters that were looked at, so that a test can count them. */
export type Looked = (chars: number) => void;

/** Inside these elements, a browser looks only for their own closing tag. */
const RAW = "script style title textarea iframe noscript noembed noframes xmp".split(" ");
const RAW_ENDS = new Map(RAW.map((name) => [name, new RegExp(`</${name}(?=[\\s/>])`, "gi")]));
/** These elements have no closing tag. */
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

const TAG = /<[a-z/!?]/gi;
const NAME = /[^\s/>]*/y;
const BETWEEN = /[\s/]*/y;
/** A quote that is never closed reaches to the end. No alternative looks at the same characters again. */
const ATTRIBUTE = /([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s>]*)))?/y;

/** A time in seconds, and the part that names the address to which the page then redirects. */
const REFRESH = /^[\d.]*\s*[;,]\s*(.*)$/s;

/** Inline styles that hide an element. Style sheets are not read. */
const HIDING =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size|max-height)\s*:\s*(?:0|0?\.0+)(?:px|r?em|pt|%)?\s*(?:[;!]|$)|(?:left|top|right|text-indent)\s*:\s*-\d{3,})/i;

const STYLE_COMMENT = /\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)/g;

/** Returns the tokens of a page, in order. A tag or comment that is cut off by the end of the page is dropped, as in a browser. */
export function* htmlTokens(html: string, looked: Looked = () => {}): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    TAG.lastIndex = at;
    const start = TAG.exec(html)?.index ?? html.length;
    if (start > at) yield { kind: "text", text: html.slice(at, start) };
    looked(start - at);
    at = start;
    if (start === html.length) return;
    const sign = html[start + 1];
    if (sign === "/" || sign === "!" || sign === "?") {
      const isComment = html.startsWith("<!--", start);
      const end = isComment ? html.indexOf("-->", start + 2) : html.indexOf(">", start);
      looked((end < 0 ? html.length : end) - start);
      if (end < 0) return;
      if (sign === "/") yield { kind: "close", name: readName(html, start + 2) };
      at = end + (isComment ? 3 : 1);
      continue;
    }
    const tag = readTag(html, start + 1);
    looked((tag?.end ?? html.length) - start);
    if (!tag) return;
    yield tag.token;
    at = tag.end;
    const rawEnd = tag.token.isClosed ? undefined : RAW_ENDS.get(tag.token.name);
    if (!rawEnd) continue;
    rawEnd.lastIndex = at;
    const end = rawEnd.exec(html)?.index ?? html.length;
    looked(end - at);
    yield { kind: "raw", name: tag.token.name, text: html.slice(at, end) };
    at = end;
  }
}

/** Returns the tag whose name begins here, and the position after it; null if the tag does not end. */
function readTag(html: string, from: number): { token: Extract<HtmlToken, { kind: "open" }>; end: number } | null {
  const name = readName(html, from);
  let href: string | null = null;
  let content = "";
  let isRefresh = false;
  let isHidden = false;
  let at = from + name.length;
  for (;;) {
    BETWEEN.lastIndex = at;
    const between = BETWEEN.exec(html)?.[0] ?? "";
    at += between.length;
    if (at >= html.length) return null;
    if (html[at] === ">") {
      if (isRefresh)
        href =
          REFRESH.exec(content.trim())?.[1]
            ?.replace(/^url\s*=\s*/i, "")
            .replace(/["']/g, "") ?? null;
      return {
        token: { kind: "open", name, href, isHidden, isClosed: between.endsWith("/") || VOID.has(name) },
        end: at + 1,
      };
    }
    ATTRIBUTE.lastIndex = at;
    const [, key = "", ...values] = ATTRIBUTE.exec(html) ?? [];
    const value = values.find((one) => one !== undefined) ?? null;
    switch (key.toLowerCase()) {
      case "href":
        href ??= value;
        break;
      case "content":
        content ||= value ?? "";
        break;
      case "http-equiv":
        isRefresh = name === "meta" && value?.toLowerCase() === "refresh";
        break;
      case "hidden":
        isHidden = true;
        break;
      case "style":
        isHidden ||= HIDING.test(decodeEntities(value ?? "").replace(STYLE_COMMENT, ""));
    }
    at = ATTRIBUTE.lastIndex;
  }
}

function readName(html: string, from: number): string {
  NAME.lastIndex = from;
  return (NAME.exec(html)?.[0] ?? "").toLowerCase();
}
