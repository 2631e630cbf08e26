// Moves a Worker's configuration to another folder, to run it on this machine: the same settings and additional variables, with paths that
// still lead to the same files. Text in, text out.

/** Settings of wrangler.toml that contain a path. A relative path starts at the file's own folder. */
const PATH_SETTING = /^(main|directory)\s*=\s*"([^"]*)"/gm;
/** The table of cron triggers, up to the next table. `wrangler dev` doesn't run them and warns about each; the code that starts it runs them. */
const TRIGGERS = /^\[triggers\]\n(?:(?!\[).*\n)*/m;

/**
 * Returns the text of a wrangler.toml for its new folder, without cron triggers. `move` turns a path relative to the old folder into one
 * relative to the new. `vars` become the [vars] table; throws if there already is one, because a TOML file can't have two.
 */
export function deriveConfig(
  text: string,
  move: (path: string) => string,
  vars: Readonly<Record<string, string>>,
): string {
  if (/^\[vars\]/m.test(text))
    throw new Error("A configuration with a [vars] table of its own cannot be derived from.");
  const moved = text
    .replace(TRIGGERS, "")
    .replace(PATH_SETTING, (_, name: string, path: string) => `${name} = ${JSON.stringify(move(path))}`);
  // A JSON string is a TOML basic string.
  const table = Object.entries(vars).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return `${moved.trimEnd()}\n\n[vars]\n${table.join("\n")}\n`;
}
