// Tells the owners, in a direct message, of failures that only they can mend: each kind once a day (UTC) at most.

import type { OwnerAlert } from "../../src/core/access/scope-rpc.ts";
import { alertText } from "../../src/core/copy/owner-alerts.ts";
import { utcDay } from "../../src/core/money/lease.ts";
import { findOwners } from "./deployment.ts";
import type { ScopePorts } from "./scope-ports.ts";

const ALERTED = "alerted";

/** The order gives each kind a number in the nonce, so new ones come last. */
const KINDS: readonly OwnerAlert["kind"][] = [
  "no_credit",
  "auth",
  "no_model",
  "unreachable",
  "day_spent",
  "month_spent",
];

/**
 * Tells them, unless they were told today of the same, or of the same where it left a question without an answer. That they know is stored
 * before the message is sent: a life that ends in between loses the message, and none is sent twice. Returns at once. A message that can't
 * be sent is only logged.
 */
export function alertOwners(ports: ScopePorts, alert: OwnerAlert): void {
  const { store, clock, keepAlive, log } = ports;
  // The limit of the day before, which a turn has run past.
  if ("resetsAt" in alert && alert.resetsAt < clock()) return;
  const today = utcDay(clock());
  const alerted = store.fact<Record<string, string>>(ALERTED) ?? {};
  const key = isAnswered(alert) ? `${alert.kind}_answered` : alert.kind;
  if (alerted[alert.kind] === today || alerted[key] === today) return;
  store.putFact(ALERTED, { ...alerted, [key]: today });
  log.error("the owners have to look", { ...alert });
  keepAlive(tellAll(ports, alert, today));
}

const isAnswered = (alert: OwnerAlert): boolean => "isAnswered" in alert;

async function tellAll(ports: ScopePorts, alert: OwnerAlert, today: string): Promise<void> {
  const { tellPerson, log } = ports;
  if (!tellPerson) return;
  try {
    for (const owner of await findOwners(ports)) {
      // Discord compares nonces over all conversations, and takes 25 characters.
      const nonce = `${isAnswered(alert) ? "b" : "a"}${KINDS.indexOf(alert.kind)}${today.slice(-2)}${owner}`;
      const told = await tellPerson(owner, alertText(alert), nonce);
      if (!told.ok) log.error("an owner could not be told", { owner, error: told.text });
    }
  } catch (error) {
    log.error("the owners could not be told", { error: String(error) });
  }
}
