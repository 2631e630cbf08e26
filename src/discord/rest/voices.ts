// The webhooks that personas speak with: one per channel, created once and then found by its application. Keeps their tokens in memory only;
// does not decide who speaks.
import type { Timers } from "../../turn/ports.ts";
import { type BotAnswer, type BotFailure, type BotPorts, botRequest } from "./bot-request.ts";

/** A channel's webhook. Its token is a secret: whoever has it can post in the channel. */
export interface Voice {
  id: string;
  token: string;
}

/** Finds webhooks. No method throws. */
export interface Voices {
  /** Finds the channel's webhook or creates it. May run twice: it creates a second one only if the first was not listed. */
  of(channelId: string): Promise<{ ok: true; voice: Voice } | BotFailure>;
  /** Drops a webhook that was deleted: the next call of `of` finds or creates another. */
  forget(channelId: string): void;
}

/** What the finder needs from outside. */
export interface VoicePorts extends BotPorts {
  /** Identifies our webhook among the channel's. */
  applicationId: string;
  timers: Timers;
}

const NAME = "Parley";
/** An incoming webhook. The other types can't be used to post. */
const INCOMING = 1;
/** A request that waited for one limit may run into another. */
const TRIES = 3;
/** A persona's words don't wait this long for a webhook. The limit on new webhooks may last much longer. */
const TOO_LONG_MS = 10_000;

/** Creates the finder. The bot needs Manage Webhooks in the channel (docs: resources/webhook). */
export function createVoices(ports: VoicePorts): Voices {
  const known = new Map<string, Voice>();
  return {
    async of(channelId) {
      const kept = known.get(channelId);
      if (kept) return { ok: true, voice: kept };
      const listed = await ask(ports, "GET", channelId);
      if (!listed.ok) return listed;
      const made = voiceIn(listed.json, ports.applicationId) ?? (await make(ports, channelId));
      if ("ok" in made) return made;
      known.set(channelId, made);
      return { ok: true, voice: made };
    },
    forget: (channelId) => void known.delete(channelId),
  };
}

async function make(ports: VoicePorts, channelId: string): Promise<Voice | BotFailure> {
  const made = await ask(ports, "POST", channelId, { name: NAME });
  if (!made.ok) return made;
  return voiceIn([made.json], ports.applicationId) ?? { ok: false, error: "this is not a webhook", retryable: true };
}

/** Sends a request. If Discord's limit is short, waits for it and retries. */
async function ask(ports: VoicePorts, method: "GET" | "POST", channelId: string, body?: object): Promise<BotAnswer> {
  const request = { method, kind: "webhook", path: `/channels/${channelId}/webhooks`, ...(body && { body }) } as const;
  for (let tries = 1; ; tries++) {
    const answer = await botRequest(ports, channelId, request);
    if (answer.ok) return answer;
    const { retryAfterMs = TOO_LONG_MS } = answer;
    if (retryAfterMs >= TOO_LONG_MS || tries === TRIES) return answer;
    await new Promise<void>((resolve) => ports.timers.after(retryAfterMs, resolve));
  }
}

/** Finds the webhook that this application created, with a token; without one it can't be used. */
function voiceIn(json: unknown, applicationId: string): Voice | null {
  for (const one of Array.isArray(json) ? (json as (Record<string, unknown> | null)[]) : [])
    if (one?.type === INCOMING && one.application_id === applicationId && typeof one.token === "string")
      return { id: String(one.id), token: one.token };
  return null;
}
