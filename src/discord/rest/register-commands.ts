// Tells Discord our commands (docs: interactions/application-commands, "Bulk Overwrite Global Application Commands").
import { lostReason } from "./lost-reason.ts";
import { refusalFrom } from "./refusal.ts";
import type { RestPorts } from "./rest.ts";
import { wireJson } from "./wire-json.ts";

/** `status` is null without an answer. */
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
    const response = await ports.fetch(`${ports.baseUrl}/applications/${applicationId}${scope}/commands`, {
      method: "PUT",
      headers: {
        Authorization: `Bot ${ports.botToken}`,
        "Content-Type": "application/json",
        "User-Agent": ports.userAgent,
      },
      body: wireJson(commands),
    });
    const text = await response.text();
    return response.ok ? { ok: true } : { ok: false, status: response.status, error: refusalFrom(response, text).text };
  } catch (error) {
    ports.onLost?.("PUT", error);
    return { ok: false, status: null, error: lostReason(error) };
  }
}
