// The flags that npm takes for its own because no -- was before them. A script never sees those: `npm run deploy --dry-run` would deploy.

/** The flags that npm has too and that people keep in its configuration. */
const OF_NPM = ["yes", "json"];

/** The first of these flags that npm took; undefined: none. `env`: where npm puts what it took. */
export const findTaken = (
  flags: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string | undefined => flags.find((flag) => !OF_NPM.includes(flag) && isTaken(flag, env));

/** npm reads --as as its -a and -s: everything, and silently. */
const isTaken = (flag: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  flag === "as"
    ? env.npm_config_all === "true" && env.npm_config_loglevel === "silent"
    : Boolean(env[`npm_config_${flag.replaceAll("-", "_")}`]);

/** What to do about it. */
export const takenText = (flag: string): string => `npm took --${flag} for one of its own. Write -- before the flags.`;
