// The product's variables in laptop mode: what was read with the token, what a person sets in the shell, and the local model where there is no key.
import { DISCORD, OPENAI } from "../config/defaults.ts";
import { VARIABLES } from "../config/variables.ts";
import type { Application } from "../discord/rest/application.ts";
import { namedVariables } from "../playground/named-variables.ts";
import { hasOwnModel } from "../playground/variables.ts";

/** A person's environment. */
export type Shell = Readonly<Record<string, string | undefined>>;

/** Only a public address is for these. All others a person may set, and what the token tells is put in their place. */
const OF_AN_ADDRESS = ["TOKEN_ENCRYPTION_KEY", "PUBLIC_URL", "INSPECT_TOKEN"];

/** The address of Discord's REST that this shell means. */
export const discordUrl = (shell: Shell): string => (shell.DISCORD_API_BASE_URL?.trim() || DISCORD).replace(/\/+$/, "");

/** The name of the model that answers; null: the local one, because there is neither a key nor an address. */
export function modelName(shell: Shell): string | null {
  if (shell.MODELS?.trim()) return "those of MODELS, in their order";
  return hasOwnModel(shell) ? shell.OPENAI_MODEL?.trim() || OPENAI.model : null;
}

/** Who may use it, by the words of the variables. A misspelled one is the product's to complain about. */
export const accessHere = (shell: Shell): { servers: string; visitors: string; listsUsers: boolean } => ({
  servers: shell.SERVERS?.trim().toLowerCase() || "claimed",
  visitors: shell.VISITORS?.trim().toLowerCase() || "owners",
  listsUsers: Boolean(shell.ALLOWED_USERS?.trim()),
});

/** Whose bot it is, for the terminal: OWNER_IDS replaces the application's owners. */
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
 * The variables. `localUrl` has the local model under `/v1`. Whose bot it is does not depend on where Discord is: the rules that hold for
 * the real one are set for one on this machine, too.
 */
export function laptopVars(
  shell: Shell,
  { application, token, localUrl }: { application: Application; token: string; localUrl: string },
): Record<string, string> {
  const { servers, visitors } = accessHere(shell);
  const localModel = { OPENAI_API_KEY: "local", OPENAI_BASE_URL: `${localUrl}/v1`, OPENAI_MODEL: "parley-local" };
  return {
    OWNER_IDS: application.owners.map(({ id }) => id).join(","),
    // A server of one's own may need no key, and the product wants one.
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

/** The values that must not be printed. */
export const secretsIn = (shell: Shell, token: string): string[] => [
  token,
  ...Object.values(
    given(shell, ["OPENAI_API_KEY", "SEARCH_API_KEY", "OTEL_EXPORTER_OTLP_HEADERS", ...namedVariables(shell)]),
  ),
];
