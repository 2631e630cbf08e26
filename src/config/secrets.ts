// Which of the configured values are secrets.
import type { McpServerConfig } from "./mcp-servers.ts";
import type { ModelConfig } from "./models.ts";

/** The part of the configuration that has secrets. */
interface Secretive {
  discord: { botToken: string | null };
  models: readonly ModelConfig[];
  mcpServers: readonly McpServerConfig[];
  search: { apiKey: string } | null;
  inspectToken: string | null;
  tokenKey: string | null;
}

/** Lists what no tool result and no log may show. */
export function listSecrets({ discord, models, search, mcpServers, inspectToken, tokenKey }: Secretive): string[] {
  const headers = mcpServers.flatMap((server) => Object.values(server.headers));
  const tokens = headers.map((value) => value.replace(/^(?:bearer|basic|token) +/i, ""));
  const clients = mcpServers.map(({ registered }) => registered?.clientSecret ?? null);
  const keys = [
    discord.botToken,
    inspectToken,
    search?.apiKey ?? null,
    tokenKey,
    ...clients,
    ...models.map(({ apiKey }) => apiKey),
    ...tokens,
  ];
  return keys.flatMap((secret) => (secret ? [secret] : []));
}
