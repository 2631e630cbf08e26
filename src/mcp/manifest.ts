// A server's list of tools: requested page by page, and read with suspicion.
import { array, boolean, type infer as Infer, object, optional, string, unknown } from "zod";
import type { McpSession } from "./session.ts";

/** Made only when needed: most installations have no server, and building schemas slows every cold start. */
const listedTool = () =>
  object({
    name: string().min(1).max(128),
    title: optional(string()),
    description: optional(string()),
    /** Checked when the tool is made. A schema that does not compile disables only its own tool. */
    inputSchema: optional(unknown()),
    annotations: optional(object({ readOnlyHint: optional(boolean()), destructiveHint: optional(boolean()) })),
  });
const page = () => object({ tools: array(unknown()), nextCursor: optional(string()) });

/** A tool as its server describes it. */
export type ListedTool = Infer<ReturnType<typeof listedTool>>;

/** Reads stored tools; null if they can't be read any more. */
export function readListed(value: unknown): ListedTool[] | null {
  const read = array(listedTool()).safeParse(value);
  return read.success ? read.data : null;
}

/** The tools, or why there is no list. `dropped` counts entries that are not a tool or repeat an earlier one. */
export type Listed = { ok: true; tools: ListedTool[]; dropped: number } | { ok: false; error: string };

const MAX_PAGES = 20;
/** With more tools models choose badly, and each one costs tokens in every request. */
const MAX_TOOLS = 128;

/** Requests all pages. Never throws. May run twice. */
export async function listTools(session: McpSession, signal: AbortSignal): Promise<Listed> {
  const [wholePage, oneTool] = [page(), listedTool()];
  const tools = new Map<string, ListedTool>();
  let entries = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const reply = await session.request("tools/list", cursor === undefined ? {} : { cursor }, signal);
    if (!reply.ok) return reply;
    const read = wholePage.safeParse(reply.result);
    if (!read.success) return { ok: false, error: "the list of tools can't be read" };
    for (const entry of read.data.tools) {
      entries++;
      const tool = oneTool.safeParse(entry);
      if (tool.success && !tools.has(tool.data.name) && tools.size < MAX_TOOLS) tools.set(tool.data.name, tool.data);
    }
    cursor = read.data.nextCursor;
    if (cursor === undefined) break;
  }
  return { ok: true, tools: [...tools.values()], dropped: entries - tools.size };
}
