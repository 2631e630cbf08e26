// `npm run doctor`: says why a bot is silent, and what to do about it. See README.md in this folder.
import process from "node:process";
import { readFlags } from "../scripts/arguments.ts";
import { checkChannel, checkName, checkUrl, WORKER_NAME } from "./arguments.ts";

const USAGE = `Usage: npm run doctor -- [options]

Checks everything that can be wrong with a deployed bot, and says what to do. Changes nothing without --fix.

  --fix          fix what can be fixed: endpoint URL, commands, intent, workers.dev name
  --json         print the findings as JSON and nothing else (with npm run --silent)
  --name <name>  the Worker's name (default ${WORKER_NAME})
  --url <url>    the Worker's address, if it is not at workers.dev
  --channel <id> also check whether the bot can see this channel
  -h, --help     print this

Exits with 1 if something is wrong. Variables, from the environment: DISCORD_BOT_TOKEN (also read from .dev.vars), OPENAI_API_KEY to
try it, INSPECT_TOKEN to ask the Worker what only it knows, CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID.`;

const { fix, json, name, url, channel } = readFlags(USAGE, {
  fix: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  name: { type: "string", default: WORKER_NAME },
  url: { type: "string" },
  channel: { type: "string" },
});
const checked = {
  name: checkName(name, USAGE),
  url: url === undefined ? null : checkUrl(url, USAGE),
  channel: channel === undefined ? null : checkChannel(channel, USAGE),
};

// Imported only now, because printing the usage needs none of it.
const { hasUtf16DevVars, openPorts, readDevVars } = await import("./real-ports.ts");
const { runDoctor } = await import("./run-doctor.ts");
const { openTerminal } = await import("./terminal.ts");
const devVars = readDevVars();
process.exitCode = await runDoctor(openPorts(openTerminal(!json)), {
  ...checked,
  fix,
  json,
  node: process.versions.node,
  devVars: Object.keys(devVars).length === 0 ? null : devVars,
  hasUtf16: hasUtf16DevVars(),
});
