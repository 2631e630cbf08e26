// What `npm start` prints when it connects to the real Discord, for the person at the terminal: plain text, no Markdown.
import type { ServerRule, VisitorRule } from "../access/policy.ts";
import type { GatewayStatus } from "../state/gateway-status.ts";
import type { TurnStatus } from "../state/record.ts";
import { seconds } from "./durations.ts";
import { gatewayRefusals, intentMissing } from "./gateway.ts";
import { healthWarnings } from "./health.ts";

const NEW_TOKEN =
  "Open your application at https://discord.com/developers/applications, choose Bot → Reset Token, and start again with the new token.";

/** Why it does not start, and what to do. */
export const laptopFaults = {
  /** `fault`: what was given instead, and where to find the token. */
  noToken: (fault: string) => `DISCORD_BOT_TOKEN can't be used. ${fault}`,
  badToken: `Discord doesn't accept DISCORD_BOT_TOKEN. ${NEW_TOKEN}`,
  unreachable: (host: string, reason: string) =>
    `Discord can't be reached at ${host} (${reason}). Try again when this computer has a network connection.`,
  trouble: (status: number) =>
    `Discord answered ${status}, so the bot was not started. Try again in a few minutes; https://discordstatus.com says if Discord has an outage.`,
  commands: (status: number, reason: string) =>
    `Discord didn't accept the slash commands (${status}: ${reason}). Try again in a few minutes.`,
  badAddress:
    "DISCORD_API_BASE_URL must be an http or https address without a password. Remove it: the real Discord needs none.",
  endpointRefused:
    "There is no terminal to ask in, so the bot was not started. Remove the URL at https://discord.com/developers/applications (General Information), or start in a terminal to continue without slash commands.",
  endpointStopped:
    "The bot was not started. Remove the URL at https://discord.com/developers/applications (General Information) to have slash commands here.",
  commandsRefused:
    "There is no terminal to ask in, so the bot was not started. Use the token of another application, or start in a terminal.",
  commandsStopped: "The bot was not started. Use the token of an application that no other program uses.",
  runsAlready: (url: string) =>
    `This bot is already running on this computer: see ${url}. Use Ctrl-C there before you start it again.`,
  startsAlready: "This bot is already being started on this computer. Use Ctrl-C there before you start it again.",
  notConfigured: (problems: readonly string[]) =>
    `The bot was not started: ${problems.join("; ")}. Set these variables correctly.`,
  notReady: (seconds: number) => `The bot was not ready after ${seconds} s. Use --verbose to see why.`,
  ended: "The local runtime stopped unexpectedly. Use --verbose to see why.",
} as const;

/** Says why slash commands don't arrive here. */
export const endpointText = (name: string, host: string): string =>
  `Discord sends ${name}'s slash commands and buttons to ${host}, and not to this computer: the application has an Interactions Endpoint URL.`;

/** Says what starting would remove. */
export const otherCommandsText = (name: string, commands: readonly string[]): string =>
  `Another program has registered commands for ${name}: ${commands.join(", ")}. Starting replaces them, and both programs would answer.`;

/** Asked in the terminal if the application has an endpoint URL, or another program's commands. Anything but yes means no. */
export const laptopQuestions = {
  endpoint: "Continue without slash commands and buttons? Mentions and direct messages still work. [y/N] ",
  commands: "Continue and remove them? [y/N] ",
} as const;

/** The facts that the terminal shows once the bot has started. */
export interface LaptopFacts {
  name: string;
  owners: readonly string[];
  inviteUrl: string;
  pageUrl: string;
  /** Where slash commands go instead; null: they arrive here. */
  endpointHost: string | null;
  commands: number;
  /** Null: the local model. */
  model: string | null;
  /** The values of the variables SERVERS and VISITORS. */
  servers: string;
  visitors: string;
  /** ALLOWED_USERS is set. */
  listsUsers: boolean;
  /** Only the owner of the application can invite it. */
  isPrivate: boolean;
  requiresCodeGrant: boolean;
  /** The Message Content intent is on. */
  readsContent: boolean;
}

const SERVERS: Readonly<Record<string, string>> = {
  claimed: "only those in which an owner has used it once (SERVERS=open: all)",
  listed: "only those of ALLOWED_SERVERS",
  open: "all that it is in, at your cost (SERVERS=claimed: only those in which an owner has used it)",
} satisfies Record<ServerRule, string>;
const VISITORS: Readonly<Record<string, string>> = {
  owners: "only owners (VISITORS=anyone: everyone)",
  listed: "owners, and the people of ALLOWED_USERS",
  anyone: "everyone, at your cost (VISITORS=owners: only owners)",
} satisfies Record<VisitorRule, string>;

