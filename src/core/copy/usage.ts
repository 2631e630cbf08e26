// What people read about usage: their own, a channel's, a whole server's.
import type { ScopeUsage } from "../access/scope-rpc.ts";
import type { UsageSum } from "../money/report.ts";
import { unpricedOf } from "../money/usage.ts";
import type { Used } from "../state/day-usage.ts";
import type { UsageReport } from "../state/rpc.ts";
import { amount, relatively, shareOf } from "./budgets.ts";
import { moneyText } from "./money.ts";

/** What a scope adds to the channel's own figures. Null: it can't be reached. */
export interface WiderUsage {
  of: "server" | "outside";
  usage: ScopeUsage | null;
}

/** The answer to someone who asked for another person's figures and may not see them. */
export const OTHERS_USAGE =
  "Only moderators of a server can see what someone else used there. Leave `person` out to see your own.";

/** Shows usage today and this month, by whom and where, against the limits. `of`: whose figures a moderator reads; null: the reader's own. */
export function usageText(
  { used, limits, acrossServer, resetsAt }: UsageReport,
  wider: WiderUsage,
  of: string | null = null,
): string {
  const who = of === null ? "You" : `<@${of}>`;
  const perPerson = { ...limits.user, microUsd: acrossServer?.userMicroUsd ?? 0 };
  const resets = `Today's figures reset ${relatively(resetsAt)}.`;
  const isServer = wider.of === "server";
  // Outside servers, nobody else uses the object whose figures these are.
  const here = isServer ? "This channel" : "Your conversation here";
  const channel = usageLine(here, used.channel, limits.channel);
  if (wider.usage === null)
    return [
      "**Today, in this channel**",
      usageLine(who, used.user, limits.user),
      channel,
      `-# ${resets} I can't read this month's figures or those of other channels now. Try again in a minute.`,
    ].join("\n");
  const { user, channel: month, all } = wider.usage;
  // What everyone together uses outside servers is only the owner's business.
  const server = (sum: UsageSum, limit: number) => (isServer ? [sumLine("This server", sum, limit)] : []);
  const everywhere = isServer
    ? `${who}, in the whole server`
    : "You, in direct messages and where you brought me along";
  return [
    "**Today**",
    plainLine(`${who}, in this channel`, used.user, 0),
    channel,
    usageLine(everywhere, usedOf(user.today), perPerson),
    ...server(all.today, acrossServer?.serverMicroUsd ?? 0),
    "**This month**",
    sumLine(everywhere, user.month, 0),
    sumLine(here, month.month, 0),
    ...server(all.month, 0),
    `-# Days and months are in UTC. ${resets} An answer that isn't finished counts only in this channel's figures for today.`,
  ].join("\n");
}

/** Converts a scope's sums into a channel's figures. */
const usedOf = (sum: UsageSum): Used => ({
  turns: sum.turns,
  tokens: sum.inputTokens + sum.outputTokens,
  inputTokens: sum.inputTokens,
  cachedInputTokens: sum.cachedTokens,
  microUsd: sum.microUsd,
  unpriced: sum.unpricedTokens,
});

/** Writes a scope's figures, of which only the money may be limited. `limit` is in micro-dollars; 0: no limit. */
export const sumLine = (who: string, sum: UsageSum, limit: number): string => plainLine(who, usedOf(sum), limit);

const plainLine = (who: string, used: Used, limit: number): string =>
  `${who}: ${amount(used.turns, "turns")}, ${amount(used.tokens, "tokens")}${split(used)}. ${costText(used, limit)}`;

const usageLine = (who: string, used: Used, limits: Used): string =>
  `${who}: ${share(used, limits, "turns")}, ${share(used, limits, "tokens")}${split(used)}. ${costText(used, limits.microUsd ?? 0)}`;

const share = (used: Used, limits: Used, unit: "turns" | "tokens"): string =>
  limits[unit] === 0 ? `${amount(used[unit], unit)} (no limit)` : shareOf(used[unit], limits[unit], unit);

/** Says how many tokens were read and written; empty if an older program counted them together. */
function split({ tokens, inputTokens, cachedInputTokens: cached = 0 }: Used): string {
  if (inputTokens === undefined || tokens === 0) return "";
  const number = (count: number) => count.toLocaleString("en");
  return `: ${number(inputTokens)} in (${number(cached)} cached), ${number(tokens - inputTokens)} out`;
}

function costText(used: Used, limit: number): string {
  const { microUsd = 0, tokens } = used;
  const unpriced = unpricedOf(used, tokens);
  // Pictures and sounds have their own prices.
  if (unpriced > 0 && unpriced === tokens && microUsd === 0) return "Cost: not known (no price).";
  const without = unpriced > 0 ? `, without ${amount(unpriced, "tokens")} of unknown price` : "";
  return `Cost: ${limit > 0 ? shareOf(microUsd, limit, "microUsd") : moneyText(microUsd)}${without}.`;
}
