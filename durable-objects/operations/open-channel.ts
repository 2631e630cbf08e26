// One channel in memory over the ports of a life of its object.
import type { ChannelPorts } from "../channel-ports.ts";
import { beginHearing } from "../hearing/hearing.ts";
import type { Channel } from "../live-channel.ts";
import { Replies } from "../replies/replies.ts";
import { endLostReply } from "./stop.ts";

/** Makes the channel; nothing runs in it yet. */
export function openChannel(ports: ChannelPorts): Channel {
  const replies = new Replies(ports, (turnId, why) => endLostReply(channel, turnId, why));
  const reporting = { isSending: false, failures: 0, retryAt: 0 };
  const hearing = beginHearing(ports);
  const still = { live: null, finishing: new Set<string>(), tickFailures: 0, compacting: null };
  const channel: Channel = { ports, replies, hearing, reporting, ...still };
  return channel;
}
