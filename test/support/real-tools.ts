// The tools that ship and two of a remote server, with everything that decides about a call. What they would do is only recorded.
import { remoteTool } from "../../src/mcp/remote-tool.ts";
import type { McpSession } from "../../src/mcp/session.ts";
import type { Tool, ToolOutcome } from "../../src/toolkit/define/tool.ts";
import { tools } from "../../src/tools/index.ts";

/** What a tool answers here. */
export type Canned = Readonly<Record<string, unknown>>;

/** The tools, and the names of those that ran. */
export interface NotedTools {
  tools: Tool[];
  ran: string[];
}

/** Makes the tools. `answers` has the data of a tool by its name; others answer that they are done. `remote` adds those of a server. */
export function notedTools(answers: Canned, remote = true, description = "Looks."): NotedTools {
  const ran: string[] = [];
  const noted = (tool: Tool): Tool => {
    // Left out: the fields that ask services which don't exist here.
    const { requires: _, concerns: __, cache: ___, objection: ____, ...rest } = tool;
    return {
      ...rest,
      execute(): ToolOutcome {
        ran.push(tool.name);
        return { ok: true, data: answers[tool.name] ?? { done: true } };
      },
    };
  };
  const listed = remote ? [remoteNamed("look", "safe", description), remoteNamed("write", "async", "Writes.")] : [];
  return { tools: [...tools, ...listed].map(noted), ran };
}

function remoteNamed(name: string, category: "safe" | "async", description: string): Tool {
  const made = remoteTool({ name, description, inputSchema: { type: "object", properties: {} } }, `far_${name}`, {
    serverId: "far",
    session: {} as McpSession,
    category: { [name]: category },
    isApprovedByAsker: false,
    showPictures: () => {},
    onUnknownTool: () => {},
  });
  if (!made.ok) throw new Error(made.reason);
  return made.tool;
}
