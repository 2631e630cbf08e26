// Scenes: several personas speak in turn about one prompt. Pure: from the names that a person wrote to the turns that are queued.

/** A turn's place in its scene, as its trigger keeps it. */
export interface ScenePlace {
  /** The interaction that asked for the scene; every turn of it shares its trigger. */
  id: string;
  /** From 0. */
  index: number;
  /** Who speaks, in order. */
  names: string[];
}

/** More would take the channel for itself. */
export const MAX_SCENE_PERSONAS = 5;

/** The names of a scene as a person wrote them: parted by commas, in order; the same persona may speak twice. */
export function sceneNames(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The id of a scene's turn: the first one's is the interaction's own, which is what a repeated delivery is known by. */
export function sceneTurnId(sceneId: string, index: number): string {
  return index === 0 ? sceneId : `${sceneId}.${index}`;
}
