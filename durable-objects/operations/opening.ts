// Begins a life of the object: opens the channel over its ports. If that fails (a bad configuration, rows of a newer program, storage
// that can't be read), the object stays alive without a channel. A constructor that throws would cost the channel its alarm: the
// platform retries an alarm six times and then forgets it, and with it every reminder and every waiting turn.

import { describeError } from "../../src/core/describe-error.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { beginHearing } from "../hearing/hearing.ts";
import type { Channel } from "../live-channel.ts";
import { Replies } from "../replies/replies.ts";
import { settleUpgrade } from "../upkeep/retention.ts";
import { runAlarm } from "./run-alarm.ts";
import { endLostReply } from "./stop.ts";

/** The ports that exist even if the channel can't be opened. */
export interface OpeningPorts {
  setAlarm: (at: number) => Promise<void>;
  clock: () => number;
  logError: (line: string, detail: Record<string, unknown>) => void;
}

const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 10 * 60_000;

/** Opens the channel once in each life, and again at each event while that fails. */
export class Opening {
  readonly #open: () => ChannelPorts;
  readonly #ports: OpeningPorts;
  #channel: Channel | null = null;
  #failedAlarms = 0;

  /** Never throws. */
  constructor(open: () => ChannelPorts, ports: OpeningPorts) {
    this.#open = open;
    this.#ports = ports;
    this.#try();
  }

  /** Notes a call to the object and returns its channel; throws as `channel` does. */
  begin(): Channel {
    const { channel } = this;
    channel.ports.requests.begin("call");
    return channel;
  }

  /** The channel. While it can't be opened, each event tries again and fails with the reason. */
  get channel(): Channel {
    if (this.#channel) return this.#channel;
    const reason = this.#try();
    if (this.#channel) return this.#channel;
    throw new Error(`this channel can't be opened: ${reason}`);
  }

  /**
   * Runs the channel's alarm; without a channel, sets the next alarm a few minutes ahead. Rejects if the next alarm can't be set, for example
   * because a day's allowance is used up or a spending limit is reached: Cloudflare then retries this alarm, and keeps it pending while such a
   * limit blocks (its page on spending limits). If the handler succeeded, no alarm would be left.
   */
  async alarm(): Promise<void> {
    if (this.#channel === null) this.#try();
    if (this.#channel) {
      const { ports } = this.#channel;
      ports.requests.begin("alarm");
      // Awaited, because a failure to set the alarm is only reported a moment later.
      await runAlarm(this.#channel);
      const { failure } = ports.alarm;
      if (failure) throw failure;
      return;
    }
    const waitMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failedAlarms++);
    await this.#ports.setAlarm(this.#ports.clock() + waitMs);
  }

  #try(): string | null {
    try {
      const channel = openChannel(this.#open());
      settleUpgrade(channel);
      this.#channel = channel;
      return null;
    } catch (error) {
      this.#ports.logError("the channel can't be opened", { error: describeError(error) });
      return error instanceof Error ? error.message : String(error);
    }
  }
}

/** Creates the channel over the ports of this life; nothing runs in it yet. */
function openChannel(ports: ChannelPorts): Channel {
  const channel: Channel = {
    ports,
    replies: new Replies(ports, (turnId, why) => endLostReply(channel, turnId, why)),
    hearing: beginHearing(ports),
    reporting: { isSending: false, failures: 0, retryAt: 0 },
    live: null,
    finishing: new Set(),
    tickFailures: 0,
    compacting: null,
  };
  return channel;
}
