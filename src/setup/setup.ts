// `npm run setup`: from nothing to a bot on your own server. See README.md in this folder.
import process from "node:process";
import { readFlags } from "../scripts/arguments.ts";
import { checkName, WORKER_NAME } from "./arguments.ts";

const USAGE = `Usage: npm run setup -- [options]

Puts Parley on your own Discord server: asks for the bot's token and a model key, and does the rest. Run it again at any time: it
continues where it stopped. This is also how you deploy a new version.

  --yes         ask nothing; use variables and defaults (for scripts)
  --name <name> the Worker's name (default ${WORKER_NAME}); another name for a second bot
  --new-key     ask for a model key even if the Worker has a model
  -h, --help    print this

Variables: DISCORD_BOT_TOKEN (needed with --yes; also read from .dev.vars), OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL,
CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID, WORKERS_SUBDOMAIN, OWNER_IDS, STRANGERS (yes or no), MAX_USD_PER_DAY, DISCORD_GATEWAY
(on or off).`;

const {
  yes,
  name,
  "new-key": newKey,
} = readFlags(USAGE, {
  yes: { type: "boolean", default: false },
  name: { type: "string", default: WORKER_NAME },
  "new-key": { type: "boolean", default: false },
});
const flags = { yes, newKey, name: checkName(name, USAGE) };

// Imported only now, because printing the usage needs none of it.
const { endOnSignals, openPorts } = await import("./real-ports.ts");
const { runSetup } = await import("./run-setup.ts");
const { openTerminal } = await import("./terminal.ts");
endOnSignals();
process.exitCode = await runSetup(openPorts(openTerminal(!yes)), flags);
