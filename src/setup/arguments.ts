// What setup, doctor and deploy accept as the values of their flags. A mistake is a sentence and the usage.
import { leave, mistake } from "../scripts/arguments.ts";

/** The Worker's name, unless --name gives another one. */
export const WORKER_NAME = "parley";

/** Returns the name if Cloudflare accepts it for a Worker; otherwise ends the process with a sentence. */
export function checkName(name: string, usage: string): string {
  const fault = findNameFault(name);
  return fault === null ? name : leave(mistake(fault, usage));
}

/** Returns what is wrong with a Worker's name, or null. A value that begins like a flag is the next flag: the name is missing. */
export function findNameFault(name: string): string | null {
  if (/^[a-z0-9]([a-z0-9-]{0,52}[a-z0-9])?$/.test(name)) return null;
  if (/^(-|$)/.test(name)) return "--name needs a value.";
  return `--name must be lower-case letters, digits and hyphens, not "${name}".`;
}

/** Returns the id if it can be a channel's; otherwise ends the process with a sentence. */
export function checkChannel(id: string, usage: string): string {
  if (/^\d+$/.test(id)) return id;
  return leave(mistake(`--channel must be the id of a channel, not "${id}".`, usage));
}

/** Reads a Worker's address as people copy it: without its scheme, or with the path of one of its pages. Null: not an address. */
export function readUrl(text: string): string | null {
  const given = text.trim();
  const url = URL.parse(given.includes("://") ? given : `https://${given}`);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return (url.origin + url.pathname).replace(/\/(?:interactions|health)?\/*$/, "");
}

/** Like `readUrl`, but ends the process with a sentence if the text is not an address. */
export const checkUrl = (text: string, usage: string): string =>
  readUrl(text) ??
  leave(mistake("--url must be the Worker's address, such as https://parley.example.workers.dev.", usage));

/** Splits wrangler's arguments into the value of --name, in both spellings, and the rest. A null name: --name is not among them. */
export function takeName(args: readonly string[]): { name: string | null; more: string[] } {
  const at = args.findIndex((arg) => arg === "--name" || arg.startsWith("--name="));
  if (at < 0) return { name: null, more: [...args] };
  const isApart = args[at] === "--name";
  const name = isApart ? (args[at + 1] ?? "") : (args[at] ?? "").slice("--name=".length);
  return { name, more: args.toSpliced(at, isApart ? 2 : 1) };
}
