// The command lines of setup, doctor and deploy: their values, or the text to print instead. A mistake is a sentence and the usage.
import process from "node:process";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { findTaken, takenText } from "../scripts/npm-flags.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Read<Flags extends Options> = ReturnType<typeof parseArgs<{ options: Flags; strict: true }>>["values"];

/** The Worker's name, unless --name says another. */
export const WORKER_NAME = "parley";

/** Reads the flags. Prints the usage, asked for or after a mistake, and ends the process instead where nothing can run. */
export function readFlags<const Flags extends Options>(usage: string, flags: Flags): Read<Flags> {
  refuseTaken(usage, Object.keys(flags));
  try {
    const help = { help: { type: "boolean", short: "h" } } as const;
    const { values } = parseArgs({ args: process.argv.slice(2), options: { ...flags, ...help }, strict: true });
    if ("help" in values) leave(process.stdout, usage, 0);
    return values as Read<Flags>;
  } catch (error) {
    return leave(process.stderr, `${describeMistake(error)}\n${usage}`, 2);
  }
}

/** Ends the process with a sentence and the usage where npm took one of these flags. */
export function refuseTaken(usage: string, flags: readonly string[]): void {
  const taken = findTaken(flags, process.env);
  if (taken === undefined) return;
  leave(process.stderr, `${takenText(taken)}\n${usage}`, 2);
}

/** A Worker's name as Cloudflare accepts it; else ends the process with a sentence. */
export function checkName(name: string, usage: string): string {
  const fault = findNameFault(name);
  return fault === null ? name : leave(process.stderr, `${fault}\n${usage}`, 2);
}

/** What is wrong with a Worker's name; null: nothing. What begins as a flag does was meant as the next one. */
export function findNameFault(name: string): string | null {
  if (/^[a-z0-9]([a-z0-9-]{0,52}[a-z0-9])?$/.test(name)) return null;
  if (/^(-|$)/.test(name)) return "--name needs a value.";
  return `--name must be lower-case letters, digits and hyphens, not "${name}".`;
}

/** A channel's id; else ends the process with a sentence. */
export function checkChannel(id: string, usage: string): string {
  if (/^\d+$/.test(id)) return id;
  return leave(process.stderr, `--channel must be the id of a channel, not "${id}".\n${usage}`, 2);
}

/** A Worker's address as people copy it: without its scheme, or with the path of one of its pages. Null: it is none. */
export function readUrl(text: string): string | null {
  const given = text.trim();
  const url = URL.parse(given.includes("://") ? given : `https://${given}`);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return (url.origin + url.pathname).replace(/\/(?:interactions|health)?\/*$/, "");
}

/** As `readUrl`; ends the process with a sentence where it is no address. */
export const checkUrl = (text: string, usage: string): string =>
  readUrl(text) ??
  leave(process.stderr, `--url must be the Worker's address, such as https://parley.example.workers.dev.\n${usage}`, 2);

/** The value of --name among arguments that are wrangler's, in both spellings, and the others. Null: it is not among them. */
export function takeName(args: readonly string[]): { name: string | null; more: string[] } {
  const at = args.findIndex((arg) => arg === "--name" || arg.startsWith("--name="));
  if (at < 0) return { name: null, more: [...args] };
  const isApart = args[at] === "--name";
  const name = isApart ? (args[at + 1] ?? "") : (args[at] ?? "").slice("--name=".length);
  return { name, more: args.toSpliced(at, isApart ? 2 : 1) };
}

function leave(stream: NodeJS.WriteStream, text: string, code: number): never {
  stream.write(`${text}\n`);
  process.exit(code);
}

/** Node explains in several sentences; the first names the argument. */
function describeMistake(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  if (!code?.startsWith("ERR_PARSE_ARGS")) throw error;
  const needsValue = code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE" && !message.includes("does not take");
  if (needsValue) return `${/--[\w-]+/.exec(message)?.[0]} needs a value.`;
  return `${message.split(/\.\s/)[0]?.replaceAll("'", "")}.`;
}
