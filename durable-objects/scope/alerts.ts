// Notifies the owners, by direct message, of failures that only they can fix: each kind at most once a day (UTC).

import type { OwnerAlert } from "../../src/core/access/scope-rpc.ts";
import { alertText } from "../../src/core/copy/owner-alerts.ts";
import { utcDay } from "../../src/core/money/lease.ts";
import { findOwners } from "./deployment.ts";
import type { ScopePorts } from "./scope-ports.ts";

const ALERTED = "alerted";

/** A kind's position is its number in the nonce, so new kinds go last. */
const KINDS: readonly OwnerAlert["kind"][] = [
  "no_credit",
  "auth",
  "no_model",
  "unreachable",
  "day_spent",
  "month_spent",
];

/**
 * Notifies them, unless they were notified today of the same failure, or of the same kind with a question left unanswered. This is stored
 * before the message is sent: if the life ends in between the message is lost, and none is sent twice. Returns at once. A message that
 * can't be sent is only logged.
 */
export function alertOwners(ports: ScopePorts, alert: OwnerAlert): void {
  const { store, clock, keepAlive, log } = ports;
  // The limit of an earlier day, which a turn that ran past midnight has reached.
  if ("resetsAt" in alert && alert.resetsAt < clock()) return;
  const today = utcDay(clock());
  const alerted = store.fact<Record<string, string>>(ALERTED) ?? {};
  const key = isAnswered(alert) ? `${alert.kind}_answered` : alert.kind;
  if (alerted[alert.kind] === today || alerted[key] === today) return;
  store.putFact(ALERTED, { ...alerted, [key]: today });
  log.error("the owners need to act", { ...alert });
  keepAlive(tellAll(ports, alert, today));
}

const isAnswered = (alert: OwnerAlert): boolean => "isAnswered" in alert;

async function tellAll(ports: ScopePorts, alert: OwnerAlert, today: string): Promise<void> {
  const { tellPerson, log } = ports;
  if (!tellPerson) return;
  try {
    for (const owner of await findOwners(ports)) {
      // Discord compares nonces across all conversations, and accepts at most 25 characters.
      const nonce = `${isAnswered(alert) ? "b" : "a"}${KINDS.indexOf(alert.kind)}${today.slice(-2)}${owner}`;
      const sent = await tellPerson(owner, alertText(alert), nonce);
      if (!sent.ok) log.error("an owner could not be notified", { owner, error: sent.text });
    }
  } catch (error) {
    log.error("the owners could not be notified", { error: String(error) });
  }
}
