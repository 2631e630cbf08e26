// Every sentence of the setup command. No secret is ever passed in here.
import type { TokenFault } from "../token-shape.ts";

const NEW_TOKEN =
  "Open https://discord.com/developers/applications/select/bot, choose your application, press Reset Token and paste the new one.";

/** Why a pasted text is not a bot token, and where to find the token. */
export const tokenFaultText: Readonly<Record<TokenFault, string>> = {
  empty: `A bot token is needed. ${NEW_TOKEN}`,
  public_key: `That is the application's public key, not its token. ${NEW_TOKEN}`,
  application_id: `That is the application's id, not its token. ${NEW_TOKEN}`,
  client_secret: `That looks like the client secret, not the bot's token. ${NEW_TOKEN}`,
  not_a_token: `That is not a bot token, which has three parts with dots between them. ${NEW_TOKEN}`,
};

const MOST_NAMES = 5;
const some = (names: readonly string[]): string =>
  names.slice(0, MOST_NAMES).join(", ") + (names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "");

const TAKE_PLACE =
  "Should Parley take its place? That program then receives no commands, and those that it registered are removed";

/** What the person reads first. */
export const introText = `Parley on your own Discord server, in about ten minutes. You need:
  a Discord application  https://discord.com/developers/applications?new_application=true
  its bot token          https://discord.com/developers/applications/select/bot → Token → Reset Token → Copy
  a Cloudflare account   the free plan is enough; you can sign up on the way
You can stop at any time with Ctrl-C and run this again: it continues where it stopped.`;

/** The questions. */
export const question = {
  token: "Paste the bot's token",
  login: "How do you want to log in to Cloudflare?",
  loginBrowser: "In a browser on this computer",
  loginDevice: "With a code, in a browser anywhere (WSL, SSH, containers)",
  loginToken: "With an API token (template: Edit Cloudflare Workers)",
  apiToken: "Paste the Cloudflare API token",
  account: "Which Cloudflare account?",
  subdomain: "Your Cloudflare account has no workers.dev address yet. What should it be called?",
  takeOver: (url: string) => `Discord sends this application's commands to another program, at ${url}. ${TAKE_PLACE}`,
  takeCommands: (names: readonly string[]) =>
    `Another program has registered commands for this application: ${some(names)}. ${TAKE_PLACE}`,
  modelKey:
    "Paste a model key (OpenAI, OpenRouter, Groq, Gemini, xAI), or press Enter for Workers AI, which needs no key",
  useKey: (host: string) => `Use OPENAI_API_KEY from your environment, at ${host}?`,
  strangers: "May people in servers that are not yours, and in direct messages, use the bot at your cost?",
  dollars: "How many US dollars may it cost a day at most? (0: no limit)",
  gateway:
    "Should it also answer mentions and replies? One object then stays awake: on Cloudflare's free plan that leaves about 200 one-minute answers a day",
  openInvite: "Press Enter to open the invite link",
};

/** Wrangler reads the proxy's variable by itself; Node's own requests also need the second one. */
const NETWORK = "Check your network; behind a proxy, set HTTPS_PROXY and NODE_USE_ENV_PROXY=1.";

/** Where to create an API token. */
export const CLOUDFLARE_TOKENS =
  "Open https://dash.cloudflare.com/profile/api-tokens → Create Token → Edit Cloudflare Workers → Use template.";

/** What is wrong with an answer. */
export const answerFault = {
  subdomain: "Use lower-case letters, digits and hyphens, 63 at most.",
  subdomainTaken: (name: string) => `${name}.workers.dev is taken. Choose another name.`,
  dollars: "Write an amount of US dollars, such as 5 or 2.50.",
  apiToken: "Paste a token, or press Ctrl-C to stop.",
  tokenAsLogin: "That is the bot's token, not Cloudflare's. Paste the Cloudflare API token.",
  tokenAsKey: "That is the bot's token, not a model key. Paste a model key, or press Enter for Workers AI.",
};

