// Every sentence of the doctor: for each row what is right, what is wrong, and why something could not be checked.
import type { TokenFault } from "../token-shape.ts";
import { failure, tokenFaultText } from "./setup.ts";

/** What each row is about, in the order in which a person should fix them. */
export const rowNames = {
  1: "bot token",
  2: "token in the Worker",
  3: "public key",
  4: "endpoint URL",
  5: "address of the Worker",
  6: "endpoint",
  7: "commands",
  8: "commands on the screen",
  9: "server",
  10: "bot in the server",
  11: "permissions",
  12: "Message Content",
  13: "invite",
  14: "time to answer",
  15: "Cloudflare account",
  16: "workers.dev",
  17: "model key",
  18: "model credit",
  19: "model address",
  20: "model",
  21: "Workers AI",
  22: "free plan",
  23: "Discord's network",
  24: "this computer",
  25: ".dev.vars",
  26: "mentions",
  27: "your money",
} as const;

/** A row's number. */
export type RowNumber = keyof typeof rowNames;

/** The commands that fix most of what the doctor finds. */
export const SETUP = "npm run setup";
export const FIX = "npm run doctor -- --fix";

/** Asked if the environment has no token. */
export const tokenQuestion = "Paste the bot's token, or press Enter to check without it";

/** ✓ */
export const well = {
  token: "Discord accepts the bot token.",
  workerToken: "The Worker has a token that Discord accepts.",
  key: "The Worker trusts your application's key.",
  endpoint: "Discord has an address for your bot.",
  address: "Discord calls this Worker.",
  answers: "The endpoint refuses wrong signatures, as Discord wants.",
  commands: (count: number) => `Discord knows all ${count} commands.`,
  screen:
    "If a command is missing on your screen, press Ctrl+R in Discord; a server admin may also have hidden it: Server Settings → Integrations.",
  servers: (names: readonly string[]) => `The bot is in ${names.join(", ")}.`,
  member: "The bot was added with its own account, so it may read and post.",
  permissions: "The bot may read and send messages.",
  intent: "The bot may read what others write.",
  invite: "Anyone with Manage Server can invite the bot.",
  inviteByOwner: (owner: string) => `Only ${owner} can invite this bot.`,
  quick: (ms: number) => `The Worker answers in ${ms} ms.`,
  account: (name: string) => `You are logged in to Cloudflare, and ${name} has the Worker.`,
  subdomain: "The Worker has a workers.dev address.",
  modelKey: (host: string) => `${host} accepts the key.`,
  credit: "The key's account has credit.",
  modelAddress: "A model answers at this address.",
  model: (model: string) => `${model} is there and can call tools.`,
  workersAi: "Workers AI answers.",
  freePlan: "No allowance of Cloudflare's free plan is used up.",
  network: "Discord's network answers this machine.",
  computer: (node: string) => `Node ${node}, and the clock is right.`,
  computerAlone: (node: string) => `Node ${node}. The clock was not compared with Discord's.`,
  devVars: ".dev.vars is for this application.",
  money: "Nobody can spend it without a limit.",
  gateway: "The bot hears mentions, replies and direct messages.",
};

