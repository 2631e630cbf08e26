// Tells Discord our commands, and reads which it has (docs: interactions/application-commands, "Bulk Overwrite Global Application Commands",
// "Get Global Application Commands").
import { array, looseObject, string } from "zod/mini";
import { fetchAsBot } from "./bot-fetch.ts";
import { A_PAGE, lostReason } from "./lost-reason.ts";
import { refusalFrom } from "./refusal.ts";
import type { RestPorts } from "./rest.ts";

/** How the registration ended. `status` is null without an answer. */
export type RegisterResult = { ok: true } | { ok: false; status: number | null; error: string };

/**
 * Replaces the whole list, for one server or for everyone, so running it twice changes nothing. Needs the bot's token. Never throws.
 */
export async function registerCommands(
  ports: RestPorts,
  { applicationId, guildId }: { applicationId: string; guildId?: string | undefined },
  commands: readonly object[],
): Promise<RegisterResult> {
  const scope = guildId === undefined ? "" : `/guilds/${guildId}`;
  try {
    const response = await fetchAsBot(ports, "PUT", `/applications/${applicationId}${scope}/commands`, {
      body: commands,
    });
    const text = await response.text();
    return response.ok ? { ok: true } : { ok: false, status: response.status, error: refusalFrom(response, text).text };
  } catch (error) {
    ports.onLost?.("PUT", error);
    return { ok: false, status: null, error: lostReason(error) };
  }
}

/** The names of the registered commands. `status` is null without an answer of Discord's. */
export type CommandNames = { ok: true; names: readonly string[] } | { ok: false; status: number | null; error: string };

/** Reads the names of the commands that are registered for everyone, whoever did that. Needs the bot's token. May run twice. Never throws. */
export async function readCommandNames(ports: RestPorts, applicationId: string): Promise<CommandNames> {
  try {
    const response = await fetchAsBot(ports, "GET", `/applications/${applicationId}/commands`);
    const text = await response.text();
    if (!response.ok) return { ok: false, status: response.status, error: refusalFrom(response, text).text };
    if (/^\s*</.test(text)) throw new Error(A_PAGE);
    const { data } = array(looseObject({ name: string() })).safeParse(JSON.parse(text));
    if (!data) throw new Error("it lists no commands");
    return { ok: true, names: data.map(({ name }) => name) };
  } catch (error) {
    ports.onLost?.("GET", error);
    return { ok: false, status: null, error: lostReason(error) };
  }
}
