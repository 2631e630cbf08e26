// `npm run trace -- <url> <turn>`: shows the inspector's page of a turn in a terminal. It asks the running Worker, with INSPECT_TOKEN from the
// environment, and stores nothing.
import { signInText } from "../core/copy/inspector.ts";
import { traceFaults } from "../core/copy/trace-command.ts";
import type { InspectedTurn } from "../core/state/inspected.ts";
import { endUnread } from "../scripts/closed-pipe.ts";
import { traceLines } from "./text-trace.ts";

/** What the command needs: `out` prints the trace, `aside` a failure; both append text. `columns`: the terminal's width; 0 if unknown. */
export interface TracePorts {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  out: (text: string) => void;
  aside: (text: string) => void;
  token: string | undefined;
  columns: number;
}

const USUAL_COLUMNS = 120;

/** Runs the command; returns its exit code: 0 for a trace, 1 if there is none, 2 for wrong usage. Never rejects. */
export async function trace(args: readonly string[], ports: TracePorts): Promise<number> {
  const fail = (code: number, text: string): number => {
    ports.aside(`${text}\n`);
    return code;
  };
  if (args.includes("-h") || args.includes("--help")) {
    ports.out(`${traceFaults.usage}\n`);
    return 0;
  }
  const misused = (fault: string) => fail(2, `${fault}\n${traceFaults.usage}`);
  const [address = "", turn, ...more] = args;
  if (address === "") return misused(traceFaults.noUrl);
  if (more.length > 0) return misused(traceFaults.tooMuch);
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return fail(2, traceFaults.badUrl(address));
  const [, channel, ...ids] =
    /^\/inspect\/(?:channels\/([^/]+)\/turns|turn)\/(.+?)(?:\.json)?$/.exec(url.pathname) ?? [];
  const wanted = turn ?? (ids[0] && [channel, ids[0]].filter(Boolean).join("/"));
  if (wanted === undefined) return misused(traceFaults.noTurn);
  const token = ports.token?.trim() ?? "";
  // Otherwise the runtime would reject the header with an error that contains the token.
  if (/[^ -~]/.test(token)) return fail(2, traceFaults.oddToken);
  const read = await readTurn(url.origin, wanted, token, ports);
  if (!read.ok) return fail(read.fault === traceFaults.noToken ? 2 : 1, read.fault);
  ports.out(`${read.lines.join("\n")}\n`);
  return 0;
}

type Read = { ok: true; lines: string[] } | { ok: false; fault: string };

async function readTurn(origin: string, turn: string, token: string, ports: TracePorts): Promise<Read> {
  const path = turn.split("/").map((part) => encodeURIComponent(decoded(part)));
  const failed = (fault: string): Read => ({ ok: false, fault });
  try {
    // The playground doesn't require a token.
    const headers: Record<string, string> = token === "" ? {} : { Authorization: `Bearer ${token}` };
    const response = await ports.fetch(`${origin}/inspect/turn/${path.join("/")}.json`, { headers });
    const body: unknown = await response.json().catch(() => null);
    if (response.status === 401) return failed(token === "" ? traceFaults.noToken : traceFaults.wrongToken);
    if (response.status === 429) return failed(signInText.tooMany);
    if (typeof body !== "object" || body === null) return failed(traceFaults.off(origin));
    if (response.status === 404) return failed(traceFaults.unknownTurn(turn));
    if (!response.ok) return failed(traceFaults.failed(response.status));
    return linesOf(body, ports.columns || USUAL_COLUMNS) ?? failed(traceFaults.off(origin));
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return failed(traceFaults.unreachable(origin, cause instanceof Error ? cause.message : String(cause)));
  }
}

/** Returns the lines; null if the JSON isn't a turn, or comes from a bot that is much older or newer than this command. */
function linesOf(body: object, columns: number): Read | null {
  try {
    return "modelCalls" in body ? { ok: true, lines: traceLines(body as InspectedTurn, columns) } : null;
  } catch {
    return null;
  }
}

/** Decodes a part of an address, which was typed as it is or copied in its encoded form. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

if (import.meta.main) {
  endUnread();
  process.exitCode = await trace(process.argv.slice(2), {
    fetch: (url, init) => fetch(url, init),
    out: (text) => void process.stdout.write(text),
    aside: (text) => void process.stderr.write(text),
    token: process.env.INSPECT_TOKEN,
    columns: process.stdout.columns ?? 0,
  });
}
