// Names remote tools: servers may use almost any name, but models accept few. Pure and stable: the same tools get the same names, in
// whatever order a server lists them.

/** The length that models accept (OpenAI: 64 of the characters below). */
const MAX_NAME_CHARS = 64;

/**
 * Maps each of the server's names to our own: `<server>_<tool>`, with a number at the end if the name would occur twice. `taken`: names that are
 * already in use.
 */
export function namesFor(server: string, tools: readonly string[], taken: ReadonlySet<string>): Map<string, string> {
  const names = new Map<string, string>();
  const used = new Set(taken);
  for (const tool of [...new Set(tools)].sort()) {
    const name = `${server}_${tool.replace(/[^A-Za-z0-9_-]+/g, "_")}`;
    let free = name.slice(0, MAX_NAME_CHARS);
    for (let number = 2; used.has(free); number++) free = numbered(name, number);
    used.add(free);
    names.set(tool, free);
  }
  return names;
}

function numbered(name: string, number: number): string {
  const ending = `_${number}`;
  return `${name.slice(0, MAX_NAME_CHARS - ending.length)}${ending}`;
}
