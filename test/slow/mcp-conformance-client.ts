// The client that the protocol's conformance suites judge: our own, started once per scenario with the address of the suite's server.
// It does what a turn does: lists the tools, leaves out those that it may not use, and calls the others.
import { type ListedTool, listTools } from "../../src/mcp/manifest.ts";
import { remoteTool } from "../../src/mcp/remote-tool.ts";
import { createSession, type EraName, type McpServer } from "../../src/mcp/session.ts";
import { testContext } from "../toolkit/context.ts";
import { consenting, type Given } from "./mcp-conformance-consent.ts";

interface Planned {
  name: string;
  arguments: object;
}

const [, , url = ""] = process.argv;
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}") as Given & { toolCalls?: Planned[] };
// The suites require a client to derive the era from the version, because their servers of the older era answer anything.
const version = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? "2025-11-25";
const era: EraName | null = version < "2026" ? "legacy" : null;

const server: McpServer = { id: "suite", url, headers: {}, credentials: consenting(url, context) };
const outside = {
  fetch: (to: string, init: RequestInit) => fetch(to, init),
  after(ms: number, callback: () => void) {
    // Prints the intended pause, which the judge of pauses reads.
    console.log(`waits ${ms} ms`);
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  keepAlive: (work: Promise<void>) => void work,
  version: "0.0.1",
};
const session = createSession(server, outside, () => {}, { era });
const signal = AbortSignal.timeout(110_000);
const listed = await listTools(session, () => true, signal);
if (!listed.ok) throw new Error(listed.error);
const calls = context.toolCalls ?? listed.tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool) }));
for (const { name, arguments: input } of calls) {
  const tool = listed.tools.find((one) => one.name === name);
  const origin = {
    serverId: "suite",
    session,
    category: {},
    isApprovedByAsker: false,
    showPictures: () => {},
    onUnknownTool: () => {},
  };
  const made = tool ? remoteTool(tool, name, origin) : { ok: false as const, reason: "it is not in the list" };
  const outcome = made.ok ? await made.tool.execute(input, testContext({ signal }) as never) : made;
  console.log(name, JSON.stringify(outcome));
}

/** A value for each parameter; in the scenario about schemas, the schema that was received. */
function argumentsFor({ inputSchema }: ListedTool): object {
  const { properties = {}, required = [] } = (inputSchema ?? {}) as {
    properties?: Record<string, { type?: string }>;
    required?: string[];
  };
  const sample = (name: string) => {
    if (name === "schema" && scenario === "json-schema-2020-12-preservation")
      return listed.ok ? listed.tools.find((one) => one.name.startsWith("json_schema"))?.inputSchema : null;
    const values: Record<string, unknown> = { number: 5, integer: 3, boolean: true, array: [], object: {} };
    return values[properties[name]?.type ?? ""] ?? "words";
  };
  return Object.fromEntries(required.map((name) => [name, sample(name)]));
}
