// Reports failures that only the bot's owners can fix to the deployment's scope, which notifies them. No turn waits for it. Loaded only when a
// turn had a failure.
import { DEPLOYMENT } from "../../src/core/access/scope-copy.ts";
import type { OwnerAlert } from "../../src/core/access/scope-rpc.ts";
import { describeError } from "../../src/core/describe-error.ts";
import type { Ending } from "../../src/core/state/ending.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { Channel } from "../live-channel.ts";

/** Reports the ending of this turn if the owners need to know. Never rejects. If a report is lost, the next failure brings another. */
export async function tellOwners({ ports }: Channel, turn: TurnRecord): Promise<void> {
  const { request, checkpoint } = turn;
  if (checkpoint.kind !== "send") return;
  await report(ports, alertAbout(checkpoint.ending, request.channelId) ?? alertAboutFallback(turn, checkpoint.ending));
}

/** Reports that a helper model has failed in this channel, if the owners need to know. Never rejects. */
export async function reportHelperFailure({ ports }: Channel, channelId: string, reason: string): Promise<void> {
  const kind = readFailure(reason);
  await report(ports, kind && { kind, channelId, isAnswered: true });
}

async function report(ports: Channel["ports"], alert: OwnerAlert | null): Promise<void> {
  if (alert === null) return;
  try {
    await ports.findScope(DEPLOYMENT).alert(alert);
  } catch (error) {
    ports.log.error("the owners were not notified", { kind: alert.kind, error: describeError(error) });
  }
}

/** Finds a failed model in a turn that another model answered, because nobody would notice it otherwise; null if there is none. */
function alertAboutFallback({ events, request }: TurnRecord, { kind }: Ending): OwnerAlert | null {
  if (kind !== "completed") return null;
  const alerts = events.flatMap(({ call }) => readFailure(call?.reason) ?? []);
  return alerts[0] ? { kind: alerts[0], channelId: request.channelId, isAnswered: true } : null;
}

/** Returns what the owners need to know about an ending; null if nothing. */
export function alertAbout(ending: Ending, channelId: string): OwnerAlert | null {
  if (ending.kind === "budget_spent" && ending.of === "deployment" && !ending.isHeld) {
    const { per, limit, resetsAt } = ending;
    return { kind: per === "month" ? "month_spent" : "day_spent", channelId, limit, resetsAt };
  }
  const kind = ending.kind === "model_failed" ? readFailure(ending.reason) : null;
  return kind && { kind, channelId };
}

/** The failures of a model that the owners can fix. */
const MENDED_BY_OWNERS = ["no_credit", "auth", "no_model", "unreachable"] as const;

const readFailure = (reason: string | undefined) => MENDED_BY_OWNERS.find((one) => one === reason) ?? null;
