// The configuration of remote servers: MCP_SERVERS and the headers that it names.
import { describe, expect, it } from "vitest";
import { listSecrets } from "../../src/config/secrets.ts";
import { parseConfig } from "../../src/config.ts";

const REQUIRED = { DISCORD_PUBLIC_KEY: "ab".repeat(32), DISCORD_APPLICATION_ID: "42", OPENAI_API_KEY: "sk-secret" };
const configOf = (variables: Record<string, unknown> = {}) => {
  const parsed = parseConfig({ ...REQUIRED, ...variables });
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return parsed.config;
};
const problemsOf = (variables: unknown) => {
  const parsed = parseConfig(variables);
  return parsed.ok ? [] : parsed.problems;
};

describe("the remote servers", () => {
  const list = (...servers: object[]) => ({ MCP_SERVERS: JSON.stringify(servers) });
  const WIKI = { id: "wiki", url: "https://mcp.example.com/mcp" };

  it("are read with headers from another variable, which no tool's result may show", () => {
    const config = configOf({
      ...list(
        { ...WIKI, headersVar: "WIKI_HEADERS", tools: ["read"], category: { read: "safe" } },
        { id: "files-2", url: "http://127.0.0.1:3001/mcp" },
      ),
      WIKI_HEADERS: '{"Authorization":"Bearer wiki-token-1","X-Team":"team-key-22"}',
    });
    expect(config.mcpServers).toEqual([
      {
        ...WIKI,
        headers: { Authorization: "Bearer wiki-token-1", "X-Team": "team-key-22" },
        tools: ["read"],
        category: { read: "safe" },
      },
      { id: "files-2", url: "http://127.0.0.1:3001/mcp", headers: {}, tools: null, category: {} },
    ]);
    expect(listSecrets(config)).toEqual(["sk-secret", "wiki-token-1", "team-key-22"]);
  });

  it("may have a key in their address, and so may a model, and no tool's result may show either", () => {
    const model = {
      id: "a",
      model: "m",
      baseUrl: "https://models.example/v1?api-version=2026-10-21&api-key=model%20key-9",
    };
    const config = configOf({
      ...list({ ...WIKI, url: `${WIKI.url}?token=wiki-key-3` }),
      MODELS: JSON.stringify([model]),
    });
    expect(listSecrets(config)).toEqual(["sk-secret", "model key-9", "wiki-key-3"]);
  });

  it("may have a registered client, whose secret is trimmed, and missing if its variable is blank", () => {
    const variables = list({ ...WIKI, clientId: "parley", clientSecretVar: "WIKI_SECRET" });
    const registered = (WIKI_SECRET: string) => configOf({ ...variables, WIKI_SECRET }).mcpServers[0]?.registered;
    expect(registered(" wiki-secret-1\n")).toEqual({ clientId: "parley", clientSecret: "wiki-secret-1" });
    expect(registered(" ")).toEqual({ clientId: "parley", clientSecret: null });
  });

  it("may let the person who asks approve a server's dangerous tools", () => {
    const [server] = configOf(list({ ...WIKI, approve: "asker" })).mcpServers;
    expect(server?.approve).toBe("asker");
    expect(configOf(list(WIKI)).mcpServers[0]).not.toHaveProperty("approve");
  });

  const NO_LIST = "MCP_SERVERS is not a list of servers:";
  it.each([
    ["not JSON", { MCP_SERVERS: "wiki" }, `${NO_LIST} it must be a JSON list`],
    ["not a list", { MCP_SERVERS: '{"id":"a"}' }, `${NO_LIST} it must be a JSON list`],
    [
      "an id that no tool name may begin with",
      list({ ...WIKI, id: "my wiki" }),
      `${NO_LIST} id of entry 1 is missing or wrong`,
    ],
    [
      "an id with the separator between server and tool",
      list({ ...WIKI, id: "my_wiki" }),
      `${NO_LIST} id of entry 1 is missing or wrong`,
    ],
    ["a long id", list({ ...WIKI, id: "w".repeat(25) }), `${NO_LIST} id of entry 1 is missing or wrong`],
    ["no address", list({ id: "wiki" }), `${NO_LIST} url of entry 1 is missing or wrong`],
    [
      "an address that is not a server's",
      list({ ...WIKI, url: "stdio:wiki" }),
      `${NO_LIST} url of entry 1 is missing or wrong`,
    ],
    [
      "credentials in the address",
      list({ ...WIKI, url: "https://hunter2@example.com/" }),
      `${NO_LIST} url of entry 1 is missing or wrong`,
    ],
    [
      "an unknown category",
      list({ ...WIKI, category: { read: "trusted" } }),
      `${NO_LIST} category.read of entry 1 is missing or wrong`,
    ],
    ["a duplicate id", list(WIKI, WIKI), "MCP_SERVERS.1.id is already taken"],
    [
      "headers that are not set",
      list({ ...WIKI, headersVar: "WIKI_HEADERS" }),
      "WIKI_HEADERS is not a JSON object of header values",
    ],
    [
      "headers that are not header texts",
      { ...list({ ...WIKI, headersVar: "WIKI_HEADERS" }), WIKI_HEADERS: '{"Authorization":"hunter2\\r\\nX: y"}' },
      "WIKI_HEADERS is not a JSON object of header values",
    ],
    [
      "headers in place of their variable's name",
      list({ ...WIKI, headersVar: "Bearer hunter2" }),
      "the variable in MCP_SERVERS.0.headersVar is not a JSON object of header values",
    ],
    [
      "a secret in place of its variable's name",
      list({ ...WIKI, clientId: "parley", clientSecretVar: "hunter2" }),
      "the variable in MCP_SERVERS.0.clientSecretVar is not a string",
    ],
  ])("are refused with the position of the fault and no value: %s", (_what, variables, problem) => {
    const problems = problemsOf({ ...REQUIRED, ...variables });
    expect(problems).toEqual([problem]);
    expect(JSON.stringify(problems)).not.toContain("hunter2");
  });
});
