// The product's variables in the playground: the local Discord, the local model, and what a person sets in the shell.
import { APPLICATION } from "./discord/local-discord.ts";
import { PEOPLE } from "./discord/world.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "./key.ts";
import { namedVariables } from "./named-variables.ts";

/** Variables that a person may set in the shell, to replace or extend the local ones. */
const FROM_SHELL = [
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "OPENAI_MODEL",
  "MODELS",
  "TRANSCRIBE_MODEL",
  "IMAGE_MODEL",
  "SUMMARY_MODEL",
  "SYSTEM_PROMPT",
  "BOT_MAX_FUNCTION_CALL_ITERATIONS",
  "BOT_MAX_CONSECUTIVE_TOOL_ERRORS",
  "STREAM_SDK_CALL_TIMEOUT_MS",
  "STREAM_FIRST_TOKEN_TIMEOUT_MS",
  "TOOL_EXECUTION_TIMEOUT_MS",
  "TURN_DEADLINE_MS",
  "MAX_FOLLOW_UP_INTERRUPTS",
  "MAX_QUEUE_LENGTH",
  "MAX_QUEUED_PER_USER",
  "DELIBERATE_TOOL_CONTEXT_TURNS",
  "MCP_SERVERS",
  "MCP_ADD",
  "TOKEN_ENCRYPTION_KEY",
  "SEARCH_API_KEY",
  "SEARCH_API_BASE_URL",
  "DISCORD_GATEWAY",
  "OWNER_IDS",
  "SERVERS",
  "ALLOWED_SERVERS",
  "VISITORS",
  "ALLOWED_USERS",
  "MAX_USD_PER_DAY",
  "MAX_USD_PER_MONTH",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_HEADERS",
];

type Variables = Readonly<Record<string, string | undefined>>;

/** Whether wrangler must not print this variable: the key of a real model, the headers of a server, an address with a password or a query. */
export const isSecret = (name: string, variables: Variables): boolean =>
  /_(KEY|TOKEN|HEADERS)$|^(MODELS|MCP_SERVERS)$/.test(name) ||
  (/_(URL|ENDPOINT)$/.test(name) && /[@?]/.test(variables[name] ?? "")) ||
  namedVariables(variables).includes(name);

/** Whether the shell names a model. A key without an address is for the product's default provider. */
export const hasOwnModel = (shell: Variables): boolean =>
  Boolean(shell.OPENAI_API_KEY?.trim() || shell.OPENAI_BASE_URL?.trim());

/** Names the shell's model for the terminal; null: the local one. */
export function shellModel(shell: Variables): string | null {
  if (shell.MODELS?.trim()) return "those of MODELS, in their order";
  if (!hasOwnModel(shell)) return null;
  const baseUrl = shell.OPENAI_BASE_URL?.trim();
  const host = baseUrl ? (URL.parse(baseUrl)?.host ?? baseUrl) : "OpenAI";
  return `${shell.OPENAI_MODEL?.trim() || "the default one"} at ${host}`;
}

/**
 * Returns the variables for this address: the local Discord, the local model unless the shell names a real one, and Juno as the owner.
 * `shell`: a person's environment.
 */
export function productVars(url: string, shell: Variables): Record<string, string> {
  const given = [...FROM_SHELL, ...namedVariables(shell)].flatMap((name): [string, string][] => {
    const value = shell[name];
    return value?.trim() ? [[name, value]] : [];
  });
  const localModel = { OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "parley-local" };
  // The product requires a port, which a URL omits if it is the default one.
  const { hostname, port } = new URL(url);
  const pageHost = `${hostname}:${port || 80}`;
  return {
    DISCORD_PUBLIC_KEY: DEVELOPMENT_PUBLIC_KEY_HEX,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_BOT_TOKEN: APPLICATION.botToken,
    DISCORD_API_BASE_URL: `${url}/api/v10`,
    DISCORD_GATEWAY: "on",
    OWNER_IDS: PEOPLE.juno,
    // A self-hosted server may need no key.
    OPENAI_API_KEY: "local",
    ...(!hasOwnModel(shell) && localModel),
    // So that there is a page to read without a network: the playground's own. The shell may add hosts.
    FETCH_URL_PRIVATE_HOSTS: [pageHost, shell.FETCH_URL_PRIVATE_HOSTS ?? ""].filter(Boolean).join(","),
    ...Object.fromEntries(given),
  };
}
