// What somebody wrote into MODELS or MCP_SERVERS and nothing reads, such as `baseURL` for `baseUrl`.
import { parseJson } from "../core/json.ts";
import { serverList } from "./mcp-servers.ts";
import { modelList } from "./models.ts";

const LISTS = { MODELS: modelList, MCP_SERVERS: serverList };
/** A longer name may be a value. */
const MAX_NAME_CHARS = 40;

/** The fields that nothing reads, as `MODELS.0.baseURL`. A list that can't be read at all is a problem of the configuration, and has none. */
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
