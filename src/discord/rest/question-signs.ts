// The signs that the bot gives besides its messages: that it is typing, and reactions on a question. None of them is worth waiting for: each
// is one request, which its caller may repeat, and nothing is sent while Discord's limits forbid it.
import { type BotAnswer, type BotPorts, botRequest } from "./bot-request.ts";

/** Shows the bot as typing, for 10 s or until its next message (Discord). May run twice. Never throws. */
export const showTyping = (ports: BotPorts, channelId: string, signal: AbortSignal): Promise<BotAnswer> =>
  botRequest(ports, channelId, { method: "POST", kind: "typing", path: `/channels/${channelId}/typing`, signal });

/** Adds or removes a reaction of the bot. Repeating it changes nothing. Never throws. */
export const setReaction = (
  ports: BotPorts,
  { channelId, messageId }: { channelId: string; messageId: string },
  emoji: string,
  isOn: boolean,
  signal: AbortSignal,
): Promise<BotAnswer> =>
  botRequest(ports, channelId, {
    method: isOn ? "PUT" : "DELETE",
    kind: "react",
    path: `/channels/${channelId}/messages/${messageId}/reactions/${encodeURIComponent(emoji)}/@me`,
    signal,
  });
