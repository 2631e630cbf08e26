// A Worker's configuration moved to another folder: the same settings, its paths still pointing at the same files, and
// variables added. Text in, text out. The copy lives in its own folder, so that no .dev.vars of a person is read with it.
import { dirname, relative, resolve } from "node:path";

/** Settings of wrangler.toml that hold a path; a relative one counts from the file it stands in. */
const PATH_SETTING = /^(main|directory)\s*=\s*"([^"]*)"/gm;

/** The text of the configuration `from`, as it must read at `to`. `vars` become its [vars] table; it may have none yet. */
export function deriveConfig(text: string, from: string, to: string, vars: Readonly<Record<string, string>>): string {
  if (/^\[vars\]/m.test(text)) throw new Error(`${from} has a [vars] table; the playground's variables would collide.`);
  const moved = text.replace(PATH_SETTING, (_, name: string, path: string) => {
    const target = relative(dirname(to), resolve(dirname(from), path));
    return `${name} = ${JSON.stringify(target)}`;
  });
  // A JSON string is a TOML basic string.
  const table = Object.entries(vars).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return `${moved.trimEnd()}\n\n[vars]\n${table.join("\n")}\n`;
}
