// Builds the reply of a persona: below its scene's header, or to a message. It finds the persona's voice when there is text, stores it,
// and replaces a webhook that is gone.
import type { TurnRecord, Voice } from "../../src/core/state/record.ts";
import { type ScenePart, sceneTurnId } from "../../src/core/state/scene.ts";
import type { Endpoint } from "../../src/discord/rest/rest.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { turnOfReply } from "./reply-ledger.ts";
import { createPump, type OnGone } from "./turn-pump.ts";
import { decideFirstEndpoint, findVoice, voiceChannel } from "./voice.ts";
import { VoiceReply } from "./voice-reply.ts";

/** What the reply needs from the other replies. */
export interface PersonaReplyContext {
  onGone: OnGone;
  /** Until when requests that an earlier life sent for this reply may still arrive (epoch milliseconds). */
  strayUntil: number;
  /** Resolves when the scene's header is in Discord, or can't be. */
  headerShown: () => Promise<void>;
  /** Resolves when the reply of this other turn of the scene has its final text, or can't have it. */
  over: (before: TurnRecord) => Promise<void>;
}

/** Makes the reply. Sends and stores nothing before it has text. */
export function createPersonaReply(ports: ChannelPorts, turn: TurnRecord, context: PersonaReplyContext): VoiceReply {
  const { scene } = turn.request;
  const hasHeader = scene !== undefined;
  return new VoiceReply({
    mayStayEmpty: hasHeader && turn.parts.length === 0,
    onFailure: (error) => ports.log.error("a persona's voice failed", { turnId: turn.id, error: String(error) }),
    find: async () => {
      const before = scene ? turnToWaitFor(ports, scene) : null;
      if (before) await context.over(before);
      const voice = turn.voice ?? (await findVoice(ports, turn));
      if (!voice) return "mute";
      const voiced = keepVoice(ports, turn.id, voice);
      if (!voiced) return "superseded";
      // The first followup after a deferred response becomes that response (Discord), so the header must be there first.
      if (voice.kind === "followup") await context.headerShown();
      return createPump(ports, voiced, context.onGone, {
        strayUntil: context.strayUntil,
        asFollowups: hasHeader,
        isBare: hasHeader,
        ...(voice.kind === "webhook" && { revoice: (isNameless) => replaceVoice(ports, voiced, isNameless) }),
        ...(voice.kind === "bot" && hasHeader && { revoice: () => replaceBot(ports, voiced, context) }),
      });
    },
  });
}

/** The previous turn of the scene, if it has ended but its final text is still on its way: a scene is posted in order. */
function turnToWaitFor({ store }: ChannelPorts, { id, index }: ScenePart): TurnRecord | null {
  const before = index === 0 ? null : store.turn(sceneTurnId(id, index - 1));
  return before?.state === "closing" ? before : null;
}

/**
 * Finds another webhook when the first one is gone, and freezes the messages that the first one has posted. Without another one, or where
 * no webhook may post under the persona's name, the words go into a scene's header; the answer to a message then comes from the bot itself.
 */
async function replaceVoice(ports: ChannelPorts, turn: TurnRecord, isNameless: boolean): Promise<Endpoint | null> {
  if (!isNameless) ports.voices?.forget(voiceChannel(turn.request) ?? "");
  const voice = await findVoice({ ...ports, voices: isNameless ? null : ports.voices }, turn);
  const mayBe = turn.request.scene ? voice?.kind === "webhook" : true;
  const voiced = voice && mayBe ? keepVoice(ports, turn.id, voice, true) : null;
  return voiced && decideFirstEndpoint(voiced);
}

/**
 * Switches once from the bot to the interaction's token where the bot may not write: Discord accepts commands also in channels that are closed
 * to the bot, and in servers that have only added its commands.
 */
async function replaceBot(
  ports: ChannelPorts,
  { id }: TurnRecord,
  { headerShown }: PersonaReplyContext,
): Promise<Endpoint | null> {
  await headerShown();
  const isBots = ports.store.turn(id)?.voice?.kind === "bot";
  const voiced = isBots ? keepVoice(ports, id, { kind: "followup" }, true) : null;
  return voiced && decideFirstEndpoint(voiced);
}

/** Stores the voice before it is used, and returns the turn with it. Null when another life has the turn. */
function keepVoice({ store, instance }: ChannelPorts, id: string, voice: Voice, isOther = false): TurnRecord | null {
  return store.transaction(() => {
    const turn = turnOfReply(store, id, instance);
    if (!turn) return null;
    const parts = turn.parts.map((part) =>
      isOther && part.state === "sent" ? { ...part, frozen: true as const } : part,
    );
    const voiced = { ...turn, voice, parts };
    store.saveTurn(voiced);
    return voiced;
  });
}