/** The lines with ✓. */
export const done = {
  application: (name: string, owners: number) =>
    `Discord knows the token: ${name}, with ${owners === 1 ? "one owner" : `${owners} owners`}`,
  loggedIn: (account: string) => `Logged in to Cloudflare: ${account}`,
  subdomain: (name: string) => `The account's address is ${name}.workers.dev`,
  workerNew: (name: string) => `The Worker ${name} will be created`,
  workerOld: (name: string) => `The Worker ${name} exists and will be updated; its settings and data stay`,
  model: (name: string) => `The model is ${name}`,
  modelKept: "The Worker has a model already (--new-key replaces it)",
  deployed: (url: string) => `Deployed to ${url}`,
  healthy: "The Worker answers, and trusts your application's key",
  installSettings: "The bot can be added to a server, and by a person for themselves",
  intent: "The bot may read what others write (Message Content)",
  endpoint: "Discord sends interactions to the Worker",
  commands: (count: number) => `${count} commands are registered`,
  servers: (names: readonly string[]) => `The bot is in ${names.join(", ")}`,
  joined: (name: string) => `The bot joined ${name}`,
  claimed: (name: string) => `${name} may use it`,
};

/** The lines shown while something takes time. */
export const waiting = {
  deploy: "Deploying (about half a minute)",
  health: "Waiting until the Worker answers; a new address takes up to three minutes",
  endpoint: "Discord is checking the Worker; this takes up to three minutes",
  server: "Waiting until the bot is in a server (Ctrl-C stops; nothing is lost)",
};

