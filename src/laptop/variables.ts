// The product's variables in laptop mode: what was read with the token, what a person sets in the shell, and the local model if there is no key.
import { DISCORD, OPENAI } from "../config/defaults.ts";
import { VARIABLES } from "../config/variables.ts";
import type { Application } from "../discord/rest/application.ts";
import { namedVariables } from "../playground/named-variables.ts";
import { hasOwnModel } from "../playground/variables.ts";

/** A person's environment. */
export type Shell = Readonly<Record<string, string | undefined>>;

/** These need a public address. A person may set all others, but what is read with the token takes precedence over some of them. */
const OF_AN_ADDRESS = ["TOKEN_ENCRYPTION_KEY", "PUBLIC_URL", "INSPECT_TOKEN"];

/** Returns the address of Discord's REST API for this shell. */
export const discordUrl = (shell: Shell): string => (shell.DISCORD_API_BASE_URL?.trim() || DISCORD).replace(/\/+$/, "");

/** Returns the name of the model that answers. Null: the local one, because there is neither a key nor an address. */
export function modelName(shell: Shell): string | null {
  if (shell.MODELS?.trim()) return "those of MODELS, in their order";
  return hasOwnModel(shell) ? shell.OPENAI_MODEL?.trim() || OPENAI.model : null;
}

/** Returns who may use the bot, in the words of the variables. Misspelled words are left to the product, which reports them. */
export const accessHere = (shell: Shell): { servers: string; visitors: string; listsUsers: boolean } => ({
  servers: shell.SERVERS?.trim().toLowerCase() || "claimed",
  visitors: shell.VISITORS?.trim().toLowerCase() || "owners",
  listsUsers: Boolean(shell.ALLOWED_USERS?.trim()),
});

/** Lists the bot's owners for the terminal. OWNER_IDS replaces the application's owners. */
export const ownersHere = (shell: Shell, { owners }: Pick<Application, "owners">): string[] =>
  shell.OWNER_IDS?.trim() ? [shell.OWNER_IDS.trim()] : owners.map(({ id, name }) => `${name} (${id})`);

const given = (shell: Shell, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = shell[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );

/**
 * Returns the variables. `localUrl` has the local model under `/v1`. The rules about who may use the bot don't depend on where Discord is, so
 * those of the real Discord are also set for a Discord on this machine.
 */
export function laptopVars(
  shell: Shell,
  { application, token, localUrl }: { application: Application; token: string; localUrl: string },
): Record<string, string> {
  const { servers, visitors } = accessHere(shell);
  const localModel = { OPENAI_API_KEY: "local", OPENAI_BASE_URL: `${localUrl}/v1`, OPENAI_MODEL: "parley-local" };
  return {
    OWNER_IDS: application.owners.map(({ id }) => id).join(","),
    // A self-hosted server may need no key, but the product requires one.
    ...(shell.OPENAI_BASE_URL?.trim() && { OPENAI_API_KEY: "none" }),
    ...given(shell, [...VARIABLES.filter((name) => !OF_AN_ADDRESS.includes(name)), ...namedVariables(shell)]),
    ...(modelName(shell) === null && localModel),
    SERVERS: servers,
    VISITORS: visitors,
    DISCORD_APPLICATION_ID: application.id,
    DISCORD_PUBLIC_KEY: application.publicKey,
    DISCORD_BOT_TOKEN: token,
    DISCORD_GATEWAY: "on",
  };
}

/** Lists the values that must not be printed. */
export const secretsIn = (shell: Shell, token: string): string[] => [
  token,
  ...Object.values(
    given(shell, ["OPENAI_API_KEY", "SEARCH_API_KEY", "OTEL_EXPORTER_OTLP_HEADERS", ...namedVariables(shell)]),
  ),
];
