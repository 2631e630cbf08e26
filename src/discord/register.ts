// `npm run register`: tells Discord our commands. Overwrites the whole list, so running it twice changes nothing.
import process from "node:process";
import manifest from "../../package.json" with { type: "json" };
import { DISCORD } from "../config/defaults.ts";
import { leave, mistake, readFlags } from "../scripts/arguments.ts";
import { endUnread } from "../scripts/closed-pipe.ts";
import { readVariables } from "../scripts/dev-vars.ts";

const USAGE = `Usage: npm run register -- [options]

Registers this program's commands with Discord. Reads DISCORD_APPLICATION_ID and DISCORD_BOT_TOKEN from the environment, else from
.dev.vars.

  --guild <id>  register for one server only, where the commands appear at once
  --dry-run     print the commands as JSON and nothing else (with npm run --silent), and send nothing
  -h, --help    print this`;

endUnread();
const { guild, "dry-run": isDry } = readFlags(USAGE, { guild: { type: "string" }, "dry-run": { type: "boolean" } });
if (guild !== undefined && !/^\d+$/.test(guild))
  leave(mistake(`--guild must be the id of a server, not "${guild}".`, USAGE));

// Imported only now, because printing the usage needs none of it.
const { registration } = await import("./commands/registration.ts");
const { registerCommands } = await import("./rest/register-commands.ts");
const { userAgent } = await import("./rest/user-agent.ts");
const commands = registration();
if (isDry) process.stdout.write(`${JSON.stringify(commands, null, 2)}\n`);
else process.exitCode = await register(guild);

async function register(guild: string | undefined): Promise<number> {
  const applicationId = variable("DISCORD_APPLICATION_ID");
  const token = variable("DISCORD_BOT_TOKEN");
  if (!applicationId || !token) {
    process.stderr.write(
      "DISCORD_APPLICATION_ID and DISCORD_BOT_TOKEN are needed, in the environment or in .dev.vars.\n",
    );
    return 1;
  }
  // Otherwise Discord would call the token invalid, or the runtime would reject the header with an error that contains the token.
  if (/[^\w.-]/.test(token)) {
    process.stderr.write(
      "DISCORD_BOT_TOKEN has a character that no token has. Copy the token again, on one line and without quotes.\n",
    );
    return 1;
  }
  const base = (variable("DISCORD_API_BASE_URL") ?? DISCORD).replace(/\/+$/, "");
  const result = await registerCommands(
    { fetch, baseUrl: base, botToken: token, userAgent: userAgent(manifest.version) },
    { applicationId, guildId: guild },
    commands,
  );
  if (result.ok) {
    process.stdout.write(`Registered ${commands.length} commands${guild ? ` for server ${guild}` : ""}.\n`);
    return 0;
  }
  const failure =
    result.status === null ? `can't be reached at ${base.replace(/\/\/[^/]*@/, "//")}` : `answered ${result.status}`;
  process.stderr.write(`Discord ${failure}: ${result.error.slice(0, 1000)}${adviceFor(result.status, guild)}\n`);
  return 1;
}

/** Returns what to do about a refusal, to follow Discord's own explanation; empty if there is nothing to add. */
function adviceFor(status: number | null, guild: string | undefined): string {
  if (status === null) return "\nCheck your network, and run this again.";
  if (status === 401)
    return "\nThe token is not valid. Press Reset Token on the Bot page of the Developer Portal, and use the new one.";
  if (status !== 403 && status !== 404) return "";
  return guild === undefined
    ? "\nDISCORD_APPLICATION_ID is not the application of this token. Copy it from the same application."
    : `\nThe bot has to be in the server ${guild}, and DISCORD_APPLICATION_ID has to be this token's application.`;
}

/** Reads a variable from the environment, else from `.dev.vars`. */
function variable(name: string): string | null {
  return process.env[name]?.trim() || readVariables(".dev.vars")[name]?.trim() || null;
}
