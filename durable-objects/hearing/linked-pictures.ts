// Pictures that a person shows by a link in their question. Discord looks at a link after it has sent the message, so the message is read
// once more, where it names a picture that has not come with it.
import type { Attachment } from "../../src/core/state/attachments.ts";
import { gatewayMessage } from "../../src/discord/gateway/message-json.ts";
import type { GatewayMessage } from "../../src/gateway/message.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { readAsBot } from "./hearing.ts";

/** Discord shows nothing of a link between angle brackets. */
const PICTURE_LINK = /(?<!<)\bhttps?:\/\/[^\s<>]+\.(?:png|jpe?g|gif|webp)\b(?!\/|\.\w)/i;
/** Most pictures are there by then. */
const LOOKED_AT_MS = 1200;

/** The pictures, in the order of their links, without those that Discord has not looked at in time. Takes a while only where it must look again; never throws. */
export async function readLinkedPictures(
  ports: ChannelPorts,
  { id, channelId, text, linked = [] }: GatewayMessage,
  signal: AbortSignal,
): Promise<readonly Attachment[]> {
  if (linked.length > 0 || !PICTURE_LINK.test(text)) return linked;
  await ports.timers.wait(LOOKED_AT_MS);
  return gatewayMessage(await readAsBot(ports, `/channels/${channelId}/messages/${id}`, signal))?.linked ?? [];
}
