// The webhooks that personas speak with: one per channel, made once and found again by its application. Keeps their tokens in
// memory only; does not decide who speaks.
import type { Timers } from "../../turn/ports.ts";
import { type BotAnswer, type BotFailure, type BotPorts, botRequest } from "./bot-request.ts";

/** A channel's webhook. Its token is a secret: whoever has it can post in the channel. */
export interface Voice {
  id: string;
  token: string;
}

/** Finds webhooks. No method throws. */
export interface Voices {
  /** Finds the channel's webhook or makes it. May run twice: it makes a second one only if the first was not listed. */
  of(channelId: string): Promise<{ ok: true; voice: Voice } | BotFailure>;
  /** The webhook was deleted: the next call of `of` finds or makes another. */
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
/** What is sent next may meet another limit. */
const TRIES = 3;
/** For so long no words wait for a voice. The limit of new webhooks may be much longer. */
const TOO_LONG_MS = 10_000;

/** Makes the finder. The bot needs Manage Webhooks in the channel (docs: resources/webhook). */
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
  return voiceIn([made.json], ports.applicationId) ?? { ok: false, error: "this is no webhook", retryable: true };
}

/** A persona's first words wait for a short limit of Discord. */
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

/** The webhook that this application made, among those with a token; only these can be used. */
function voiceIn(json: unknown, applicationId: string): Voice | null {
  for (const one of Array.isArray(json) ? (json as (Record<string, unknown> | null)[]) : [])
    if (one?.type === INCOMING && one.application_id === applicationId && typeof one.token === "string")
      return { id: String(one.id), token: one.token };
  return null;
}
