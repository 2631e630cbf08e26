// Builds what a tool learns about the call, the turn and the person. The names are the usual ones for tools of this kind.

import { SOFT_WARN_ITERATION_THRESHOLD } from "../core/limits.ts";
import type { Enrichment } from "../core/state/enrichment.ts";
import type { Message } from "../core/transcript/transcript.ts";
import type { ToolContext } from "../toolkit/define/tool.ts";
import type { NumberedCall, Reply } from "./ports.ts";
import type { ToolLoopParams } from "./turn-params.ts";
import { buildTurnTaint } from "./turn-taint.ts";

/** The whole context of a call in a turn. `contextItems` and `messageIdMap` are live: each read returns the current state. */
export interface TurnToolContext extends ToolContext {
  channel: { id: string; guildId: string | null };
  /** The reply to the person: the tool's only connection to Discord. */
  client: Pick<Reply, "postedText">;
  message: { id: string; text: string };
  settings: { systemPrompt: string };
  /** The name of the model. */
  provider: string;
  /** `disableMessageMetadataContext`: the handles of messages are already in the conversation. */
  streamContext: { abortSignal: AbortSignal; readonly disableMessageMetadataContext: boolean };
  /** A reply finds its webhook itself; tools get none. */
  webhook: null;
  personaUsername: string | null;
  personaAvatarUrl: string | null;
  activePersonaId: string | null;
  isUserImpersonation: boolean;
  impersonatedUserId: string | null;
  suppressProgressNotices: boolean;
  contextItems: { readonly messages: Message[]; readonly enrichment: Enrichment };
  /** Discord's message ids by the handles of visible messages; empty until they are revealed. */
  readonly messageIdMap: ReadonlyMap<string, string>;
  /** The turn has run long enough that people should see how to end it. */
  showKillHint: boolean;
  /** The turn's own signal. `signal` also fires at this call's time limit. */
  abortSignal: AbortSignal;
}

/** Names a call by its position: the name is the same in every life, and different for every call. */
export const buildCallPlace = (
  turnId: string,
  { messageSeq, position }: Pick<NumberedCall, "messageSeq" | "position">,
): string => `${turnId}:${messageSeq}.${position}`;

/** Reads the position from a name that `buildCallPlace` made. */
export function readCallPlace(place: string): Pick<NumberedCall, "messageSeq" | "position"> {
  const [messageSeq, position] = place.slice(place.lastIndexOf(":") + 1).split(".");
  return { messageSeq: Number(messageSeq), position: Number(position) };
}

/** Builds the context of one call. The runtime adds what only it can provide. */
export function buildToolContext(
  params: ToolLoopParams,
  placed: NumberedCall,
  iteration: number,
): Omit<TurnToolContext, "beginning"> {
  const { call } = placed;
  const { request, signal, random, log, clock, store } = params;
  return {
    webhook: null,
    personaUsername: request.persona?.name ?? null,
    personaAvatarUrl: request.persona?.avatarUrl ?? null,
    activePersonaId: request.persona?.name ?? null,
    isUserImpersonation: request.impersonatedUserId !== undefined,
    impersonatedUserId: request.impersonatedUserId ?? null,
    now: clock(),
    signal,
    random,
    log: (line, detail) => log.info(line, { tool: call.name, ...detail }),
    channelId: request.channelId,
    channel: { id: request.channelId, guildId: request.guildId },
    client: params.reply,
    message: { id: request.interactionId, text: request.text },
    guildId: request.guildId,
    userId: request.userId,
    settings: { systemPrompt: params.systemPrompt },
    locale: request.locale,
    provider: params.model.name,
    streamContext: {
      abortSignal: signal,
      get disableMessageMetadataContext() {
        return store.enrichment().metadata;
      },
    },
    suppressProgressNotices: !params.shouldSurfaceUserErrors,
    contextItems: {
      get messages() {
        const { earlier, current } = store.conversation();
        return [...earlier, ...current];
      },
      get enrichment() {
        return store.enrichment();
      },
    },
    messageIdMap: liveMap(() => store.messageIds()),
    showKillHint: iteration >= SOFT_WARN_ITERATION_THRESHOLD,
    abortSignal: signal,
    turnId: params.turnId,
    callId: call.id,
    attempt: 1,
    idempotencyKey: buildCallPlace(params.turnId, placed),
    taint: buildTurnTaint(params, placed),
  };
}

/** Returns a map that reads the current state at each access. A context is copied on its way to the tool, and a getter would not survive that. */
const liveMap = <Key, Value>(read: () => ReadonlyMap<Key, Value>): ReadonlyMap<Key, Value> =>
  new Proxy(new Map(), {
    get(_empty, name) {
      const now = read();
      const found: unknown = Reflect.get(now, name, now);
      return typeof found === "function" ? found.bind(now) : found;
    },
  });