/** ✗ */
export const wrong = {
  noToken: "There is no bot token to check with. Paste it when you are asked, or set DISCORD_BOT_TOKEN.",
  tokenShape: (fault: TokenFault) => tokenFaultText[fault],
  tokenRefused: "Discord does not accept this bot token. Open the Bot page, press Reset Token and paste the new one.",
  workerToken: "Your Worker still has an old bot token.",
  key: "The Worker trusts another application's key, so Discord's calls are refused.",
  applicationId: (id: string) =>
    `The Worker trusts your application's key, but has another application's id. Set DISCORD_APPLICATION_ID to ${id}.`,
  otherBot: (called: string) => `The Worker serves another application; this token's bot lives in ${called}.`,
  noEndpoint: "Discord has no address for your bot.",
  otherEndpoint: (old: string, current: string) => `Discord still calls ${old}, and the Worker is at ${current}.`,
  workerProblems: (problems: readonly string[]) => `Your Worker answers 500 because ${problems.join("; ")}.`,
  workerSilent: failure.healthSilent,
  endpointMissing: (url: string) => `Nothing answers at ${url}/interactions: another program has this address.`,
  endpointStatus: (status: number) => `The endpoint answers ${status} to a wrong signature, where 401 is right.`,
  commands: (known: number, all: number) => `Discord knows ${known} of ${all} commands as they are now.`,
  noServer: (link: string) => `Your bot isn't in a server yet. Open this link: ${link}`,
  commandsOnly: (link: string) =>
    `The bot may only answer commands. Open the link once more to let it read and post: ${link}`,
  permissions: (where: string, names: readonly string[]) => `In ${where} the bot may not ${names.join(", ")}.`,
  channel: (id: string) =>
    `The bot can't see channel ${id}. Give it View Channels in the channel's settings; it also has to be in that server.`,
  intent: "The bot can't read what others write.",
  codeGrant: "Switch off Bot → Requires OAuth2 Code Grant: the invite fails with it.",
  slow: (ms: number) => `Your Worker needs ${ms} ms to answer; Discord waits 3 seconds.`,
  loggedOut: "You are not logged in to Cloudflare.",
  loginFailed: (text: string) => `Cloudflare does not accept the login: ${text}.`,
  noSuchAccount: "CLOUDFLARE_ACCOUNT_ID is not one of its accounts",
  severalAccounts: (names: readonly string[]) =>
    `The login has several accounts: ${names.join(", ")}. Set CLOUDFLARE_ACCOUNT_ID to the one with the bot.`,
  otherAccount: (name: string) => `You are logged in to Cloudflare as ${name}, but the bot lives in another account.`,
  otherName: (name: string, called: string) => `There is no Worker named ${name}; the bot lives in ${called}.`,
  noWorker: (name: string) => `There is no Worker named ${name} yet.`,
  noSubdomain: "Your Cloudflare account has no workers.dev address yet.",
  offWorkersDev:
    "The Worker's workers.dev address is switched off: Workers & Pages → the Worker → Settings → Domains & Routes. If it has an address of its own, use that with --url.",
  noModelAtAll: "The Worker has neither a model key nor Workers AI, so no model answers.",
  modelKey: (name: string, host: string) => `${name} is refused by ${host}.`,
  otherProvider: (name: string, host: string, better: string) =>
    `${name} is refused by ${host}; it looks like a key of ${better}.`,
  noCredit: "The key is right, but its account has no credit left. Add some at the provider.",
  modelAddress: (url: string, better: string | null) =>
    `Nothing answers at ${url}/chat/completions.${better === null ? " Check OPENAI_BASE_URL." : ` Did you mean ${better}?`}`,
  addressHasLogin: failure.addressHasLogin,
  noModel: (host: string, model: string, known: readonly string[]) =>
    `${host} has no model ${model}.${known.length > 0 ? ` It has: ${known.join(", ")}.` : ""} Set OPENAI_MODEL to one that it has.`,
  noTools: (model: string) => `Model ${model} can't call tools. Set OPENAI_MODEL to another one.`,
  quota: (at: string) => `Today's free Workers AI is used up; it returns at ${at}, or with Workers Paid.`,
  paidModel: "This model of Workers AI needs Workers Paid. Set OPENAI_MODEL to another one, or change the plan.",
  workersAi: (text: string) => `Workers AI does not answer: ${text}. Try again in a few minutes.`,
  blocked: failure.blocked,
  oldNode: (node: string) => `Node ${node} is too old; wrangler needs 22. Use npm run, which brings its own.`,
  clock: (minutes: number) => `Your computer's clock is ${minutes} minutes off. Set it right.`,
  gateway: (why: string) => `The bot hears no mentions: ${why}`,
  devVars: (problems: readonly string[]) => `.dev.vars: ${problems.join("; ")}. Correct it, or delete the file.`,
};

/** –: what could not be checked, and what would help. */
export const unseen = {
  needsToken: "Not checked: it needs a bot token that Discord accepts.",
  noReply: "Not checked: Discord did not answer that. Run this again in a few minutes.",
  needsWorker: "Not checked: the Worker's address is not known. Log in to Cloudflare, or use --url.",
  workerSilent: "Not checked: the Worker's own page, /health, does not answer as it should.",
  needsLogin: "Not checked: it needs a login to Cloudflare.",
  needsInspectToken: "Not checked: only the Worker knows. Set INSPECT_TOKEN here to the Worker's own to ask it.",
  noWorkerToken: "The Worker has none; some tools, mentions and answers after 15 minutes need one.",
  needsKey: "Not checked: only the Worker has the key. Set OPENAI_API_KEY here to try it.",
  keyless: "Not used: the model is Workers AI, which needs no key.",
  workersAiLogin: (text: string) =>
    `Not checked: this login may not ask Workers AI (${text}). The Worker may; give an API token Workers AI: Read to look.`,
  ownAddress: "Not used: the Worker has an address of its own.",
  notUsed: "Not used: the model has a key.",
  noAnswer: (text: string) => `Not checked: the provider gave no answer (${text}).`,
  comesAfter: (name: string) => `Not checked: the ${name} has to be right first.`,
  busy: "Not checked: the provider is busy.",
  noDevVars: "There is none; it is only for `npx wrangler dev`.",
  forCommands: "It has only what the commands here read; `npx wrangler dev` needs more.",
  gatewayOff: "Not used: the bot answers only commands. Mentions need DISCORD_GATEWAY=on in the Worker.",
  gatewayWaits: "The bot is not connected to Discord's Gateway. It keeps trying; run this again in five minutes.",
  localDiscord: "It is for the local Discord.",
};

/** What is wrong in `.dev.vars`. */
export const devVarsFault = {
  encoding: "it is in UTF-16, which `npx wrangler dev` can't read: save it as UTF-8",
  missing: (name: string) => `${name} is missing`,
  key: "DISCORD_PUBLIC_KEY is another application's",
  id: "DISCORD_APPLICATION_ID is another application's",
};

/** What --fix did. */
export const mended = {
  done: (name: string) => `Fixed: ${name}.`,
  failed: (name: string, why: string) => `Could not fix ${name}: ${why}`,
};

/** The last line. */
export const summaryText = (faults: number): string =>
  faults === 0 ? "Nothing is wrong." : faults === 1 ? "One thing is wrong." : `${faults} things are wrong.`;
