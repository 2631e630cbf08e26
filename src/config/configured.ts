// Which variables are set, by name: what `/health` may say about a configuration without showing any of it.

/** Without these nothing runs, so that they are set says nothing. */
const REQUIRED: ReadonlySet<string> = new Set(["DISCORD_PUBLIC_KEY", "DISCORD_APPLICATION_ID"]);

/** The names of the optional variables that are set, sorted. An empty one counts as unset. */
export const listConfigured = (values: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(values)
    .flatMap(([name, value]) => (value?.trim() && !REQUIRED.has(name) ? [name] : []))
    .sort();
