// Limits in the units that people and Discord's documentation use.
import { expect, it } from "vitest";
import { MAX_ROW_BYTES } from "../../durable-objects/store/row-size.ts";
import { MAX_RECORDED_CHANGES } from "../../src/channel/setting-history.ts";
import { CONNECT_LIFE_MS } from "../../src/core/access/connection-rpc.ts";
import { APPROVAL_LIFE_MS } from "../../src/core/decisions/approval.ts";
import * as limits from "../../src/core/limits.ts";
import { MAX_SUMMARY_CHARS } from "../../src/core/transcript/new-summary.ts";
import { REST_MS } from "../../src/core/transcript/speaker.ts";
import { HEALTHY_AFTER_MS, HELLO_LIMIT_MS, RESERVED_IDENTIFIES } from "../../src/gateway/timings.ts";
import { MAX_ANSWERED_REQUESTS } from "../../src/mcp/legacy-era.ts";
import { MAX_DESCRIPTION_BYTES, MAX_MANIFEST_BYTES } from "../../src/mcp/manifest.ts";

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
  ["an answer that takes more than a minute is followed by a ping", limits.PING_AFTER_MS / MINUTE_MS, 1],
  ["what is overheard delays an answer by at most 1.5 s", limits.OVERHEARD_LIMIT_MS, 1500],
  ["the files of a question are read within 30 s", limits.ATTACHMENTS_LIMIT_MS, 30_000],
  ["a summary has at most 4000 characters", MAX_SUMMARY_CHARS, 4000],
  ["the newest 50 changes of settings are listed", MAX_RECORDED_CHANGES, 50],
  ["50 of Discord's sessions of a day are left alone", RESERVED_IDENTIFIES, 50],
  ["the Gateway has 15 s to say Hello", HELLO_LIMIT_MS, 15_000],
  ["a connection to the Gateway is healthy after a minute", HEALTHY_AFTER_MS / MINUTE_MS, 1],
  ["a remote server may ask ten things during a call", MAX_ANSWERED_REQUESTS, 10],
  ["a remote tool's description has at most 4 KiB", MAX_DESCRIPTION_BYTES / KIBIBYTE, 4],
  ["a remote server's list of tools has at most 256 KiB", MAX_MANIFEST_BYTES / KIBIBYTE, 256],
  ["a row has at most 1 MiB", MAX_ROW_BYTES / MEBIBYTE, 1],
  ["a reminder is due within a leap year and a day", limits.REMINDER_HORIZON_MS / DAY_MS, 367],
  ["a message's file has at most 10 MiB", limits.MESSAGE_FILE_BYTES / MEBIBYTE, 10],
  ["an answer has at most 256 KiB", limits.MAX_ANSWER_BYTES / KIBIBYTE, 256],
  ["the reasoning of a step has at most 64 KiB", limits.MAX_REASONING_BYTES / KIBIBYTE, 64],
  ["a provider's own parts have at most 256 KiB", limits.MAX_NATIVE_BYTES / KIBIBYTE, 256],
])("%s", (_what, limit, wanted) => expect(limit).toBe(wanted));
