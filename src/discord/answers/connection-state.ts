// What a link to the sign-in of a remote server carries: which scope it belongs to, and which attempt there. Sealed, so that a stranger's
// request wakes no object.
import { createSeal } from "./seal.ts";

/** A link's content. `guildId` null: the deployment's scope. */
export interface ConnectionState {
  guildId: string | null;
  nonce: string;
}

const PURPOSE = "state";

/** The text that links and redirects carry. */
export const writeState = ({ guildId, nonce }: ConnectionState, secret: string): Promise<string> =>
  createSeal(secret).close(`${guildId ?? ""}.${nonce}`, PURPOSE);

/** Null for a text that we did not write. Never throws. */
export async function readState(text: string, secret: string): Promise<ConnectionState | null> {
  const [guildId, nonce] = (await createSeal(secret).open(text, PURPOSE))?.split(".") ?? [];
  return guildId === undefined || nonce === undefined ? null : { guildId: guildId || null, nonce };
}
