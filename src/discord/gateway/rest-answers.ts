// Reads the answers to what the gateway's object asks Discord by REST: the gateway's address, a server's roles, a channel's messages.
import { array, looseObject, nullish, number, optional, regex, string } from "zod/mini";
import type { GatewayMessage, Place } from "../../gateway/message.ts";
import { gatewayMessage } from "./message-json.ts";

/** Returns the address with the version and encoding of our frames (docs: events/gateway, "Connecting"). */
export const gatewayAddress = (url: string): string => `${url.replace(/\/+$/, "")}/?v=10&encoding=json`;

const gatewayBot = looseObject({
  url: string().check(regex(/^wss?:\/\//)),
  session_start_limit: looseObject({ remaining: number(), reset_after: number() }),
});

/** Reads `GET /gateway/bot` (docs: "Get Gateway Bot"); null if the answer has another form. */
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
 * Finds our managed role among a server's (`GET /guilds/{id}/roles`; docs: topics/permissions, "Role Tags Structure"). `roleId` is null if
 * there is none; the result is null if the answer isn't a list of roles.
 */
export function readOwnRole(json: unknown, userId: string): { roleId: string | null } | null {
  const { data } = roleList.safeParse(json);
  return data ? { roleId: data.find(({ tags }) => tags?.bot_id === userId)?.id ?? null } : null;
}

/** Reads `GET /channels/{id}/messages`; null if the answer isn't a list. `isLast`: there were fewer messages than the limit. */
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
/** The switches for the text of all messages: for applications with more than 10,000 users, which Discord reviews, and for all others. */
const CONTENT_FLAGS = (1 << 18) | (1 << 19);

/** Whether the application has the switch for the text of all messages (`GET /applications/@me`); false without flags. */
export const readContentSwitch = (json: unknown): boolean =>
  ((application.safeParse(json).data?.flags ?? 0) & CONTENT_FLAGS) !== 0;
