// Finds flags that npm took for its own because no -- came before them. The script never sees them: `npm run deploy --dry-run` would deploy.

/** Flags that npm also has, and that people keep in npm's configuration. */
const OF_NPM = ["yes", "json"];

/** Returns the first of these flags that npm took, or undefined. `env`: where npm puts them. */
export const findTaken = (
  flags: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string | undefined => flags.find((flag) => !OF_NPM.includes(flag) && isTaken(flag, env));

/** npm reads --as as its short flags -a and -s (all, silent). */
const isTaken = (flag: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  flag === "as"
    ? env.npm_config_all === "true" && env.npm_config_loglevel === "silent"
    : Boolean(env[`npm_config_${flag.replaceAll("-", "_")}`]);

/** Says what to do about it. */
export const takenText = (flag: string): string =>
  `npm took --${flag} for one of its own options. Write -- before the options.`;
