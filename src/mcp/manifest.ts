// A server's list of tools: requested page by page, and read with suspicion.
import {
  array,
  type infer as Infer,
  maxLength,
  minLength,
  nullable,
  nullish,
  object,
  optional,
  string,
  unknown,
} from "zod/mini";
import { byteLength, cutToBytes } from "../core/transcript/utf8.ts";
import type { McpSession, Reply } from "./session.ts";

/** Built only when needed: most installations have no server, and building schemas slows every cold start. */
const listedTool = () =>
  object({
    name: string().check(minLength(1), maxLength(128)),
    // Many libraries write null for a missing value.
    title: nullish(string()),
    description: nullish(string()),
    /** Checked when the tool is created. A schema that does not compile disables only its own tool. */
    inputSchema: optional(unknown()),
    /** PHP writes an empty list if there are none. */
    annotations: optional(unknown()),
    /** How the tool has to be called. */
    execution: optional(unknown()),
  });
/** Go writes null for an empty list. */
const page = () =>
  object({ tools: nullable(array(unknown())), nextCursor: optional(unknown()), ttlMs: optional(unknown()) });

/** A tool as its server describes it. */
export type ListedTool = Infer<ReturnType<typeof listedTool>>;

/** Reads stored tools; null if they can no longer be read. */
export function readListed(value: unknown): ListedTool[] | null {
  const read = array(listedTool()).safeParse(value);
  return read.success ? read.data : null;
}

/**
 * The tools, or why there is no list. `dropped` counts entries that describe no tool, or one that was already described; `leftOut` counts tools
 * and `shortened` descriptions beyond the limits. `lifeMs`: how long the list is valid, as the server says; null: it does not say.
 */
export type Listed =
  | { ok: true; tools: ListedTool[]; dropped: number; leftOut: number; shortened: number; lifeMs: number | null }
  | Extract<Reply, { ok: false }>;

const MAX_PAGES = 20;
/** The limit for all pages together: they are in memory before anything is left out. */
const MAX_LISTED_CHARS = 4 * 1024 * 1024;
/** Models choose badly among more, and each costs tokens in every request. */
export const MAX_TOOLS = 64;
/** Far more than any model is shown. */
export const MAX_DESCRIPTION_BYTES = 4 * 1024;
/** A list is one row of the storage, and its tools are in each request. */
export const MAX_MANIFEST_BYTES = 256 * 1024;

/** Requests all pages. If there are too many tools, those for which `isWanted` returns true come first. Never throws. */
export async function listTools(
  session: McpSession,
  isWanted: (name: string) => boolean,
  signal: AbortSignal,
): Promise<Listed> {
  const [wholePage, oneTool] = [page(), listedTool()];
  const tools = new Map<string, ListedTool>();
  let entries = 0;
  let cursor: string | undefined;
  let lifeMs: number | null = null;
  let chars = 0;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const reply = await session.request("tools/list", cursor === undefined ? {} : { cursor }, signal);
    if (!reply.ok) return reply;
    const read = wholePage.safeParse(reply.result);
    if (!read.success) return { ok: false, error: "the list of tools can't be read" };
    for (const entry of read.data.tools ?? []) {
      entries++;
      const tool = oneTool.safeParse(entry);
      if (tool.success && !tools.has(tool.data.name)) tools.set(tool.data.name, tool.data);
    }
    lifeMs = shorter(lifeMs, read.data.ttlMs);
    const { nextCursor } = read.data;
    chars += JSON.stringify(read.data.tools).length;
    // Some servers write null, or nothing, after the last page; others name the same page again.
    if (typeof nextCursor !== "string" || nextCursor === "" || nextCursor === cursor || chars > MAX_LISTED_CHARS) break;
    cursor = nextCursor;
  }
  return { ok: true, dropped: entries - tools.size, lifeMs, ...withinLimits([...tools.values()], isWanted) };
}

/**
 * Returns the shorter of two lifetimes: the list is valid only as long as its shortest page. Zero means that it can change at any time, which is
 * not a usable time to wait.
 */
function shorter(lifeMs: number | null, ttlMs: unknown): number | null {
  if (typeof ttlMs !== "number" || !(ttlMs > 0)) return lifeMs;
  return Math.min(lifeMs ?? Number.POSITIVE_INFINITY, ttlMs);
}

function withinLimits(all: readonly ListedTool[], isWanted: (name: string) => boolean) {
  const inOrder = [...all.filter(({ name }) => isWanted(name)), ...all.filter(({ name }) => !isWanted(name))];
  const tools: ListedTool[] = [];
  let shortened = 0;
  // Without the list's two brackets.
  let left = MAX_MANIFEST_BYTES - 2;
  for (const whole of inOrder) {
    const tool = withShortTexts(whole);
    const bytes = byteLength(JSON.stringify(tool)) + (tools.length > 0 ? 1 : 0);
    if (tools.length === MAX_TOOLS || bytes > left) continue;
    left -= bytes;
    tools.push(tool);
    if (tool.description !== whole.description || tool.title !== whole.title) shortened++;
  }
  return { tools, leftOut: all.length - tools.length, shortened };
}

function withShortTexts(tool: ListedTool): ListedTool {
  const short = (text: ListedTool["title"]) =>
    typeof text === "string" ? cutToBytes(text, MAX_DESCRIPTION_BYTES) : text;
  return { ...tool, description: short(tool.description), title: short(tool.title) };
}
