// The webhooks that personas speak with: one per channel, made once and found again by its application. Keeps their tokens in
// memory only; does not decide who speaks.
import { fetchAsBot } from "./bot-fetch.ts";
import type { RestPorts } from "./rest.ts";

/** A channel's webhook. Its token is a secret: whoever has it can post in the channel. */
export interface Voice {
  id: string;
  token: string;
}

/** Why a persona can't have a voice of its own here. */
export type VoiceFault = "not_allowed" | "full" | "unreachable";

/** Finds webhooks. No method throws. */
export interface Voices {
  /** Finds the channel's webhook or makes it. May run twice: it makes a second one only if the first was not listed. */
  of(channelId: string): Promise<{ ok: true; voice: Voice } | { ok: false; fault: VoiceFault }>;
  /** The webhook was deleted: the next call of `of` finds or makes another. */
  forget(channelId: string): void;
}

/** What the finder needs from outside. */
export interface VoicePorts extends RestPorts {
  /** Identifies our webhook among the channel's. */
  applicationId: string;
}

const NAME = "Parley";
/** An incoming webhook. The other types can't be used to post. */
const INCOMING = 1;
/** Discord's code for a channel that already has fifteen webhooks. */
const TOO_MANY = 30007;

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

async function make(ports: VoicePorts, channelId: string): Promise<Voice | { ok: false; fault: VoiceFault }> {
  const made = await ask(ports, "POST", channelId, { name: NAME });
  if (!made.ok) return made;
  return voiceIn([made.json], ports.applicationId) ?? { ok: false, fault: "unreachable" };
}

type Asked = { ok: true; json: unknown } | { ok: false; fault: VoiceFault };

async function ask(ports: VoicePorts, method: "GET" | "POST", channelId: string, body?: object): Promise<Asked> {
  try {
    const response = await fetchAsBot(ports, method, `/channels/${channelId}/webhooks`, { body });
    const json: unknown = await response.json().catch(() => null);
    if (response.ok) return { ok: true, json };
    if ((json as { code?: unknown } | null)?.code === TOO_MANY) return { ok: false, fault: "full" };
    // Without JSON it is a proxy's page.
    const isRefused = json !== null && response.status < 500 && response.status !== 429;
    return { ok: false, fault: isRefused ? "not_allowed" : "unreachable" };
  } catch (error) {
    ports.onLost?.(method, error);
    return { ok: false, fault: "unreachable" };
  }
}

/** The webhook that this application made, among those with a token; only these can be used. */
function voiceIn(json: unknown, applicationId: string): Voice | null {
  for (const one of Array.isArray(json) ? (json as (Record<string, unknown> | null)[]) : [])
    if (one?.type === INCOMING && one.application_id === applicationId && typeof one.token === "string")
      return { id: String(one.id), token: one.token };
  return null;
}
