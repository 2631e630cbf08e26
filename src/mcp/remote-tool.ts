// Builds one of our tools from a listed one. A server's hints about a tool are claims and have no authority. Unless people vouch for the
// tool in the configuration, we assume that it does harm when it runs twice. So it is not repeated, not cached, and not run in parallel
// with others.
import { cleanUntrusted } from "../core/taint/untrusted-text.ts";
import type { Tool, ToolCategory } from "../toolkit/define/tool.ts";
import { isJsonObject } from "../toolkit/read-json.ts";
import { readOutcome, readPictures } from "./call-result.ts";
import { isUnknown } from "./json-rpc.ts";
import type { ListedTool } from "./manifest.ts";
import { mirroredHeaders, mirrorFault } from "./mirrored-headers.ts";
import { meantSchema, schemaFault } from "./schema-shape.ts";
import type { McpSession } from "./session.ts";

/** Keeps the pictures of a call's result for the turn's next model call. */
export type ShowPictures = (turnId: string, callId: string, urls: readonly string[]) => void;

/** What a remote tool is built from. */
export interface RemoteOrigin {
  serverId: string;
  session: McpSession;
  /** Categories that people vouch for in the configuration, by the server's tool names. */
  category: Readonly<Record<string, ToolCategory>>;
  /** The person who asks may approve its dangerous tools. */
  isApprovedByAsker: boolean;
  /** Each of its tools that is not marked as read-only needs approval. */
  isAdded?: true;
  /** Takes the pictures of a call's result, as data URLs. */
  showPictures: ShowPictures;
  /** Called when the server does not know a tool that it has listed, or asks for a sign-in. */
  onUnknownTool: () => void;
}

/** The time limit of a call during which the server reports no progress. */
const CALL_LIMIT_MS = 60_000;
/** OpenAI's limit for a function's description. */
const MAX_DESCRIPTION_CHARS = 1024;

/** Returns the tool, or why the listed one can't become a tool. */
export function remoteTool(
  listed: ListedTool,
  name: string,
  { serverId, session, category: vouched, isApprovedByAsker, isAdded, showPictures, onUnknownTool }: RemoteOrigin,
): { ok: true; tool: Tool } | { ok: false; reason: string } {
  // In 2025-11-25: a call would have to start a task, and such a server refuses any other call.
  if (isJsonObject(listed.execution) && listed.execution.taskSupport === "required")
    return { ok: false, reason: "it only runs as a task" };
  const inputSchema = meantSchema(listed.inputSchema);
  const fault = schemaFault(inputSchema);
  if (fault !== null) return { ok: false, reason: fault };
  const schema = withCleanWords(inputSchema as Record<string, unknown>);
  const unmirrored = mirrorFault(schema);
  if (unmirrored !== null) return { ok: false, reason: unmirrored };
  const category =
    (Object.hasOwn(vouched, listed.name) ? vouched[listed.name] : undefined) ??
    claimedCategory(listed, isAdded === true);
  const isSafe = category === "safe";
  const tool: Tool = {
    name,
    description: describe(listed, serverId),
    input: schema,
    category,
    hints: { readOnly: isSafe, destructive: !isSafe, idempotent: isSafe, openWorld: true },
    untrusted: true,
    server: serverId,
    timeoutMs: CALL_LIMIT_MS,
    // Strangers' words may have led the model to make the call, and the asker may have no rights on the server.
    ...(isApprovedByAsker ? {} : { approvedBy: "moderator" }),
    async execute(input, { signal, turnId, callId, goesOn }) {
      const params = { name: listed.name, arguments: input };
      const extras = { mirrored: mirroredHeaders(schema, input), goesOn };
      const reply = await session.request("tools/call", params, signal, extras);
      // Called even with none: an earlier call of the turn may have had the same id, and pictures.
      showPictures(turnId, callId, reply.ok ? readPictures(reply.result) : []);
      if (reply.ok) return readOutcome(reply.result);
      const { code, isBusy: _, isSignedOut, ...failure } = reply;
      if (isSignedOut || isUnknown(code)) onUnknownTool();
      // With a code, the server itself refused. Otherwise the connection or the server is broken.
      return code === undefined ? { ...failure, isFault: true } : failure;
    },
  };
  return { ok: true, tool };
}

/** Returns the category for what the server claims. A server may ask for more caution than usual, but never for less. */
function claimedCategory({ annotations }: ListedTool, isAdded: boolean): ToolCategory {
  const { readOnlyHint, destructiveHint } = isJsonObject(annotations) ? annotations : {};
  const isDangerous = readOnlyHint !== true && (isAdded || (destructiveHint ?? false) !== false);
  return isDangerous ? "dangerous" : "async";
}

function describe({ name, title, description }: ListedTool, serverId: string): string {
  const said = [description, title].find((text) => (text ?? "").trim() !== "");
  return cleanUntrusted(said ?? `The tool ${name} of ${serverId}.`)
    .trim()
    .slice(0, MAX_DESCRIPTION_CHARS)
    .toWellFormed();
}

/** Cleans the words that only the model reads. Everything else in a schema decides what is sent to the server, and stays as it is. */
const withCleanWords = (schema: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(schema), (key, value) =>
    typeof value === "string" && /^(title|description)$/.test(key) ? cleanUntrusted(value) : value,
  );