/** The lines with !. */
export const warning = {
  takesOver: (url: string) =>
    `Discord sent this application's commands to ${url}. Parley takes that program's place; the address is under General Information in the Developer Portal.`,
  takesCommands: (names: readonly string[]) =>
    `Another program had registered commands for this application: ${some(names)}. Parley's take their place.`,
  codeGrant:
    "Discord will refuse the invite. Open https://discord.com/developers/applications/select/bot and switch Requires OAuth2 Code Grant off.",
  installRefused:
    "Discord did not accept the install settings. The invite link works without them; you can set them under Installation in the Developer Portal.",
  intentRefused:
    "Discord did not switch on the Message Content intent. You can do it under Bot → Privileged Gateway Intents; until then the bot can't read what others write.",
  gatewayKeeps:
    "The connection to Discord's Gateway began without the Message Content intent, and keeps that for days. Run `npx wrangler secret put DISCORD_GATEWAY` with off, wait five minutes, and run it with on.",
  noCron:
    "Your Cloudflare account has as many cron triggers as its plan allows (five on the Free plan), so the Worker got none. Only the connection to Discord's Gateway needs one: to have it, remove another Worker's trigger in Cloudflare's dashboard, and run this again.",
  keyUnchecked: (host: string) =>
    `${host} could not be asked whether it accepts the key. With OPENAI_API_KEY set, \`npm run doctor\` asks again.`,
  addressUnused:
    "OPENAI_BASE_URL is used only with a model key, so it has no effect. For a server that needs none, set OPENAI_API_KEY to any word.",
  busy: (host: string) => `${host} accepts the key, and is busy right now.`,
  notClaimed: (name: string) => `${name} could not be allowed yet. Its first /chat must be yours.`,
  notTaken: (name: string, has: readonly string[]) =>
    `${name} is not taken from your environment: the Worker has ${has.join(" and ")} already. Change ${has.length > 1 ? "them" : "it"} with ${has.map((one) => `\`npx wrangler secret put ${one}\``).join(" and ")}.`,
  noOwners: "Discord names no owner of the application. Set OWNER_IDS to your own user id.",
};

/** The lines with ✗: what happened, and what to do. */
export const failure = {
  cancelled: "Stopped. Nothing is lost.",
  noTempFolder: (folder: string) =>
    `Temporary files can't be written to ${folder}. Set TMPDIR to a folder that exists and is yours.`,
  notWritable: (path: string) =>
    `${path} can't be written. Make this folder and its files yours (an earlier run with sudo may have taken them), or use a new clone.`,
  noRoom:
    "The disk is full, so a file for the deploy could not be written. Make room, also where temporary files are (TMPDIR), and run this again.",
  tokenRefused: `Discord does not accept this bot token. ${NEW_TOKEN}`,
  blocked: "Discord's network refuses this machine for a while. Wait an hour; nothing is wrong with your setup.",
  discordUnreachable: (reason: string) => `Discord can't be reached: ${reason}. ${NETWORK}`,
  discordDown: (status: string) =>
    `Discord answered ${status}. Try again in a few minutes; https://discordstatus.com says if it has an outage.`,
  discordRefused: (what: string) => `Discord answered: ${what}.`,
  wranglerFailed: (text: string) =>
    `Cloudflare does not accept the login: ${text}. Run \`npx wrangler login\`, or set a new CLOUDFLARE_API_TOKEN (template: Edit Cloudflare Workers).`,
  notLoggedIn:
    "You are not logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN (template: Edit Cloudflare Workers).",
  loginFailed:
    "The login did not work. If your browser said that localhost refused to connect, choose the code or an API token.",
  noAccount:
    "This login has no Cloudflare account, or may not list it. Set CLOUDFLARE_ACCOUNT_ID to the account's id, or sign up at https://dash.cloudflare.com/sign-up.",
  severalAccounts: (names: readonly string[]) =>
    `The login has several accounts: ${names.join(", ")}. Set CLOUDFLARE_ACCOUNT_ID to the id of one.`,
  unknownAccount:
    "CLOUDFLARE_ACCOUNT_ID is not one of the accounts of this login. Run `npx wrangler login` with the right one, or unset it.",
  subdomainNeeded: "Your Cloudflare account has no workers.dev address yet. Set WORKERS_SUBDOMAIN to a name for it.",
  cloudflareLost: (reason: string) => `Cloudflare can't be reached: ${reason}. ${NETWORK}`,
  cloudflare: (what: string) =>
    `Cloudflare answered: ${what}. Try again in a few minutes, or log in again with \`npx wrangler login\`.`,
  notParley: (name: string) =>
    `The account has a Worker named ${name} that is not Parley. Use another name: \`npm run setup -- --name another\`. If it is only what \`npx wrangler secret put\` made before the first deploy, remove it: \`npx wrangler delete --name ${name}\`.`,
  otherApplication: (name: string, id: string) =>
    `The Worker ${name} serves another application (${id}). For a second bot use another name: \`npm run setup -- --name another\`.`,
  offWorkersDev: (name: string) =>
    `I can't tell which bot the Worker ${name} belongs to, because its workers.dev address is turned off. (A deploy that was interrupted also leaves it off.) Turn it on (Workers & Pages → the Worker → Settings → Domains & Routes) and run this again. For a second bot use another name: \`npm run setup -- --name another\`.`,
  runsElsewhere: (url: string) =>
    `The bot already runs at ${url}, and its data is there. Log in to that Worker's account, or use its name with --name. To start over here, remove the Interactions Endpoint URL under General Information in the Developer Portal.`,
  notTakenOver:
    "The other program keeps this application. Make one for Parley at https://discord.com/developers/applications?new_application=true, and paste its token.",
  modelsStay:
    "The Worker has MODELS, which names its models. Run `npx wrangler secret delete MODELS` first to have one model alone, or run this without --new-key to keep them. Their keys are OPENAI_API_KEY and the variable that an entry names with `apiKeyVar`: `npx wrangler secret put` and its name change one.",
  keyStays: "The old model key could not be removed. Run `npx wrangler secret delete OPENAI_API_KEY`.",
  build: (why: string) => `The program could not be built: ${why}. Run \`npm ci\`, and then this again.`,
  otherDeploy: "Another deploy of this folder is under way. Wait until it has ended, and run this again.",
  deploy: (text: string) => `The deploy failed: ${text}.`,
  healthProblems: (problems: readonly string[]) =>
    `The Worker runs, but is not configured: ${problems.join("; ")}. Run \`npx wrangler secret put NAME\` for each.`,
  freePlan: (which: string) =>
    which.endsWith("1103")
      ? `Cloudflare runs no Worker of this account at the moment (${which}), as happens when a spending limit is reached. Look under Billing → Spend Management in its dashboard; if there is none, ask its support.`
      : `An allowance of Cloudflare's free plan is used up (${which}). Wait until 00:00 UTC, when it returns, or change to Workers Paid.`,
  healthSilent: (url: string) => `${url} is not reachable yet; new addresses need a few minutes.`,
  healthOther:
    "The Worker trusts another application's key, so Discord's calls are refused. Run `npm run doctor` to see what else is wrong.",
  endpoint: (why: string) => `Discord could not verify the Worker: ${why}`,
  endpointWell: "the Worker answers as it should, so Discord may need another minute.",
  endpointStatus: (status: number) => `it answers ${status} to a wrong signature, where 401 is right.`,
  endpointMissing: "nothing answers at /interactions; another program may have this address.",
  notIds: (name: string) => `Set ${name} to the Discord ids of people, separated by commas.`,
  notOneOf: (name: string, words: string) => `Set ${name} to ${words}.`,
  tokenVariable: (fault: string) => `DISCORD_BOT_TOKEN, from your environment or .dev.vars: ${fault}`,
  needsVariable: (name: string) => `Set ${name}: with --yes, or without a terminal, setup can't ask for it.`,
  keyRefused: (host: string) =>
    `${host} refuses this key. Make a new one there and paste it. If it is not of OpenAI, OpenRouter, Groq, Gemini or xAI, set OPENAI_BASE_URL and OPENAI_MODEL, and run this again.`,
  noCredit: (host: string) =>
    `The key is right, but its account at ${host} has no credit left. Add some, or have Workers AI answer: press Enter in place of a key, or unset OPENAI_API_KEY.`,
  noModel: (host: string, model: string, known: readonly string[]) =>
    `${host} has no model ${model}.${known.length > 0 ? ` It has: ${known.join(", ")}.` : ""} Set OPENAI_MODEL.`,
  wrongAddress: (url: string, better: string | null) =>
    `Nothing answers at ${url}/chat/completions.${better === null ? "" : ` Did you mean ${better}?`} Set OPENAI_BASE_URL.`,
  addressHasLogin:
    "OPENAI_BASE_URL has a user name or password in it, which a Worker does not send. Set it without them; a server that needs them takes a header of MODELS (src/config/README.md).",
  privateModel: (host: string) =>
    `The model at ${host} is on this computer or in its network, which a Worker can't reach. Set OPENAI_BASE_URL to a public address, or unset it and OPENAI_API_KEY. To run the bot here with this model: DISCORD_BOT_TOKEN=… npm start.`,
  noTools: (model: string) => `The model ${model} can't call tools. Choose another with OPENAI_MODEL.`,
  noServer:
    "The bot joined no server within half an hour. Everything else is done. Open the link above when you are ready.",
  again: "Run `npm run setup` again; it continues from here.",
};

