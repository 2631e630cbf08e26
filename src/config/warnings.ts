// What an owner should know of a configuration that works: who may spend the key without a limit.
import type { AccessVariables } from "./access.ts";
import { loopbackHost } from "./addresses.ts";
import type { MoneyLimits } from "./money.ts";

/** The part of a configuration that is looked at. */
interface Looked {
  access: AccessVariables;
  money: MoneyLimits;
  discord: { apiBaseUrl: string };
}

/** The warnings, in sentences that name the variables. None where Discord is on this machine: no stranger is there. */
export function configWarnings({ access, money, discord }: Looked): string[] {
  const isLimited = money.microUsdPerDay > 0 || money.microUsdPerMonth > 0;
  if (isLimited || loopbackHost(discord.apiBaseUrl) !== null) return [];
  const doors = [
    ...(access.servers === "open" ? ["SERVERS=open"] : []),
    ...(access.visitors === "anyone" ? ["VISITORS=anyone"] : []),
  ];
  return doors.map(
    (door) =>
      `With ${door} people you don't know can spend your key, and no limit of money is set. Set MAX_USD_PER_DAY.`,
  );
}
