// What a link to a remote server's sign-in contains: the scope that it belongs to, and the attempt there. It is sealed, so that a stranger's
// request wakes no object.
import { createSeal } from "./seal.ts";

/** A link's content. If `guildId` is null, it belongs to the deployment's scope. */
export interface ConnectionState {
  guildId: string | null;
  nonce: string;
}

const PURPOSE = "state";

/** Writes the text that links and redirects contain. */
export const writeState = ({ guildId, nonce }: ConnectionState, secret: string): Promise<string> =>
  createSeal(secret).close(`${guildId ?? ""}.${nonce}`, PURPOSE);

/** Reads such a text; null if we did not write it. Never throws. */
export async function readState(text: string, secret: string): Promise<ConnectionState | null> {
  const [guildId, nonce] = (await createSeal(secret).open(text, PURPOSE))?.split(".") ?? [];
  return guildId === undefined || nonce === undefined ? null : { guildId: guildId || null, nonce };
}
