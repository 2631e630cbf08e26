// Answers in their own threads: decides which question gets one, and builds the request of the thread's turn. Pure.
import type { TurnRequest } from "../state/turn-request.ts";

/** Why there is no thread; core/copy has the words. Any other reason comes from Discord. */
export type NoThread = "outside" | "no_bot" | "bot_not_allowed" | "not_allowed";

/** `here`: no one wants a thread, or this is one already. `not`: the answer stays here and says why. */
export type ThreadPlan = { kind: "here" } | { kind: "not"; why: NoThread } | { kind: "open" };

/** What is known about the place. */
export interface ThreadPlace {
  /** The setting `auto_thread`. */
  isAuto: boolean;
  isThread: boolean;
  hasBotToken: boolean;
}

/**
 * A person who wants a thread needs Discord's permission for it; if the setting opens one for everyone, only the bot needs it. The setting
 * applies only to answers that everyone sees.
 */
export function planThread(request: TurnRequest, { isAuto, isThread, hasBotToken }: ThreadPlace): ThreadPlan {
  const { wantsThread, scene, again, guildId, privateTo, botIsHere, permissions, botOpensThreads } = request;
  if (!(wantsThread || (isAuto && !privateTo)) || isThread || scene || again !== undefined) return { kind: "here" };
  if (guildId === null) return wantsThread ? { kind: "not", why: "outside" } : { kind: "here" };
  if (!hasBotToken || botIsHere !== true || privateTo !== undefined) return { kind: "not", why: "no_bot" };
  if (botOpensThreads === false) return { kind: "not", why: "bot_not_allowed" };
  const isAllowed = isAuto || permissions?.includes("CREATE_PUBLIC_THREADS");
  return isAllowed ? { kind: "open" } : { kind: "not", why: "not_allowed" };
}

/** Returns the request while its thread is being opened: with the persona that will answer there, and the channel whose webhook it uses. */
export function requestBeforeThread(
  asked: TurnRequest,
  { persona, webhookChannelId, scene }: TurnRequest,
): TurnRequest {
  const lender = webhookChannelId ?? scene?.webhookChannelId;
  return persona ? { ...asked, persona, ...(lender && { webhookChannelId: lender }) } : asked;
}

/** Returns the request as the thread's own object gets it: the bot posts there itself, and the conversation begins with this request. */
export function requestInThread(request: TurnRequest, threadId: string): TurnRequest {
  const { messageId: _asked, editedAt: _edited, showsQuestion: _above, wantsThread: _wanted, ...rest } = request;
  return { ...rest, token: null, channelId: threadId, beginsThread: true };
}
