// Who speaks: from the persona or the scene that a person asked for to the turns that are queued. Pure.

import type { Persona } from "./persona.ts";
import type { Refusal } from "./rpc.ts";
import type { TurnRequest } from "./turn-request.ts";

/** A turn's part in its scene, as its request keeps it. A persona with a voice of its own is a scene of one. */
export interface ScenePart {
  /** The interaction that asked, and the first turn's id; every turn of the scene shares its request. */
  id: string;
  /** From 0. */
  index: number;
  /** Who speaks, in order. */
  names: string[];
  /** The interaction's token: its deferred response is the scene's first line. */
  token: string;
  /** The channel whose webhook may lend a voice; null where none can. */
  webhookChannelId: string | null;
}

/** Who a person wants to hear. */
export interface WantedSpeakers {
  /** One persona by name; absent: whoever answers here. */
  persona?: string;
  /** Several, as they are to speak. */
  scene?: readonly string[];
  webhookChannelId?: string | null;
}

/** More would take the channel for themselves. */
export const MAX_SCENE_PERSONAS = 5;

/** The names of a scene as a person wrote them: parted by commas, in order; the same persona may speak twice. */
export function sceneNames(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The turns that a message becomes, by their triggers, or why it becomes none. */
export type CastRequests = { ok: true; requests: [TurnRequest, ...TurnRequest[]] } | { ok: false; refusal: Refusal };

/** Gives a message its speakers. `personas` are those that hold here, `inUse` the one that answers when nobody is named. */
export function castRequests(
  request: TurnRequest,
  wanted: WantedSpeakers,
  { personas, inUse }: { personas: readonly Persona[]; inUse: string | null },
): CastRequests {
  const names = wanted.scene ?? [wanted.persona ?? inUse].filter((name) => name != null);
  if (wanted.scene && (names.length === 0 || names.length > MAX_SCENE_PERSONAS))
    return { ok: false, refusal: { reason: "scene_size", limit: MAX_SCENE_PERSONAS } };
  const cast: Persona[] = [];
  for (const name of names) {
    const persona = personas.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());
    if (!persona) {
      const known = personas.map((one) => one.name);
      return { ok: false, refusal: { reason: "unknown_persona", name, known } };
    }
    cast.push(persona);
  }
  const [first, ...others] = cast;
  if (!first) return { ok: true, requests: [request] };
  const webhookChannelId = wanted.webhookChannelId ?? null;
  // Without a voice of its own, one persona speaks in the reply that waits for it, led by its name.
  if (request.token === null || (!wanted.scene && webhookChannelId === null))
    return { ok: true, requests: [{ ...request, persona: first }] };
  const scene = {
    id: request.interactionId,
    names: cast.map(({ name }) => name),
    token: request.token,
    webhookChannelId,
  };
  const part = (persona: Persona, index: number): TurnRequest => ({
    ...request,
    interactionId: sceneTurnId(scene.id, index),
    token: null,
    persona,
    scene: { ...scene, index },
  });
  return { ok: true, requests: [part(first, 0), ...others.map((persona, index) => part(persona, index + 1))] };
}

/** The id of a scene's turn: the first one's is the interaction's own, which is what a repeated delivery is known by. */
export function sceneTurnId(sceneId: string, index: number): string {
  return index === 0 ? sceneId : `${sceneId}.${index}`;
}

/** What the model is told of its part, below the system prompt: who it is, and with whom it shares the stage; else nothing. */
export function personaPrompt({ persona, scene }: TurnRequest): string {
  if (!persona) return "";
  const others = scene ? [...new Set(scene.names)].filter((name) => name !== persona.name) : [];
  return [
    `\n\nYou speak as ${persona.name}, and only as ${persona.name}.`,
    persona.prompt,
    "Don't begin your answer with a name: it is shown beside it.",
    ...(others.length > 0
      ? [`This is a scene with ${others.join(", ")}. Each speaks in turn; write ${persona.name}'s words alone.`]
      : []),
  ].join("\n");
}

/** What stands in the conversation for a scene's later turns: the words that asked for it are there already. */
export const cueText = (name: string): string => `[It is ${name}'s turn to speak.]`;
