// Finds fields in MODELS or MCP_SERVERS that nothing reads, such as `baseURL` for `baseUrl`.
import { parseJson } from "../core/json.ts";
import { serverList } from "./mcp-servers.ts";
import { modelList } from "./models.ts";

const LISTS = { MODELS: modelList, MCP_SERVERS: serverList };
/** A longer name may be a pasted value. */
const MAX_NAME_CHARS = 40;

/** Returns the fields that nothing reads, as `MODELS.0.baseURL`. A list that can't be parsed has none: it is reported as a problem already. */
export function findUnreadFields(variables: unknown): string[] {
  const given = variables as Record<string, unknown>;
  return Object.entries(LISTS).flatMap(([variable, list]) => {
    const text = given[variable];
    const written = typeof text === "string" ? parseJson(text) : undefined;
    const read = list().safeParse(written);
    if (!read.success) return [];
    const entries = written as object[];
    return read.data.flatMap((entry, index) =>
      Object.keys(entries[index] ?? {})
        .filter((name) => !(name in entry) && name.length <= MAX_NAME_CHARS)
        .map((name) => `${variable}.${index}.${name}`),
    );
  });
}
