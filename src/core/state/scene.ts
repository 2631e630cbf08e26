// Turns the persona or scene that a person asked for into the requests of turns. Pure.

import type { Persona } from "./persona.ts";
import type { Refusal } from "./rpc.ts";
import type { TurnRequest } from "./turn-request.ts";

/** A turn's part in its scene, stored in its request. A persona with its own voice is a scene of one. */
export interface ScenePart {
  /** The id of the interaction that asked, which is also the first turn's; all turns of the scene answer the same request. */
  id: string;
  /** From 0. */
  index: number;
  /** The speakers, in order. */
  names: string[];
  /** The interaction's token: its deferred response is the scene's header. */
  token: string;
  /** The channel whose webhook may post for a persona; null where none can. */
  webhookChannelId: string | null;
}

/** The personas that a person asked for. */
export interface WantedSpeakers {
  /** One persona by name; absent: the channel's default. */
  persona?: string;
  /** Several, in speaking order. */
  scene?: readonly string[];
  webhookChannelId?: string | null;
}

/** More would flood the channel. */
const MAX_SCENE_PERSONAS = 5;

/** Parses the names of a scene as a person wrote them: separated by commas, in speaking order; the same persona may speak twice. */
export function sceneNames(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The requests of the turns that a message becomes, or why it is refused. */
export type CastRequests = { ok: true; requests: [TurnRequest, ...TurnRequest[]] } | { ok: false; refusal: Refusal };

/** Assigns speakers to a request. `personas` are the available ones, `inUse` is the default. */
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
  // A persona's own voice would speak to everyone.
  if (!first || request.catchUp) return { ok: true, requests: [request] };
  // An answer that replaces another is in a reply, too.
  const webhookChannelId = (request.replaces === undefined && wanted.webhookChannelId) || null;
  // A message gets no header above its answer: the answer itself begins with a link to the message.
  const isMessage = request.token === null && request.messageId !== undefined;
  // A persona without its own voice speaks in the usual reply, with its name in front.
  if (request.token === null || (!wanted.scene && webhookChannelId === null))
    return {
      ok: true,
      requests: [{ ...request, persona: first, ...(isMessage && webhookChannelId !== null && { webhookChannelId }) }],
    };
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

/** Returns the id of a scene's turn. The first turn has the interaction's own id, by which a repeated delivery is recognized. */
export function sceneTurnId(sceneId: string, index: number): string {
  return index === 0 ? sceneId : `${sceneId}.${index}`;
}

/**
 * Builds the text below the system prompt that says who the model is and who else speaks in the scene; empty without a
 * persona.
 */
export function personaPrompt({ persona, scene }: TurnRequest): string {
  if (!persona) return "";
  const others = scene ? [...new Set(scene.names)].filter((name) => name !== persona.name) : [];
  return [
    `\n\nYou speak as ${persona.name}, and only as ${persona.name}.`,
    persona.prompt,
    "Don't begin your answer with your name: it is shown already.",
    ...(others.length > 0
      ? [`This is a scene with ${others.join(", ")}. Each speaks in turn; write only ${persona.name}'s words.`]
      : []),
  ].join("\n");
}

/** The question of a scene's later turns in the conversation, which has the person's own words already. */
export const cueText = (name: string): string => `[It is ${name}'s turn to speak.]`;