/** The text around the invite link. */
export const inviteText = (link: string, isPublic: boolean, owner: string): string =>
  `Add the bot to a server where you may Manage Server:\n${link}${isPublic ? "" : `\nOnly ${owner} can open it, because the bot is not public.`}`;

/** What the last lines depend on. */
export interface EndFacts {
  servers: readonly string[];
  link: string;
  hasWorkersAi: boolean;
  /** Null: what the Worker has stays. 0: no limit. */
  dollarsPerDay: number | null;
  /** Whether the price of the chosen model is known. Null: the model was chosen in an earlier run. */
  isPriced: boolean | null;
  hasGateway: boolean;
}

/** The last lines: what to do next, and what the bot costs. */
export function endText({ servers, link, hasWorkersAi, dollarsPerDay, isPriced, hasGateway }: EndFacts): string {
  const [server] = servers;
  const limit = limitText(dollarsPerDay, isPriced);
  return [
    server === undefined
      ? `Add the bot to a server: ${link}`
      : `Go to ${server} in Discord and type: /chat message: hello`,
    ...(server === undefined ? [] : ["If you don't see the command, press Ctrl+R in Discord."]),
    `Cloudflare: $0 a month on the free plan, for about ${hasGateway ? "200" : "1,400"} one-minute answers a day; $5 with Workers Paid.`,
    hasWorkersAi
      ? "The model: Workers AI is free for some 270 to 570 messages a day; then it stops until 00:00 UTC; with Workers Paid, it continues and is charged."
      : "The model: what its provider charges for your key.",
    `${limit}. /owner usage, in a direct message with the bot, shows what was spent.`,
    "Is it silent? `npm run doctor` says why.",
  ].join("\n");
}

/** What the daily limit does: a sentence without its period. */
function limitText(dollars: number | null, isPriced: boolean | null): string {
  if (dollars === 0) return "There is no daily limit (MAX_USD_PER_DAY)";
  const limit = `${dollars === null ? "The daily limit" : `The limit of $${dollars} a day`} (MAX_USD_PER_DAY)`;
  if (isPriced === false)
    return `${limit} stops this model only if its provider says what a call costs, because its price is not known; set \`price\` in MODELS`;
  if (dollars === null) return `${limit} is as it was`;
  return `The model costs at most $${dollars} a day (MAX_USD_PER_DAY)${isPriced === null ? ", if its price is known" : ""}`;
}
