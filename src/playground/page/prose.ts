// Draws a message's Markdown tree as DOM. Parses nothing; the caller supplies the names of mentioned people and channels.
import { colorCode } from "./code-colors.ts";
import { element } from "./element.ts";
import type { Span } from "./inline.ts";
import { type Block, parseBlocks } from "./markdown.ts";
import { speakStamp } from "./spoken-time.ts";

/** Finds the name for a mention; undefined if it is unknown. */
export type Names = (sigil: "@" | "#", id: string) => string | undefined;

/** Draws the text of a message. */
export const prose = (text: string, names: Names): Node[] => parseBlocks(text).map((block) => drawBlock(block, names));

function drawBlock(block: Block, names: Names): Node {
  switch (block.kind) {
    case "paragraph":
      return element("p", {}, ...drawSpans(block.spans, names));
    case "subtext":
      return element("p", { class: "subtext" }, ...drawSpans(block.spans, names));
    case "heading":
      // The page's own headings are h1 and h2; a message's begin below them.
      return element(
        `h${block.level + 2}` as "h3",
        { class: `heading-${block.level}` },
        ...drawSpans(block.spans, names),
      );
    case "quote":
      return element("blockquote", {}, ...block.blocks.map((inner) => drawBlock(inner, names)));
    case "list":
      return drawList(block, names);
    case "code":
      return drawCode(block);
  }
}

function drawList(list: Extract<Block, { kind: "list" }>, names: Names): HTMLElement {
  const items = list.items.map((item) =>
    element("li", {}, ...drawSpans(item.spans, names), ...item.blocks.map((inner) => drawBlock(inner, names))),
  );
  return list.start === null ? element("ul", {}, ...items) : element("ol", { start: String(list.start) }, ...items);
}

function drawCode({ language, text }: Extract<Block, { kind: "code" }>): HTMLElement {
  const copy = element("button", { type: "button", class: "copy" }, "Copy");
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "Copying is not allowed here";
    }
  });
  const bar = element("div", { class: "code-bar" }, element("span", {}, language || "text"), copy);
  const colored = colorCode(language, text).map(({ text: piece, className }) =>
    className === undefined ? piece : element("span", { class: className }, piece),
  );
  return element("div", { class: "code" }, bar, element("pre", { tabindex: "0" }, element("code", {}, ...colored)));
}

const drawSpans = (spans: readonly Span[], names: Names): Node[] => spans.map((span) => drawSpan(span, names));

function drawSpan(span: Span, names: Names): Node {
  switch (span.kind) {
    case "text":
      return document.createTextNode(span.text);
    case "code":
      return element("code", {}, span.text);
    case "strong":
    case "em":
      return element(span.kind, {}, ...drawSpans(span.spans, names));
    case "underline":
      return element("u", {}, ...drawSpans(span.spans, names));
    case "strike":
      return element("s", {}, ...drawSpans(span.spans, names));
    case "spoiler":
      return drawSpoiler(drawSpans(span.spans, names));
    case "link":
      return element(
        "a",
        { href: span.href, target: "_blank", rel: "noopener noreferrer" },
        ...drawSpans(span.spans, names),
      );
    case "mention": {
      const name = `${span.sigil}${names(span.sigil, span.id) ?? "unknown"}`;
      return span.sigil === "#" ? channelLink(span.id, name) : element("span", { class: "mention" }, name);
    }
    case "message": {
      const link = channelLink(span.channelId, `#${names("#", span.channelId) ?? "unknown"} › 💬`);
      link.dataset.message = span.id;
      link.title = "Go to the message";
      return link;
    }
    case "time":
      return drawTime(span.seconds, span.style);
  }
}

/** Draws a link to a channel, which the page follows without reloading. */
export const channelLink = (id: string, name: string, className = "mention"): HTMLElement =>
  element("a", { class: className, href: `?channel=${id}`, "data-channel": id }, name);

function drawTime(seconds: number, style?: string): HTMLElement {
  const full = speakStamp(seconds, "F");
  if (style !== "R") return element("time", { class: "stamp", title: full }, speakStamp(seconds, style));
  const stamp = element("time", { class: "stamp", title: full, "data-seconds": String(seconds) });
  stamp.textContent = speakStamp(seconds, "R");
  return stamp;
}

/** Updates the relative times in a part of the page. */
export function refreshTimes(within: ParentNode): void {
  for (const stamp of within.querySelectorAll<HTMLElement>("time[data-seconds]"))
    stamp.textContent = speakStamp(Number(stamp.dataset.seconds), "R");
}

function drawSpoiler(hidden: Node[]): HTMLElement {
  const inside = element("span", { inert: true }, ...hidden);
  const spoiler = element(
    "span",
    { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler; press to reveal" },
    inside,
  );
  const reveal = () => {
    inside.removeAttribute("inert");
    for (const name of ["role", "tabindex", "aria-label"]) spoiler.removeAttribute(name);
    spoiler.classList.add("revealed");
  };
  spoiler.addEventListener("click", reveal);
  spoiler.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    reveal();
  });
  return spoiler;
}
