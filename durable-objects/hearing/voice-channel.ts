// Finds out whether a persona that answers a message can use a webhook. An interaction says what the bot may do; for a message it must try.
import { personaInUse } from "../../src/channel/personas.ts";
import type { StoredSettings } from "../../src/channel/settings.ts";
import { withinLimit } from "../../src/discord/rest/time-limit.ts";
import type { GatewayMessage } from "../../src/gateway/message.ts";
import type { Channel } from "../live-channel.ts";
import { FACTS_LIFE_MS } from "./hearing.ts";

const LIMIT_MS = 2000;

/**
 * Finds the channel whose webhook the persona that answers here speaks through; null without a persona or a webhook. `parent`: the channel of
 * a thread, because a thread has no webhooks (Discord). May create the webhook. Never throws.
 */
export async function readVoiceChannel(
  { ports, hearing }: Channel,
  { place, channelId }: GatewayMessage,
  parent: { id: string; settings?: StoredSettings } | null,
  signal: AbortSignal,
): Promise<string | null> {
  const { voices, store, timers, clock, log } = ports;
  const speaker = personaInUse(store.settings(), parent?.settings ?? store.parentSettings());
  const holder = place.kind === "thread" ? (parent?.id ?? null) : channelId;
  if (!voices || !speaker || !("guildId" in place) || holder === null || clock() < hearing.voiceRetryAt) return null;
  const found = await withinLimit(timers, LIMIT_MS, signal, () => voices.of(holder)).catch(() => null);
  if (found?.ok) return holder;
  const detail = { channelId: holder, fault: found?.error ?? "late" };
  if (found && !found.retryable) log.warn("a persona has no webhook here", detail);
  else log.error("a persona's webhook was not found", detail);
  hearing.voiceRetryAt = clock() + FACTS_LIFE_MS;
  return null;
}
