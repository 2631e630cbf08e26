// Sample arguments for the sentences about access.

import type { AccessRefusal } from "../../../src/core/access/judge.ts";
import type { UsagePeriods } from "../../../src/core/access/scope-rpc.ts";
import type { WiderUsage } from "../../../src/core/copy/usage.ts";
import { NO_USAGE, type UsageSum } from "../../../src/core/money/report.ts";
import type { UsageReport } from "../../../src/core/state/rpc.ts";

const USER = "1180000000000000022";
const AT = 1_900_000_000_000;
const one = (values: readonly unknown[]): [unknown][] => values.map((value) => [value]);

/** Why a person may not use the bot. */
const accessRefusals: {
  [Reason in AccessRefusal["reason"]]: readonly Extract<AccessRefusal, { reason: Reason }>[];
} = {
  paused: [{ reason: "paused" }],
  blocked: [{ reason: "blocked" }],
  server_denied: [{ reason: "server_denied", because: "Ask me in the help forum." }],
  private_server: [{ reason: "private_server" }],
  unlisted_server: [{ reason: "unlisted_server" }],
  private_visitor: [{ reason: "private_visitor" }],
  no_owner: [{ reason: "no_owner" }],
  not_any_more: [{ reason: "not_any_more" }],
  unchecked: [{ reason: "unchecked" }],
  allowance_used_up: [{ reason: "allowance_used_up" }],
  limit_unchecked: [{ reason: "limit_unchecked" }],
};

/** A month's figures. */
const monthSum: UsageSum = {
  turns: 1200,
  inputTokens: 3_000_000,
  cachedTokens: 1_000_000,
  outputTokens: 200_000,
  microUsd: 4_200_000,
  unpricedTokens: 3000,
};
const periods: UsagePeriods = { today: { ...NO_USAGE, turns: 2, inputTokens: 90, microUsd: 12 }, month: monthSum };

/** What a channel reports. */
const usageReports: readonly UsageReport[] = [
  {
    used: { user: { turns: 1, tokens: 200 }, channel: { turns: 9, tokens: 9000 } },
    limits: { user: { turns: 10, tokens: 0 }, channel: { turns: 0, tokens: 50_000 } },
    resetsAt: AT,
  },
  {
    used: {
      user: { turns: 1, tokens: 200, inputTokens: 150, cachedInputTokens: 100, microUsd: 12 },
      channel: { turns: 9, tokens: 9000, inputTokens: 8000, microUsd: 1_234_567, unpriced: 40 },
    },
    limits: { user: { turns: 10, tokens: 0 }, channel: { turns: 0, tokens: 0, microUsd: 2_500_000 } },
    resetsAt: AT,
    acrossServer: { userMicroUsd: 500_000, serverMicroUsd: 5_000_000 },
  },
];

/** What the channel's scope adds. */
const widerUsages: readonly WiderUsage[] = [
  { of: "server", usage: { user: periods, channel: periods, all: periods } },
  { of: "outside", usage: { user: periods, channel: periods, all: periods } },
  { of: "server", usage: null },
  { of: "outside", usage: null },
];

/** Keyed by the name of the sentence. */
export const accessSamples = {
  "health.homeText": one([[], ["DISCORD_PUBLIC_KEY is missing"]]),
  "health.healthWarnings.openWithoutLimit": one(["SERVERS=open"]),
  "health.healthWarnings.unpricedModels": one([["my-model", "another"]]),
  "health.healthWarnings.sameIds": one([["small", "large"]]),
  "health.healthWarnings.unreadFields": one([["MODELS.0.baseURL", "MCP_SERVERS.1.header"]]),
  "health.healthWarnings.keyRefused": one(["api.openai.com"]),
  "usage.usageText": [
    ...usageReports.flatMap((report) => widerUsages.map((wider) => [report, wider])),
    ...usageReports.slice(0, 1).map((report) => [report, widerUsages[0], "10"]),
  ],
  "budgets.amount": [
    [1, "turns"],
    [2_000_000, "tokens"],
    [500_000, "microUsd"],
  ],
  "budgets.shareOf": [[1, 20, "turns"]],
  "budgets.relatively": [[AT]],
  "budgets.moment": [
    [AT, "f"],
    [AT, "T"],
    [AT, "R"],
  ],
  "usage.sumLine": [["You", monthSum, 5_000_000]],
  "access.accessText": one(Object.values(accessRefusals).flat()),
  "owner-answers.ownerText.notAnId": one(["server", "user"]),
  "owner-answers.ownerText.allowed": one(["123456789012345678"]),
  "owner-answers.ownerText.notListed": one(["123456789012345678"]),
  "owner-answers.ownerText.denied": [["123456789012345678", "Not for this server."]],
  "owner-answers.ownerText.blocked": one([USER]),
  "owner-answers.ownerText.unblocked": one([USER]),
  "owner-answers.ownerText.full": one([1000]),
  "owner-alerts.alertText": one([
    ...["no_credit", "auth", "no_model", "unreachable"].map((kind) => ({ kind, channelId: "123456789012345678" })),
    { kind: "no_credit", channelId: "123456789012345678", isAnswered: true },
    ...["day_spent", "month_spent"].map((kind) => ({ kind, channelId: "1", limit: 5_000_000, resetsAt: AT })),
  ]),
  "owner-report.ownerUsageText": one([
    { all: { today: NO_USAGE, month: NO_USAGE }, dearest: [], microUsdPerDay: 0, microUsdPerMonth: 0 },
    {
      all: periods,
      dearest: ["123456789012345678", ""].map((guildId) => ({ guildId, sum: monthSum })),
      microUsdPerDay: 5_000_000,
      microUsdPerMonth: 0,
    },
  ]),
  "owner-report.serversText": one([
    { servers: [], blocked: [], isPaused: true },
    {
      servers: [
        ...[null, "Not for this server."].map((denied) => ({
          guildId: "123456789012345678",
          since: AT,
          isClaimed: true,
          denied,
          month: {
            ...NO_USAGE,
            turns: denied === null ? 1 : 12,
            microUsd: denied === null ? 0 : 12_300,
            unpricedTokens: 9,
          },
        })),
        ...Array.from({ length: 26 }, () => ({ guildId: "1", since: AT, isClaimed: false, denied: null })),
      ],
      blocked: [USER],
      isPaused: false,
    },
  ]),
};
