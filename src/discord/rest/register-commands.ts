// Registers our commands with Discord, and reads which ones it has (docs: interactions/application-commands, "Bulk Overwrite Global
// Application Commands", "Get Global Application Commands").
import { array, looseObject, string } from "zod/mini";
import { parseJson } from "../../core/json.ts";
import { fetchAsBot } from "./bot-fetch.ts";
import { entryPointsIn, isEntryPoint, LACKS_ENTRY_POINT } from "./entry-point.ts";
import { A_PAGE, lostReason } from "./lost-reason.ts";
import { refusalFrom } from "./refusal.ts";
import type { RestPorts } from "./rest.ts";

/** How the registration ended. `status` is null if Discord did not answer. */
export type RegisterResult = { ok: true } | { ok: false; status: number | null; error: string };

/**
 * Replaces the whole list, for one server or for everyone, so running it twice changes nothing. A command that opens an Activity stays. Needs
 * the bot's token. Never throws.
 */
export async function registerCommands(
  ports: RestPorts,
  { applicationId, guildId }: { applicationId: string; guildId?: string | undefined },
  commands: readonly object[],
): Promise<RegisterResult> {
  const path = `/applications/${applicationId}${guildId === undefined ? "" : `/guilds/${guildId}`}/commands`;
  const put = async (body: readonly object[]) => {
    const response = await fetchAsBot(ports, "PUT", path, { body });
    const text = await response.text();
    return response.ok ? null : refusalFrom(response, text);
  };
  try {
    const refused = await put(commands);
    const refusal =
      refused?.code === LACKS_ENTRY_POINT ? await put([...commands, ...(await readEntryPoints(ports, path))]) : refused;
    return refusal ? { ok: false, status: refusal.status, error: refusal.text } : { ok: true };
  } catch (error) {
    ports.onLost?.("PUT", error);
    return { ok: false, status: null, error: lostReason(error) };
  }
}

/** Reads the commands to keep. If they can't be read, Discord refuses the second overwrite like the first. */
async function readEntryPoints(ports: RestPorts, path: string): Promise<object[]> {
  const response = await fetchAsBot(ports, "GET", `${path}?with_localizations=true`);
  return entryPointsIn(parseJson(await response.text()));
}

/** The names of the registered commands. `status` is null if Discord did not answer. */
export type CommandNames = { ok: true; names: readonly string[] } | { ok: false; status: number | null; error: string };

/**
 * Reads the names of the commands that are registered for everyone and that registering ours would replace, whoever registered them. Needs
 * the bot's token. May run twice. Never throws.
 */
export async function readCommandNames(ports: RestPorts, applicationId: string): Promise<CommandNames> {
  try {
    const response = await fetchAsBot(ports, "GET", `/applications/${applicationId}/commands`);
    const text = await response.text();
    if (!response.ok) return { ok: false, status: response.status, error: refusalFrom(response, text).text };
    if (/^\s*</.test(text)) throw new Error(A_PAGE);
    const { data } = array(looseObject({ name: string() })).safeParse(JSON.parse(text));
    if (!data) throw new Error("it lists no commands");
    return { ok: true, names: data.filter((one) => !isEntryPoint(one)).map(({ name }) => name) };
  } catch (error) {
    ports.onLost?.("GET", error);
    return { ok: false, status: null, error: lostReason(error) };
  }
}
