// The variables of a `.dev.vars`, for the scripts that read one: as wrangler reads it, which needs its own for `wrangler dev`.
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** The variables of the file; none where there is no such file. */
export function readVariables(path: string): NodeJS.Dict<string> {
  try {
    // An editor on Windows may have put the mark of its encoding before the first name.
    return parseEnv(readFileSync(path, "utf8").replace(/^\ufeff/, ""));
  } catch {
    return {};
  }
}
