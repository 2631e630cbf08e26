// The reply of a persona below its scene's header: finds the persona's voice with the first word, stores it, and replaces a webhook
// that is gone.
import type { TurnRecord, Voice } from "../../src/core/state/record.ts";
import { type ScenePart, sceneTurnId } from "../../src/core/state/scene.ts";
import type { Endpoint } from "../../src/discord/rest/rest.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { createPump, type OnGone } from "./turn-pump.ts";
import { decideFirstEndpoint, findVoice } from "./voice.ts";
import { VoiceReply } from "./voice-reply.ts";

/** What the reply needs of the replies around it. */
export interface PersonaReplyContext {
  onGone: OnGone;
  /** Resolves when the scene's header stands in Discord, or seems not to come. */
  headerShown: () => Promise<void>;
  /** Resolves when the reply of this turn of the scene has begun to speak, or won't. */
  begun: (before: TurnRecord) => Promise<void>;
}

/** Makes the reply. Nothing is sent or stored before its first word. */
export function createPersonaReply(
  ports: ChannelPorts,
  turn: TurnRecord,
  scene: ScenePart,
  context: PersonaReplyContext,
): VoiceReply {
  return new VoiceReply({
    hasParts: turn.parts.length > 0,
    onFailure: (error) => ports.log.error("a persona found no voice", { turnId: turn.id, error: String(error) }),
    find: async () => {
      const before = turnToWaitFor(ports, scene);
      if (before) await context.begun(before);
      const voice = turn.voice ?? (await findVoice(ports, turn, scene));
      if (!voice) return "mute";
      const voiced = keepVoice(ports, turn.id, voice);
      if (!voiced) return "superseded";
      // The first followup to a deferral becomes the deferred message itself (Discord): the header has to stand there before.
      if (voice.kind === "followup") await context.headerShown();
      const revoice = voice.kind === "webhook" ? { revoice: () => replaceVoice(ports, voiced, scene) } : {};
      return createPump(ports, voiced, context.onGone, { asFollowups: true, isBare: true, ...revoice });
    },
  });
}

/** The turn before this one, where it has ended without a word so far: a scene is heard in its order. */
function turnToWaitFor({ store }: ChannelPorts, { id, index }: ScenePart): TurnRecord | null {
  const before = index === 0 ? null : store.turn(sceneTurnId(id, index - 1));
  if (before?.state !== "closing" || before.parts.some(({ state }) => state === "sent")) return null;
  return before;
}

/** Another webhook in place of one that is gone. */
async function replaceVoice(ports: ChannelPorts, turn: TurnRecord, scene: ScenePart): Promise<Endpoint | null> {
  ports.voices?.forget(scene.webhookChannelId ?? "");
  const voice = await findVoice(ports, turn, scene);
  const voiced = voice?.kind === "webhook" ? keepVoice(ports, turn.id, voice) : null;
  return voiced && decideFirstEndpoint(voiced);
}

/** Stores the voice before anything is said by it; answers the turn with it. Null: another life has the turn. */
function keepVoice({ store, instance }: ChannelPorts, id: string, voice: Voice): TurnRecord | null {
  return store.transaction(() => {
    const turn = store.turn(id);
    if (!turn || turn.state === "finished" || (turn.instance !== null && turn.instance !== instance)) return null;
    const voiced = { ...turn, voice };
    store.saveTurn(voiced);
    return voiced;
  });
}
