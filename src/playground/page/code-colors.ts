// Colors code with the library that Discord's client uses: a language and a text in, pieces with class names out. Pure; builds no DOM.
import highlight from "highlight.js/lib/common";

/** A piece of code. Without a `className` it has the color of ordinary text. */
export type Piece = { text: string; className?: string };

/** Longer code is not colored: every edit of a streaming answer would parse it again. */
const MOST = 20_000;
const TOKEN = /<span class="([^"]*)">|<\/span>|&(amp|lt|gt|quot|#x27);|[^<&]+/g;
const ESCAPED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** Splits code into pieces, in order. Code in an unknown language is one piece. */
export function colorCode(language: string, text: string): Piece[] {
  if (text.length > MOST || highlight.getLanguage(language) === undefined) return [{ text }];
  return readPieces(highlight.highlight(text, { language, ignoreIllegals: true }).value);
}

/** Reads the library's HTML, which contains only spans, text and these escapes. In nested spans, the innermost class counts. */
function readPieces(html: string): Piece[] {
  const pieces: Piece[] = [];
  const open: string[] = [];
  for (const [found, className, entity] of html.matchAll(TOKEN)) {
    if (className !== undefined) open.push(className);
    else if (found === "</span>") open.pop();
    else add(pieces, entity === undefined ? found : (ESCAPED[entity] ?? ""), open.at(-1));
  }
  return pieces;
}

function add(pieces: Piece[], text: string, className: string | undefined): void {
  const last = pieces.at(-1);
  if (last && last.className === className) last.text += text;
  else pieces.push({ text, ...(className !== undefined && { className }) });
}
