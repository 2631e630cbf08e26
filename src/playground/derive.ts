// A Worker's configuration moved to another folder: the same settings, its paths still pointing at the same files, and
// variables added. Text in, text out.

/** Settings of wrangler.toml that hold a path; a relative one counts from the file it stands in. */
const PATH_SETTING = /^(main|directory)\s*=\s*"([^"]*)"/gm;

/**
 * The text of a wrangler.toml as it must read elsewhere: `move` turns a path as seen from the old place into one seen from
 * the new. `vars` become its [vars] table; throws if it has one already, since a TOML file cannot have two.
 */
export function deriveConfig(
  text: string,
  move: (path: string) => string,
  vars: Readonly<Record<string, string>>,
): string {
  if (/^\[vars\]/m.test(text))
    throw new Error("A configuration with a [vars] table of its own cannot be derived from.");
  const moved = text.replace(
    PATH_SETTING,
    (_, name: string, path: string) => `${name} = ${JSON.stringify(move(path))}`,
  );
  // A JSON string is a TOML basic string.
  const table = Object.entries(vars).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return `${moved.trimEnd()}\n\n[vars]\n${table.join("\n")}\n`;
}
