// What owners read in `/owner servers` and `/owner usage`.
import type { KnownServer, OwnerUsage } from "../access/scope-rpc.ts";
import { withAsManyAsFit } from "../markdown/as-many-as-fit.ts";
import { cutText } from "../markdown/code-points.ts";
import type { UsageSum } from "../money/report.ts";
import { moneyText } from "./money.ts";
import { person } from "./notices.ts";
import { sumLine } from "./usage.ts";

/** The most servers, and the most blocked people, to show. */
const MAX_SHOWN = 15;
/** How many characters of each denial's reason are shown, so that most lines fit. */
const REASON_CHARS = 22;

/** What `/owner servers` shows. */
interface ServersReport {
  servers: readonly KnownServer[];
  blocked: readonly string[];
  isPaused: boolean;
}

/** Lists the servers, newest first, as many as fit into one message, and who is blocked. */
export function serversText(report: ServersReport): string {
  return withAsManyAsFit(Math.min(MAX_SHOWN, report.servers.length), (shown) => listServers(report, shown));
}

function listServers({ servers, blocked, isPaused }: ServersReport, shown: number): string {
  const hidden = servers.length - shown;
  return [
    ...(isPaused ? ["I'm paused everywhere."] : []),
    servers.length === 0 ? "No one has used me in a server yet." : `Servers (${servers.length}):`,
    ...servers.slice(0, shown).map(serverLine),
    ...(hidden > 0 ? [`-# … and ${hidden} more.`] : []),
    ...(blocked.length > 0
      ? [
          `Blocked (${blocked.length}): ${blocked
            .slice(0, MAX_SHOWN)
            .map(person)
            .join(", ")}${blocked.length > MAX_SHOWN ? ` and ${blocked.length - MAX_SHOWN} more` : ""}`,
        ]
      : []),
  ].join("\n");
}

function serverLine({ guildId, since, isClaimed, denied, month }: KnownServer): string {
  const why = denied !== null && denied.length > REASON_CHARS ? `${cutText(denied, REASON_CHARS)}…` : denied;
  const state = why !== null ? `denied: ${why}` : isClaimed ? "switched on" : "not switched on";
  return `- \`${guildId}\`, known since <t:${Math.floor(since / 1000)}:d>, ${month && month.turns > 0 ? `${monthText(month)}, ` : ""}${state}`;
}

function monthText({ turns, microUsd, unpricedTokens }: UsageSum): string {
  const cost = microUsd === 0 && unpricedTokens > 0 ? "cost not known" : moneyText(microUsd);
  return `${turns.toLocaleString("en")} ${turns === 1 ? "answer" : "answers"} this month (${cost})`;
}

/** Writes the whole deployment's usage today and this month, against its limits, and the servers that cost most. */
export function ownerUsageText({ all, dearest, microUsdPerDay, microUsdPerMonth }: OwnerUsage): string {
  const isUnlimited = microUsdPerDay === 0 && microUsdPerMonth === 0;
  return [
    sumLine("Today", all.today, microUsdPerDay),
    sumLine("This month", all.month, microUsdPerMonth),
    ...(isUnlimited
      ? ["No limit is set. Use the variables `MAX_USD_PER_DAY` and `MAX_USD_PER_MONTH` to set one."]
      : []),
    ...(dearest.length > 0 ? ["**Most expensive this month**"] : []),
    ...dearest.map(({ guildId, sum }) => `- ${sumLine(guildId === "" ? "Outside servers" : `\`${guildId}\``, sum, 0)}`),
    "-# Days and months are in UTC. An answer counts when it is finished.",
  ].join("\n");
}
