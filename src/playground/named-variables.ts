// Finds the variables that the JSON lists MODELS and MCP_SERVERS name, such as a model's key or a server's headers. They are secrets.

const NAMING = {
  MODELS: ["apiKeyVar", "headersVar"],
  MCP_SERVERS: ["headersVar", "clientSecretVar"],
};

/** Returns the names of the variables that the lists refer to. A list that can't be read refers to none; the product reports it. */
export const namedVariables = (variables: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(NAMING).flatMap(([name, fields]) => textsIn(variables[name], fields));

function textsIn(json: string | undefined, fields: readonly string[]): string[] {
  try {
    return [...JSON.parse(json ?? "[]")]
      .flatMap((one) => fields.map((field) => one?.[field]))
      .filter((text) => typeof text === "string");
  } catch {
    return [];
  }
}
