// What the gateway's object asks Discord by REST beside its socket: the address of the gateway, a server's roles, a channel's messages.
import { array, looseObject, nullish, number, optional, regex, string } from "zod/mini";
import type { GatewayMessage, Place } from "../../gateway/message.ts";
import { gatewayMessage } from "./message-json.ts";

/** The address with the version and encoding of our frames (docs: events/gateway, "Connecting"). */
export const gatewayAddress = (url: string): string => `${url.replace(/\/+$/, "")}/?v=10&encoding=json`;

const gatewayBot = looseObject({
  url: string().check(regex(/^wss?:\/\//)),
  session_start_limit: looseObject({ remaining: number(), reset_after: number() }),
});

/** `GET /gateway/bot` (docs: "Get Gateway Bot"); null when the answer is another. */
export function readGatewayBot(json: unknown): { url: string; remaining: number; resetAfterMs: number } | null {
  const { data } = gatewayBot.safeParse(json);
  if (!data) return null;
  const { remaining, reset_after: resetAfterMs } = data.session_start_limit;
  return { url: data.url, remaining, resetAfterMs };
}

const roleList = array(
  looseObject({
    id: string(),
    tags: optional(looseObject({ bot_id: nullish(string()) })),
  }),
);

/**
 * The id of our managed role among a server's (`GET /guilds/{id}/roles`; docs: topics/permissions, "Role Tags Structure"). `roleId` is
 * null where there is none; the whole is null when the answer is no list of roles.
 */
export function readOwnRole(json: unknown, userId: string): { roleId: string | null } | null {
  const { data } = roleList.safeParse(json);
  return data ? { roleId: data.find(({ tags }) => tags?.bot_id === userId)?.id ?? null } : null;
}

/** `GET /channels/{id}/messages`; null when the answer is no list. `isLast`: there were fewer than the limit. */
export function readMessages(
  json: unknown,
  place: Place,
  limit: number,
): { messages: GatewayMessage[]; isLast: boolean } | null {
  if (!Array.isArray(json)) return null;
  const messages = json.map((one) => gatewayMessage(one, place)).filter((one) => one !== null);
  return { messages, isLast: json.length < limit };
}

const application = looseObject({ flags: optional(number()) });
/** The switch for the text of all messages: that of an application with more than 10,000 users, which Discord reviews, and that of others. */
const CONTENT_FLAGS = (1 << 18) | (1 << 19);

/** Does the application have the switch for the text of all messages (`GET /applications/@me`)? Without flags: no. */
export const readContentSwitch = (json: unknown): boolean =>
  ((application.safeParse(json).data?.flags ?? 0) & CONTENT_FLAGS) !== 0;