/** Writes the lines printed after the start. */
export function laptopLines(facts: LaptopFacts): string[] {
  const rows: [string, string][] = [
    ["Invite it", facts.inviteUrl],
    ["Owner", facts.owners.join(", ")],
    ["Servers", SERVERS[facts.servers] ?? facts.servers],
    ["Direct messages", VISITORS[facts.visitors] ?? facts.visitors],
    [
      "Model",
      facts.model ?? "the local one, a set of rules: say help to it. For a real one: OPENAI_API_KEY=… OPENAI_MODEL=…",
    ],
    [
      "Commands",
      facts.endpointHost === null ? `${facts.commands} registered` : `go to ${facts.endpointHost}, not here`,
    ],
    ["Live log", facts.pageUrl],
  ];
  return [
    `${facts.name} runs on this computer and answers on Discord. Ctrl-C ends it.`,
    ...rows.map(([what, value]) => `  ${`${what}:`.padEnd(17)}${value}`),
    ...(facts.listsUsers && facts.visitors !== "listed" ? [healthWarnings.unusedUsers] : []),
    ...(facts.requiresCodeGrant
      ? ["The invite link works only after you switch off Bot → Requires OAuth2 Code Grant in the Developer Portal."]
      : []),
    ...(facts.readsContent
      ? []
      : [
          "Message Content is off: the bot reads what is said to it, and nothing else that people write. To change that, switch it on under Bot → Privileged Gateway Intents in the Developer Portal, and start again.",
        ]),
    ...(facts.isPrivate ? ["Only the application's owner can invite it: Public Bot is off."] : []),
    facts.endpointHost === null
      ? "Don't use this token in another program at the same time: both would answer every mention."
      : `The bot at ${facts.endpointHost} has this token, too. If its DISCORD_GATEWAY is on, every mention is answered twice: switch one of them off.`,
  ];
}

/** Describes a change of the connection, for the terminal. */
export function laptopStatusText(status: GatewayStatus): string {
  if (typeof status !== "string") {
    // Each start asks for the intents again.
    if (status.refused === "disallowed_intents") return `${intentMissing} Then start it again.`;
    return gatewayRefusals[status.refused].replaceAll("`", "");
  }
  switch (status) {
    case "connected":
      return "Connected to Discord.";
    case "resuming":
      return "The connection to Discord was lost. Reconnecting.";
    case "waiting":
      return "Not connected to Discord. Trying again.";
    case "off":
      return "The connection to Discord is switched off.";
  }
}

/** How a turn ended, from its log line. `ms`: since its start. */
export interface LoggedTurn {
  status: string;
  ending: string;
  ms: number;
  channelId: string;
}

const STATUSES: Readonly<Record<string, string>> = {
  completed: "answered",
  error: "failed",
  timeout: "hit a limit",
  empty_response: "got no answer from the model",
  stopped_by_user: "stopped",
  follow_up_interrupt: "interrupted by the next message",
  steered: "joined the running turn",
} satisfies Partial<Record<TurnStatus, string>>;

/** Describes a turn in one line. */
export function turnLine({ status, ending, ms, channelId }: LoggedTurn): string {
  const why = status === "error" || status === "timeout" ? ` (${ending.replaceAll("_", " ")})` : "";
  return `${STATUSES[status] ?? status.replaceAll("_", " ")}${why} after ${short(ms)}, in channel ${channelId}`;
}

const short = (ms: number): string => (ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : seconds(ms));

/** Describes a turn that waits for a person's approval, in one line. */
export const parkedLine = (channelId: string): string => `needs approval, in channel ${channelId}`;

/** Describes anything that went wrong, in one line. `name`: the name of what went wrong. `reason`: our own word for why. */
export function problemLine(line: string, place: string | null, name?: string, reason?: string): string {
  const why = [name, reason?.replaceAll("_", " ")].filter((one) => one !== undefined).join(", ");
  const where = place === null ? "" : ` (${/^\d+$/.test(place) ? "channel " : ""}${place})`;
  return `${line}${why && `: ${why}`}${where}`;
}

/** Printed when it ends or starts again. */
export const laptopEnd = {
  ending: "Disconnecting from Discord…",
  ended: "The bot is offline.",
  clockMoved: "This computer slept, or its clock was set. Restarting.",
} as const;
