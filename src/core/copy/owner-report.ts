// What owners read in `/owner servers`.
import type { KnownServer } from "../access/scope-rpc.ts";

const MAX_SHOWN = 25;
const day = (at: number): string => `<t:${Math.floor(at / 1000)}:d>`;

/** The servers, newest first, and who is blocked. */
export function serversText(report: {
  servers: readonly KnownServer[];
  blocked: readonly string[];
  isPaused: boolean;
}): string {
  const { servers, blocked, isPaused } = report;
  const hidden = servers.length - MAX_SHOWN;
  return [
    ...(isPaused ? ["I'm paused everywhere."] : []),
    servers.length === 0 ? "No one has used me in a server yet." : `Servers (${servers.length}):`,
    ...servers.slice(0, MAX_SHOWN).map(serverLine),
    ...(hidden > 0 ? [`-# … and ${hidden} more.`] : []),
    ...(blocked.length > 0
      ? [
          `Blocked (${blocked.length}): ${blocked
            .slice(0, MAX_SHOWN)
            .map((id) => `<@${id}>`)
            .join(", ")}`,
        ]
      : []),
  ].join("\n");
}

function serverLine({ guildId, since, isClaimed, denied }: KnownServer): string {
  const state = denied !== null ? `denied: ${denied}` : isClaimed ? "switched on" : "not switched on";
  return `- \`${guildId}\`, known since ${day(since)}, ${state}`;
}
