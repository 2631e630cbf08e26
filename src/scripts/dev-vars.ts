// The variables of a `.dev.vars`, for the scripts that read or write one: as wrangler reads it, which needs its own for `wrangler dev`.
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** The variables of the file; none where there is no such file. */
export function readVariables(path: string): NodeJS.Dict<string> {
  try {
    const bytes = readFileSync(path);
    // The decoder drops the mark of an encoding that an editor on Windows puts before the first name.
    return parseEnv(new TextDecoder(isMarked(bytes) ? "utf-16le" : "utf-8").decode(bytes));
  } catch {
    return {};
  }
}

/** Is the file in UTF-16, as PowerShell's `>` writes it? Wrangler reads every file as UTF-8, and finds no variable in it. */
export function isUtf16(path: string): boolean {
  try {
    return isMarked(readFileSync(path));
  } catch {
    return false;
  }
}

const isMarked = ([first, second]: Buffer): boolean => first === 0xff && second === 0xfe;

/**
 * The variables as wrangler reads them: the text of a `.dev.vars`, of which it prints no value, and for its configuration those that
 * no quotes there can hold (a long prompt, never a key).
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

/** A value in whichever quotes it doesn't contain; null where it contains all. Only in double ones a backslash means something. */
function quote(value: string): string | null {
  const marks = value.includes("\\") ? ["'", "`"] : ["'", "`", '"'];
  const mark = marks.find((one) => !value.includes(one));
  return mark === undefined ? null : `${mark}${value}${mark}`;
}
