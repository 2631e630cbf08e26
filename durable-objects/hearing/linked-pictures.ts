// Reads pictures that a person shows by a link in their question. Discord fetches a link after it has sent the message, so a message that
// links to a picture but came without it is read a second time.
import type { Attachment } from "../../src/core/state/attachments.ts";
import { gatewayMessage } from "../../src/discord/gateway/message-json.ts";
import type { GatewayMessage } from "../../src/gateway/message.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { readAsBot } from "./hearing.ts";

/** Discord shows no preview of a link between angle brackets. */
const PICTURE_LINK = /(?<!<)\bhttps?:\/\/[^\s<>]+\.(?:png|jpe?g|gif|webp)\b(?!\/|\.\w)/i;
/** Most pictures are there by then. */
const LOOKED_AT_MS = 1200;

/** Returns the pictures in the order of their links, without those that Discord fetched too late. Waits only if it must read again. Never throws. */
export async function readLinkedPictures(
  ports: ChannelPorts,
  { id, channelId, text, linked = [] }: GatewayMessage,
  signal: AbortSignal,
): Promise<readonly Attachment[]> {
  if (linked.length > 0 || !PICTURE_LINK.test(text)) return linked;
  await ports.timers.wait(LOOKED_AT_MS);
  return gatewayMessage(await readAsBot(ports, `/channels/${channelId}/messages/${id}`, signal))?.linked ?? [];
}
