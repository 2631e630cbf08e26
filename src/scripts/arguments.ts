// Reads the command line of a script: its values, or the text to print instead of running. All scripts use it, so that a flag means the
// same everywhere and a mistake gives a sentence, never a stack trace.
import process from "node:process";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { findTaken, takenText } from "./npm-flags.ts";

/** What to print instead of running: the requested usage (0), or a sentence about a mistake and the usage (2). */
export interface Instead {
  code: 0 | 2;
  text: string;
}

type Options = NonNullable<ParseArgsConfig["options"]>;
type Config<Flags extends Options> = { options: Flags; allowPositionals: true; strict: true };
type Read<Flags extends Options> = ReturnType<typeof parseArgs<Config<Flags>>>;

/**
 * Reads `args` with these `flags`, to which `--help` and `-h` are added. `words`: arguments without a flag are allowed. `env`: the environment,
 * where npm puts flags that it took for its own because no -- came before them.
 */
export function readArguments<const Flags extends Options>(
  args: string[],
  usage: string,
  flags: Flags,
  { words = false, env = process.env }: { words?: boolean; env?: NodeJS.ProcessEnv } = {},
): Read<Flags> | { instead: Instead } {
  const taken = findTaken(Object.keys(flags), env);
  if (taken !== undefined) return { instead: mistake(takenText(taken), usage) };
  try {
    const help = { help: { type: "boolean", short: "h" } } as const;
    const read = parseArgs({ args, options: { ...flags, ...help }, allowPositionals: words, strict: true });
    if ("help" in read.values) return { instead: { code: 0, text: `${usage}\n` } };
    return read as unknown as Read<Flags>;
  } catch (error) {
    return { instead: mistake(describeMistake(error), usage) };
  }
}

/** Returns the values of this process's flags. After --help or a mistake, prints the text and ends the process. */
export function readFlags<const Flags extends Options>(usage: string, flags: Flags): Read<Flags>["values"] {
  const read = readArguments(process.argv.slice(2), usage, flags);
  return "instead" in read ? leave(read.instead) : read.values;
}

/** Builds the text about a mistake on the command line: one sentence, and the usage. */
export const mistake = (sentence: string, usage: string): Instead => ({ code: 2, text: `${sentence}\n${usage}\n` });

/** Prints the text (a requested usage to stdout, a mistake to stderr), and ends the process. */
export function leave({ code, text }: Instead): never {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
}

/** Shortens Node's two or three sentences to the first, which names the argument. */
function describeMistake(error: unknown): string {
  if (!(error instanceof Error && "code" in error && `${error.code}`.startsWith("ERR_PARSE_ARGS"))) throw error;
  const { message, code } = error;
  const takesOne = code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE" && !message.includes("does not take");
  if (takesOne) return `${/--[\w-]+/.exec(message)?.[0]} needs a value.`;
  return `${message.split(/\.\s/)[0]?.replaceAll("'", "")}.`;
}
