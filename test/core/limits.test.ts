// Limits in the units that people and Discord's documentation name them in.
import { expect, it } from "vitest";
import { CONNECT_LIFE_MS } from "../../src/core/access/connection-rpc.ts";
import { APPROVAL_LIFE_MS } from "../../src/core/decisions/approval.ts";
import * as limits from "../../src/core/limits.ts";
import { REST_MS } from "../../src/core/transcript/speaker.ts";

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
const [KIBIBYTE, MEBIBYTE] = [1024, 1_048_576];

it.each([
  ["an interaction's token lives 15 minutes", limits.TOKEN_LIFE_MS / MINUTE_MS, 15],
  ["a new token is asked for 2 minutes before its end", limits.TOKEN_RENEWAL_MS / MINUTE_MS, 13],
  ["a message may be created again for 2 minutes", limits.NONCE_LIFE_MS / MINUTE_MS, 2],
  ["a channel that refused us has 15 minutes of silence", limits.SILENCE_AFTER_REFUSAL_MS / MINUTE_MS, 15],
  ["an approval waits 10 minutes", APPROVAL_LIFE_MS / MINUTE_MS, 10],
  ["a connection may be made within 10 minutes", CONNECT_LIFE_MS / MINUTE_MS, 10],
  ["a conversation has rested after 10 minutes", REST_MS / MINUTE_MS, 10],
  ["a reminder is due within a leap year and a day", limits.REMINDER_HORIZON_MS / DAY_MS, 367],
  ["a message's file has at most 10 MiB", limits.MESSAGE_FILE_BYTES / MEBIBYTE, 10],
  ["an answer has at most 256 KiB", limits.MAX_ANSWER_BYTES / KIBIBYTE, 256],
  ["the reasoning of a step has at most 64 KiB", limits.MAX_REASONING_BYTES / KIBIBYTE, 64],
  ["a provider's own parts have at most 256 KiB", limits.MAX_NATIVE_BYTES / KIBIBYTE, 256],
])("%s", (_what, limit, wanted) => expect(limit).toBe(wanted));
