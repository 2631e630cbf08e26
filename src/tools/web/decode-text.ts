// Decodes the bytes of a response, by the encoding that its headers or the document itself declare. Pure.

/** Types that are text although they don't begin with `text/`. */
const TEXT_TYPE = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|x-ndjson|yaml|x-yaml|toml)$)/;
/** HTML must declare its encoding this early (WHATWG: within the first 1024 bytes). XML does so in its first line. */
const PRESCAN_BYTES = 1024;

/** Returns the kind of document; null if it is not text. Without a type, plain text is assumed. */
export function documentKind(contentType: string | null): "html" | "plain" | null {
  // Some servers send the type twice, or leave out the separator between it and its encoding.
  const type = /[^;,\s]+/.exec(contentType ?? "")?.[0].toLowerCase() ?? "text/plain";
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  return TEXT_TYPE.test(type) ? "plain" : null;
}

/** Returns the text, or null if it contains a null character, which text never does. */
export function decodeText(bytes: Uint8Array, contentType: string | null): string | null {
  const said = /charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? "")?.[1];
  const text = decoderFor(byMark(bytes) ?? said ?? byItself(bytes) ?? "utf-8").decode(bytes);
  return text.includes("\0") ? null : text;
}

/** Reads the byte order mark, which overrides every other declaration. */
function byMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

const META = /<meta[^>]{0,200}charset\s*=\s*["']?(?!utf-?16)([\w:.-]+)/i;
const XML = /^<\?xml[^>]{0,200}encoding\s*=\s*["'](?!utf-?16)([\w:.-]+)/i;

/**
 * Reads the document's own declaration. UTF-16 is never right there: if it were, the tag could not be read as bytes (WHATWG takes UTF-8 instead).
 */
function byItself(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder("latin1").decode(bytes.subarray(0, PRESCAN_BYTES));
  return (META.exec(beginning) ?? XML.exec(beginning))?.[1];
}

function decoderFor(label: string): { decode(bytes: Uint8Array): string } {
  // There is no other way to find out whether an encoding is known: an unknown one throws a RangeError.
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
