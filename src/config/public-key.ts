// Checks the key that verifies Discord's requests: its form, and that only a local Discord uses the published one.
import { loopbackHost } from "./addresses.ts";

/**
 * The public half of the local Discord's key. Its private half is published with this program, so anyone could sign
 * requests for a Worker that trusts it: it is accepted only while Discord's address and the Worker's own are on loopback.
 */
const DEVELOPMENT_PUBLIC_KEY = "500a2a8ad3367bf653b683e28e365ad24ece09d7d7b81a66dc7d14edd2cff799";

/** Returns the key in lower case. Adds a problem if it is malformed, or is the published key without a local Discord. */
export function publicKey(hex: string, discordUrl: string, problems: string[]): string {
  const key = hex.toLowerCase();
  if (key !== "" && !/^[0-9a-f]{64}$/.test(key)) problems.push("DISCORD_PUBLIC_KEY is not 64 hexadecimal digits");
  if (isForgeable(key, discordUrl))
    problems.push(
      "DISCORD_PUBLIC_KEY is the published development key, which needs a DISCORD_API_BASE_URL on loopback",
    );
  return key;
}

/** Whether it is the published key while `url` (Discord's address or the Worker's own) is not on loopback. */
export const isForgeable = (key: string, url: string): boolean =>
  key === DEVELOPMENT_PUBLIC_KEY && loopbackHost(url) === null;
