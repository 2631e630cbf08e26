// Reads the variables MCP_SERVERS (remote servers whose tools are added to the built-in ones) and MCP_ADD (who may add more). Problems name
// the position and never show a value.
import { array, catchall, literal, maxLength, minLength, object, optional, regex, string } from "zod/mini";
import { parseJson } from "../core/json.ts";
import { once } from "../core/once.ts";
import { readChoice } from "./choice.ts";
import { readNamedHeaders } from "./headers.ts";
import { shownName } from "./pasted.ts";
import { wrongEntry } from "./wrong-entry.ts";

/** One remote server. */
export interface McpServerConfig {
  /** The prefix of its tools' names. */
  id: string;
  url: string;
  /** Sent with every request. They are secret. */
  headers: Readonly<Record<string, string>>;
  /** Which of its tools to use, by the server's own names; null for all. */
  tools: readonly string[] | null;
  /** Categories that the administrator assigns, by the server's own names. A server's hints never grant as much. */
  category: Readonly<Record<string, "safe" | "async" | "terminal" | "dangerous">>;
  /** The asker may approve its dangerous tools, too; otherwise only moderators may. */
  approve?: "asker";
  /** What the operator registered with the server's authorization server. */
  registered?: { clientId: string; clientSecret: string | null };
}

/** Who may add remote servers. `owner`: the bot's owners; `managers`: also whoever may manage the Discord server. */
export type McpAdd = "owner" | "managers";

/** Reads MCP_ADD; adds a problem if it is neither. */
export const readMcpAdd = (text: string | null, problems: string[]): McpAdd =>
  readChoice("MCP_ADD", text, ["owner", "managers"], problems) ?? "owner";

/** Leaves room for a tool's name within the 64 characters that models accept. */
const MAX_ID_CHARS = 24;

/** The schema of `MCP_SERVERS`. Made once, when first needed: most installations have no server, and each object reads the variables. */
export const serverList = once(() =>
  array(
    object({
      id: string().check(maxLength(MAX_ID_CHARS), regex(/^[A-Za-z][A-Za-z0-9-]*$/)),
      url: string().check(({ value, issues }) => {
        if (!isPlainHttp(value)) issues.push({ code: "custom", input: value });
      }),
      headersVar: optional(string().check(minLength(1))),
      tools: optional(array(string())),
      category: optional(catchall(object({}), literal(["safe", "async", "terminal", "dangerous"]))),
      approve: optional(literal("asker")),
      clientId: optional(string().check(minLength(1))),
      clientSecretVar: optional(string().check(minLength(1))),
    }),
  ),
);

/** Parses the servers from the variable's text, and adds each problem. `variable` returns the value of a variable that a server names. */
export function readMcpServers(
  json: string | null,
  variable: (name: string) => unknown,
  problems: string[],
): McpServerConfig[] {
  if (json === null) return [];
  const parsed = serverList().safeParse(parseJson(json));
  if (!parsed.success) {
    for (const { path } of parsed.error.issues)
      problems.push(`MCP_SERVERS is not a list of servers: ${wrongEntry(path, "it must be a JSON list")}`);
    return [];
  }
  return parsed.data.map(({ id, url, headersVar, tools, category, approve, clientId, clientSecretVar }, index) => {
    if (parsed.data.findIndex((other) => other.id === id) < index)
      problems.push(`MCP_SERVERS.${index}.id is already taken`);
    const headers = readNamedHeaders(headersVar, `MCP_SERVERS.${index}.headersVar`, variable, problems);
    const given = clientSecretVar === undefined ? null : variable(clientSecretVar);
    const clientSecret = (typeof given === "string" && given.trim()) || null;
    if (given !== null && typeof given !== "string")
      problems.push(`${shownName(clientSecretVar, `MCP_SERVERS.${index}.clientSecretVar`)} is not a string`);
    return {
      id,
      url,
      headers,
      tools: tools ?? null,
      category: category ?? {},
      ...(approve && { approve }),
      ...(clientId !== undefined && { registered: { clientId, clientSecret } }),
    };
  });
}

/** Whether it is an http or https address without credentials, which belong in a secret. */
function isPlainHttp(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
