// `npm run register`: sends Discord our commands. Overwrites the whole list, so it may run twice. `-- --guild ID` registers for
// one guild (takes effect at once, for tests); `-- --dry-run` prints the list and sends nothing.
import { readFileSync } from "node:fs";
import process from "node:process";
import { parseArgs, parseEnv } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { registration } from "./commands/registration.ts";
import { userAgent } from "./rest/user-agent.ts";

const commands = registration();
const { values } = parseArgs({ options: { guild: { type: "string" }, "dry-run": { type: "boolean" } } });

if (values["dry-run"]) process.stdout.write(`${JSON.stringify(commands, null, 2)}\n`);
else process.exitCode = await register(values.guild);

async function register(guild: string | undefined): Promise<number> {
  const applicationId = variable("DISCORD_APPLICATION_ID");
  const token = variable("DISCORD_BOT_TOKEN");
  if (!applicationId || !token) {
    process.stderr.write(
      "DISCORD_APPLICATION_ID and DISCORD_BOT_TOKEN are needed, in the environment or in .dev.vars.\n",
    );
    return 1;
  }
  const base = variable("DISCORD_API_BASE_URL") ?? "https://discord.com/api/v10";
  const scope = guild ? `/guilds/${guild}` : "";
  const response = await fetch(`${base}/applications/${applicationId}${scope}/commands`, {
    method: "PUT",
    headers: {
      Authorization: `Bot ${token}`,
      "Content-Type": "application/json",
      "User-Agent": userAgent(manifest.version),
    },
    body: JSON.stringify(commands),
  });
  if (response.ok) {
    process.stdout.write(`Registered ${commands.length} command(s)${guild ? ` for guild ${guild}` : ""}.\n`);
    return 0;
  }
  process.stderr.write(`Discord answered ${response.status}: ${(await response.text()).slice(0, 1000)}\n`);
  return 1;
}

/** Reads a variable from the environment, or else from `.dev.vars`. */
function variable(name: string): string | null {
  return process.env[name] || devVars()[name] || null;
}

function devVars(): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(".dev.vars", "utf8"));
  } catch {
    return {};
  }
}
