// The values that people paste, by their form alone: what can't be right is refused before it is used.

/** The digits of the largest number of 64 bits. */
const ID_DIGITS = 20;

/** Adds each problem, which names its variable. */
export function checkPasted(
  value: (name: "DISCORD_APPLICATION_ID" | "DISCORD_BOT_TOKEN" | "OPENAI_API_KEY") => string | null,
  problems: string[],
): void {
  // Anyone may read it in `/health`, and what was pasted in its place may be a secret: those are longer than an id, which has 64 bits.
  if ((value("DISCORD_APPLICATION_ID")?.length ?? 0) > ID_DIGITS)
    problems.push("DISCORD_APPLICATION_ID is not a Discord id");
  for (const name of ["DISCORD_BOT_TOKEN", "OPENAI_API_KEY"] as const) checkKey(name, value(name) ?? "", problems);
}

/** An editor's dots or dashes in a key: no request could have it in a header. */
export function checkKey(name: string, key: string, problems: string[]): void {
  if (/[^ -~]/.test(key)) problems.push(`${name} has a character that no key has`);
}

/** A variable that another one names, for a problem: in another form the name may be the secret itself, pasted in its place. */
export const shownName = (name: string | undefined, place: string): string =>
  /^[A-Z][A-Z\d_]*$/.test(name ?? "") ? `${name}` : `the variable in ${place}`;
