// Reads and writes `.dev.vars` files, which scripts share with `wrangler dev`, in the syntax that wrangler reads.
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** Reads the variables of the file; empty if there is no such file. */
export function readVariables(path: string): NodeJS.Dict<string> {
  try {
    const bytes = readFileSync(path);
    // The decoder drops the byte order mark that an editor on Windows may put before the first name.
    return parseEnv(new TextDecoder(isMarked(bytes) ? "utf-16le" : "utf-8").decode(bytes));
  } catch {
    return {};
  }
}

/** Whether the file is in UTF-16, as PowerShell's `>` writes it. Wrangler reads every file as UTF-8 and would find no variable in it. */
export function isUtf16(path: string): boolean {
  try {
    return isMarked(readFileSync(path));
  } catch {
    return false;
  }
}

const isMarked = ([first, second]: Buffer): boolean => first === 0xff && second === 0xfe;

/**
 * Writes variables so that wrangler can read them: as the text of a `.dev.vars`, whose values wrangler never prints, and as `vars` for its
 * configuration those that can't be quoted there (a long prompt, never a key).
 */
export function writtenVariables(variables: Readonly<Record<string, string>>): {
  devVars: string;
  vars: Record<string, string>;
} {
  const quoted = Object.entries(variables).map(([name, value]) => [name, value, quote(value)] as const);
  return {
    devVars: quoted.flatMap(([name, , text]) => (text === null ? [] : [`${name}=${text}\n`])).join(""),
    vars: Object.fromEntries(quoted.flatMap(([name, value, text]) => (text === null ? [[name, value]] : []))),
  };
}

/** Puts a value in quotes that it doesn't contain; null if it contains all kinds. A backslash is special only in double quotes. */
function quote(value: string): string | null {
  const marks = value.includes("\\") ? ["'", "`"] : ["'", "`", '"'];
  const mark = marks.find((one) => !value.includes(one));
  return mark === undefined ? null : `${mark}${value}${mark}`;
}
