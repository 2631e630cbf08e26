// Variables whose value is a JSON list that names others: a model's key, a server's headers. Those others are secrets.

const NAMING = {
  MODELS: ["apiKeyVar", "headersVar"],
  MCP_SERVERS: ["headersVar", "clientSecretVar"],
};

/** The variables that these variables' values name. A list that can't be read names none: the product complains about it. */
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
