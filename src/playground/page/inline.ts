// Discord's Markdown within a line: text in, a tree of spans out. Pure; builds no DOM and accepts only http(s) links.

/** A span of text. `link` has only http and https addresses; `time` is in seconds since the epoch, in one of Discord's styles. */
export type Span =
  | { kind: "text" | "code"; text: string }
  | { kind: "strong" | "em" | "underline" | "strike" | "spoiler"; spans: Span[] }
  | { kind: "link"; href: string; spans: Span[] }
  | { kind: "mention"; sigil: "@" | "#"; id: string }
  | { kind: "message"; channelId: string; id: string }
  | { kind: "time"; seconds: number; style?: string | undefined };

type Rule = { pattern: RegExp; span: (match: RegExpExecArray) => Span | undefined };

const wrap = (kind: "strong" | "em" | "underline" | "strike" | "spoiler", pattern: RegExp): Rule => ({
  pattern,
  span: (match) => ({ kind, spans: parseSpans(match[1] ?? "") }),
});

// Sticky patterns, tried in this order at every position; the longer mark comes before the shorter one.
const RULES: Rule[] = [
  { pattern: /\\([^A-Za-z0-9\s])/y, span: ([, text = ""]) => ({ kind: "text", text }) },
  { pattern: /(`+)([\s\S]*?[^`])\1(?!`)/y, span: ([, , text = ""]) => ({ kind: "code", text: text.trim() || text }) },
  wrap("spoiler", /\|\|([\s\S]+?)\|\|/y),
  wrap("strong", /\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y),
  wrap("underline", /__((?:\\[\s\S]|[^\\])+?)__(?!_)/y),
  wrap("strike", /~~((?:\\[\s\S]|[^\\])+?)~~/y),
  wrap("em", /\*(?=[^\s*])((?:\*\*|\\[\s\S]|[^\\*])*?(?:\*\*|\\[\s\S]|[^\s\\*]))\*(?!\*)/y),
  wrap("em", /(?<![\p{L}\p{N}_])_(?=[^\s_])((?:__|\\[\s\S]|[^\\_])*?(?:__|\\[\s\S]|[^\s\\_]))_(?![\p{L}\p{N}_])/uy),
  {
    pattern: /\[([^\]\n]+)\]\(<?(https?:\/\/[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)>?\)/y,
    span: ([, label = "", href = ""]) => link(href, parseSpans(label)),
  },
  {
    pattern: /https:\/\/discord\.com\/channels\/(?:\d{1,20}|@me)\/(\d{1,20})\/(\d{1,20})(?![\w/?#%-])/y,
    span: ([, channelId = "", id = ""]) => ({ kind: "message", channelId, id }),
  },
  { pattern: /<(https?:\/\/[^\s<>]+)>/y, span: ([, href = ""]) => link(href, [{ kind: "text", text: href }]) },
  {
    pattern: /https?:\/\/[^\s<>]*[^\s<>.,:;!?"'()[\]*_~|]/y,
    span: ([href]) => link(href, [{ kind: "text", text: href }]),
  },
  { pattern: /<@[!&]?(\d{1,20})>/y, span: ([, id = ""]) => ({ kind: "mention", sigil: "@", id }) },
  { pattern: /<#(\d{1,20})>/y, span: ([, id = ""]) => ({ kind: "mention", sigil: "#", id }) },
  {
    pattern: /<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y,
    span: ([, seconds, style]) => ({ kind: "time", seconds: Number(seconds), style }),
  },
];

/** Reads one run of text (line breaks stay in it). Marks without a partner are text. */
export function parseSpans(text: string): Span[] {
  const spans: Span[] = [];
  let plain = "";
  const flush = () => {
    if (plain !== "") spans.push({ kind: "text", text: plain });
    plain = "";
  };
  for (let at = 0; at < text.length; ) {
    const found = spanAt(text, at);
    if (!found) plain += text[at++];
    else {
      at = found.end;
      if (found.span.kind === "text") plain += found.span.text;
      else {
        flush();
        spans.push(found.span);
      }
    }
  }
  flush();
  return spans;
}

function spanAt(text: string, at: number): { span: Span; end: number } | undefined {
  // Most characters open nothing; trying every pattern on them would make long text slow.
  if (!/[\\`|*_~[<h]/.test(text[at] ?? "")) return undefined;
  for (const { pattern, span } of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const read = match && span(match);
    if (match && read) return { span: read, end: at + match[0].length };
  }
  return undefined;
}

function link(href: string, spans: Span[]): Span | undefined {
  return URL.canParse(href) ? { kind: "link", href: new URL(href).href, spans } : undefined;
}
