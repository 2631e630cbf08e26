// Sample arguments for the sentences of `npm start` on the real Discord.
import type { LaptopFacts } from "../../../src/core/copy/laptop.ts";
import type { GatewayStatus } from "../../../src/core/state/gateway-status.ts";

const CHANNEL = "1180000000000000010";

/** A bot that has just started. */
export const laptopFacts: LaptopFacts = {
  name: "Parley",
  owners: ["Juno (1180000000000000023)"],
  inviteUrl: "https://discord.com/oauth2/authorize?client_id=1180000000000000002",
  pageUrl: "http://127.0.0.1:8787",
  endpointHost: null,
  commands: 14,
  model: null,
  servers: "claimed",
  visitors: "owners",
  listsUsers: false,
  isPrivate: false,
  requiresCodeGrant: false,
  readsContent: true,
};

const statuses: readonly GatewayStatus[] = [
  "connected",
  "resuming",
  "waiting",
  "off",
  { refused: "bad_token" },
  { refused: "disallowed_intents" },
];

export const laptopSamples: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  "laptop.laptopFaults.noToken": [["That is the application's id, not its token. Open the application's page Bot."]],
  "laptop.laptopFaults.unreachable": [["discord.com", "getaddrinfo ENOTFOUND discord.com"]],
  "laptop.laptopFaults.trouble": [[503]],
  "laptop.laptopFaults.commands": [[400, "Invalid Form Body"]],
  "laptop.endpointText": [["Parley", "parley.example.workers.dev"]],
  "laptop.otherCommandsText": [["Parley", ["play", "skip"]]],
  "laptop.laptopFaults.runsAlready": [["http://127.0.0.1:8787"]],
  "laptop.laptopFaults.notConfigured": [[["SERVERS is not one of claimed, listed, open"]]],
  "laptop.laptopFaults.notReady": [[60]],
  "laptop.laptopLines": [
    [laptopFacts],
    [{ ...laptopFacts, endpointHost: "parley.example.workers.dev", commands: 0, model: "gpt-5-mini" }],
    [{ ...laptopFacts, servers: "listed", visitors: "listed", isPrivate: true, requiresCodeGrant: true }],
    [
      {
        ...laptopFacts,
        servers: "open",
        visitors: "anyone",
        listsUsers: true,
        readsContent: false,
      },
    ],
  ],
  "laptop.laptopStatusText": statuses.map((status) => [status]),
  "laptop.turnLine": [
    [{ status: "completed", ending: "completed", ms: 3240, channelId: CHANNEL }],
    [{ status: "error", ending: "model_failed", ms: 12_000, channelId: CHANNEL }],
    [{ status: "timeout", ending: "iteration_limit", ms: 2000, channelId: CHANNEL }],
    [{ status: "stopped_by_user", ending: "stopped", ms: 200, channelId: CHANNEL }],
    [{ status: "cleared", ending: "cleared", ms: 0, channelId: CHANNEL }],
  ],
  "laptop.parkedLine": [[CHANNEL]],
  "laptop.problemLine": [
    ["Discord gave no answer", CHANNEL],
    ["model call failed", CHANNEL, "gpt-5-mini", "rate_limited"],
    ["a remote server gave no tools", CHANNEL, "wiki"],
    ["the owners need to act", "deployment", undefined, "no_credit"],
    ["Discord gave no answer", "gateway"],
    ["request failed", null],
  ],
};
