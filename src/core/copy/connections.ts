// The texts about connecting remote servers: in Discord, and on the pages that a person's browser shows.

import type { ConnectionFault } from "../access/connection-rpc.ts";
import { MAX_ADDED_SERVERS } from "../limits.ts";
import type { ForgetReach } from "./privacy.ts";

/** Who can use a server that was connected here. */
const EVERYONE = {
  server: "everyone in this server",
  outside: "everyone who may use me outside servers, including in their own direct messages",
} as const;

/** Sentences, and the labels of buttons and fields. */
export const connectionText = {
  /** Shown above the link. */
  begun: (server: string, reach: ForgetReach) =>
    `Sign in to \`${server}\` with the link, then enter the code that the page shows you. You have ten minutes. The link is for you alone: whoever signs in with it lends their access to ${EVERYONE[reach]}.`,
  openLink: "Sign in",
  connected: (server: string, reach: ForgetReach) =>
    `Connected: \`${server}\` is used with your access from now on, for ${EVERYONE[reach]}.`,
  disconnected: (server: string) =>
    `Disconnected: the access to \`${server}\` is deleted here. To end it there as well, remove Parley in your account.`,
  notConnected: (server: string) => `\`${server}\` is not connected.`,
  /** A line of `/tools list`. `isConnected`: null if it can't be. `url`: its address, if it was added with `/tools add`. */
  listed: (server: string, isConnected: boolean | null, url: string | null = null, reach: ForgetReach = "server") =>
    `Server \`${server}\`${url === null ? "" : ` at \`${withoutPath(url)}\`, added here`}${connection(isConnected, reach)}`,
  noAddress: "You can't sign in here, because this bot has no address on the web. Ask its owner to deploy it.",
  ownersOnly: "Here only the bot's owner can connect remote servers. Ask them, or use a server that has added me.",
} as const;

/** Removes the path of an address: everyone may read the list, and the rest of an address may be a key. */
const withoutPath = (url: string): string => url.replace(/^(\w+:\/\/[^/?#`]*).*$/s, "$1");

function connection(isConnected: boolean | null, reach: ForgetReach): string {
  if (isConnected === null) return "";
  const who = reach === "server" ? "a manager" : "outside servers, only the bot's owner";
  return isConnected ? ": connected" : `: not connected; ${who} can change that with \`/tools connect\``;
}

/** Sentences about servers that people add. */
export const addedServerText = {
  added: (server: string) =>
    `Added: the tools of \`${server}\` are offered from the next message on. See \`/tools list\`. A moderator approves each use of a tool, unless the server marks it as one that only reads. If the server wants you to sign in, use \`/tools connect\`.\n-# Other channels follow within a minute.`,
  removed: (server: string) =>
    `Removed: \`${server}\` and the access to it are deleted here.\n-# Other channels follow within a minute.`,
  ownersOnly:
    "Only the bot's owner can add remote servers. Ask them, or ask them to set `MCP_ADD` to `managers` so that whoever manages a server can.",
} as const;

/** Says why a request about a remote server was refused. */
export function connectionFaultText(fault: ConnectionFault, detail: string | undefined): string {
  switch (fault) {
    case "no_key":
      return "Nothing can be connected yet. Ask the bot's owner to set `TOKEN_ENCRYPTION_KEY`.";
    case "no_server":
      return "There is no remote server with that name. See `/tools list`.";
    case "fixed":
      return "The bot's owner has already set how this server is reached, so you can use it without signing in.";
    case "stale":
      return "This link has expired, was already used or is not yours. Use `/tools connect` again.";
    case "provider":
      return `That did not work: ${detail ?? "the server gave no reason"}. Try again, or ask the bot's owner.`;
    case "wrong_code":
      return "That is not the code, or it has expired. Use `/tools connect` to start again.";
    case "bad_name":
      return "The name must begin with a letter and have at most 24 letters, digits and hyphens. Choose another one.";
    case "taken":
      return "A tool or another remote server already has that name. Choose another one.";
    case "bad_address":
      return `I can't use that address: ${detail ?? "it is not one on the web"}. Use an \`https\` address on the public internet.`;
    case "full":
      return `A server can add at most ${MAX_ADDED_SERVERS} remote servers. Remove one with \`/tools remove\` first.`;
    case "not_added":
      return "No remote server with that name was added here. See `/tools list`.";
  }
}

/** The pages in the browser. */
export const consentPage = {
  codeTitle: "One more step",
  code: (server: string) => `Enter this code in Discord to connect ${server}:`,
  /** Somebody who follows a forwarded link arrives here, with their own account. */
  warning:
    "Do this only if you used /tools connect yourself just now. If you were sent a link, close this page and keep the code to yourself: with it, other people could use your account.",
  faultTitle: "Not connected",
  unreachable: "Parley can't be reached at the moment. Try the link again in a minute.",
} as const;
