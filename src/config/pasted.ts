// Checks the form of values that people paste, so that one that can't be right is refused before it is used.

/** How many digits the largest 64-bit number has. */
const ID_DIGITS = 20;

/** Checks the pasted values. Adds each problem, which names its variable. */
export function checkPasted(
  value: (name: "DISCORD_APPLICATION_ID" | "DISCORD_BOT_TOKEN" | "OPENAI_API_KEY") => string | null,
  problems: string[],
): void {
  // Anyone may read it in `/health`, and a secret may have been pasted in its place. Secrets are longer than an id, which has 64 bits.
  if ((value("DISCORD_APPLICATION_ID")?.length ?? 0) > ID_DIGITS)
    problems.push("DISCORD_APPLICATION_ID is not a Discord id");
  for (const name of ["DISCORD_BOT_TOKEN", "OPENAI_API_KEY"] as const) checkKey(name, value(name) ?? "", problems);
}

/** Adds a problem if a key has a character that no header can carry, such as an editor's dots or dashes. */
export function checkKey(name: string, key: string, problems: string[]): void {
  if (/[^ -~]/.test(key)) problems.push(`${name} has a character that no key has`);
}

/** Returns, for a problem, the name of a variable that another one names. If it isn't a name, it may be the secret itself, so it is not shown. */
export const shownName = (name: string | undefined, place: string): string =>
  /^[A-Z][A-Z\d_]*$/.test(name ?? "") ? `${name}` : `the variable in ${place}`;
