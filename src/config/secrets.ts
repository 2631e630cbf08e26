// Finds the secrets among the configured values.
import { headerSecrets, likelySecrets } from "./headers.ts";
import type { McpServerConfig } from "./mcp-servers.ts";
import type { ModelConfig } from "./models.ts";
import type { TraceTarget } from "./otlp.ts";

/** The part of the configuration that contains secrets. */
interface Secretive {
  discord: { botToken: string | null };
  models: readonly ModelConfig[];
  transcribeModel: ModelConfig | null;
  imageModel: ModelConfig | null;
  mcpServers: readonly McpServerConfig[];
  search: { apiKey: string } | null;
  inspectToken: string | null;
  tokenKey: string | null;
  traces: TraceTarget | null;
}

/** Lists the values that no tool result and no log may show. */
export function listSecrets(config: Secretive): string[] {
  const { discord, search, mcpServers, inspectToken, tokenKey, transcribeModel, imageModel } = config;
  const media = [transcribeModel, imageModel].flatMap((model) => model ?? []);
  const models = [...config.models, ...media];
  const ofModels = models.map(({ headers = {}, secretHeaders = {} }) => ({
    ...likelySecrets(headers),
    ...secretHeaders,
  }));
  const ofHeaders = [...ofModels, ...mcpServers.map(({ headers }) => headers), config.traces?.headers ?? {}].flatMap(
    headerSecrets,
  );
  const addresses = [...models.map(({ baseUrl }) => baseUrl), ...mcpServers.map(({ url }) => url)];
  // Some servers take their key in the address.
  const ofAddresses = addresses
    .flatMap((address) => [...(URL.parse(address)?.searchParams ?? [])])
    .flatMap(([name, value]) => Object.values(likelySecrets({ [name]: value })));
  const clients = mcpServers.map(({ registered }) => registered?.clientSecret);
  const keys = [discord.botToken, inspectToken, search?.apiKey, tokenKey, ...models.map(({ apiKey }) => apiKey)];
  return [...new Set([...keys, ...clients, ...ofHeaders, ...ofAddresses].flatMap((secret) => secret || []))];
}
