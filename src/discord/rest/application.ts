// The application as Discord describes it to its own token (docs: resources/application, "Get Current Application").
import { boolean, looseObject, nullish, number, optional, regex, string } from "zod/mini";
import { snowflake } from "../person-json.ts";
import { type ApplicationOwner, ownership, readOwners } from "./application-owners.ts";
import { fetchAsBot } from "./bot-fetch.ts";
import { A_PAGE, lostReason } from "./lost-reason.ts";
import { refusalFrom } from "./refusal.ts";
import type { RestPorts } from "./rest.ts";

const application = looseObject({
  ...ownership().shape,
  id: snowflake(),
  name: string(),
  verify_key: string().check(regex(/^[0-9a-f]{64}$/i)),
  interactions_endpoint_url: nullish(string()),
  bot_public: optional(boolean()),
  bot_require_code_grant: optional(boolean()),
  flags: optional(number()),
});

/** What the bot's token can read about its application. */
export interface Application {
  id: string;
  name: string;
  /** 64 hexadecimal digits. */
  publicKey: string;
  owners: readonly ApplicationOwner[];
  /** Where Discord sends interactions by HTTP; null: over the gateway. */
  endpointUrl: string | null;
  isPublic: boolean;
  requiresCodeGrant: boolean;
  /** What the application may do, as bits (docs: resources/application, "Application Flags"). */
  flags: number;
}

/** The application, or why it could not be read. `status` is null if Discord did not answer. */
export type ApplicationAnswer =
  | { ok: true; application: Application }
  | { ok: false; status: number | null; error: string };

/** Asks with the bot's token, which the ports must have. Reads only, so it may run twice. Never throws. */
export async function readApplication(ports: RestPorts): Promise<ApplicationAnswer> {
  try {
    const response = await fetchAsBot(ports, "GET", "/applications/@me");
    const text = await response.text();
    // A network that requires a login answers every request with its own page, which says nothing about the token.
    if (/^\s*</.test(text) && (response.ok || response.status === 401)) throw new Error(A_PAGE);
    if (!response.ok) return { ok: false, status: response.status, error: refusalFrom(response, text).text };
    const { data: found } = application.safeParse(JSON.parse(text));
    if (!found) throw new Error("the answer describes no application");
    return {
      ok: true,
      application: {
        id: found.id,
        name: found.name,
        publicKey: found.verify_key,
        owners: readOwners(found),
        endpointUrl: found.interactions_endpoint_url || null,
        isPublic: found.bot_public ?? true,
        requiresCodeGrant: found.bot_require_code_grant ?? false,
        flags: found.flags ?? 0,
      },
    };
  } catch (error) {
    ports.onLost?.("GET", error);
    return { ok: false, status: null, error: lostReason(error) };
  }
}
