// Reads what the person who set a reminder may do when its turn begins. No interaction brings that along, so Discord is asked. None of it is
// stored, so each life that runs the turn asks again.
import { refusalByLists } from "../../src/core/state/access-lists.ts";
import type { TurnRecord, TurnRequest } from "../../src/core/state/record.ts";
import { botRequest, isNoPerson, lacksToken } from "../../src/discord/rest/bot-request.ts";
import { readMemberRoles } from "../../src/discord/rest/place-facts.ts";
import { withinLimit } from "../../src/discord/rest/time-limit.ts";
import { type EndedTurn, endedWith } from "../../src/turn/build-result.ts";
import { IN_PRIVATE, readAskerRights } from "../hearing/asker-rights.ts";
import type { Channel } from "../live-channel.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";

type Rights = Partial<Pick<TurnRequest, "roles" | "moderator" | "permissions">>;

const READING_LIMIT_MS = 2000;

/**
 * Returns the reminder's turn with its person's current rights. Ends the turn instead, if nothing of it is shown yet and the person has left the
 * server, can't see the channel or is kept out by the lists; or if Discord accepts no bot token: nobody could be reminded then, so the reminder
 * is held back. What Discord does not say in 2 s grants nothing, and the lists then use the roles from when the reminder was set. Never rejects,
 * and may run again.
 */
export async function withRightsNow(
  channel: Channel,
  turn: TurnRecord,
  signal: AbortSignal,
): Promise<TurnRecord | EndedTurn> {
  const { timers, log } = channel.ports;
  const read = (inTime: AbortSignal) => readRights(channel, turn.request, inTime);
  const found = await withinLimit(timers, READING_LIMIT_MS, signal, read).catch((): Rights => ({}));
  // After a stop the loop ends the turn, and a turn of which people already see something continues to its end.
  const isOpen = signal.aborted || turn.parts.length > 0;
  if (found === "mute" && !isOpen) {
    log.error("a reminder waits until Discord accepts the bot's token", { turnId: turn.id });
    return endedWith({ kind: "access_refused", refusal: { reason: "unchecked" } }, "");
  }
  const rights = found === "mute" ? {} : found;
  const request = { ...turn.request, ...(rights ?? { roles: [] }) };
  const { access } = effectiveSettings(channel.ports);
  const refusal = rights ? refusalByLists(access, request.userId, request.roles ?? null) : { reason: "gone" };
  if (refusal === null || isOpen) return { ...turn, request };
  log.info("a reminder was refused", { turnId: turn.id, reason: refusal.reason });
  return endedWith({ kind: "access_refused", refusal: { reason: "not_any_more" } }, "");
}

/** Reads the rights as far as Discord knows; null if the person is gone or can't see the channel; `mute` if the bot's token is missing or refused. */
async function readRights(
  channel: Channel,
  { guildId, userId, channelId }: TurnRequest,
  signal: AbortSignal,
): Promise<Rights | null | "mute"> {
  const { discord, clock, log } = channel.ports;
  if (discord.botToken === null || discord.rateLimiter.isTokenRefused) return "mute";
  if (guildId === null) return { permissions: IN_PRIVATE.permissions };
  const members = `/guilds/${guildId}/members`;
  const path = `${members}/${userId}`;
  const [answer, here] = await Promise.all([
    botRequest(discord, members, { method: "GET", kind: "sight", path, signal }),
    channel.hearing.facts.channel(channelId, signal),
  ]);
  if (!answer.ok && isNoPerson(answer)) return null;
  if (!answer.ok && lacksToken(answer)) return "mute";
  const roles = answer.ok && readMemberRoles(answer.json, guildId);
  if (!roles) {
    log.error("a place could not be read", { path });
    return {};
  }
  const kind = here?.isThread ? "thread" : "channel";
  const asker = { channelId, place: { kind, guildId }, author: { id: userId, roles } } as const;
  const { rights, isHidden } = await readAskerRights(channel, asker, here?.parentId ?? null, signal);
  if (isHidden) return null;
  const { moderator, permissions } = rights;
  // People who are timed out may only read (docs: topics/permissions, "Permissions For Timed Out Members"), so nothing is granted.
  const { communication_disabled_until: until } = answer.json as { communication_disabled_until?: string };
  const isTimedOut = Date.parse(until ?? "") > clock();
  return isTimedOut ? { roles } : { roles, moderator, permissions };
}
