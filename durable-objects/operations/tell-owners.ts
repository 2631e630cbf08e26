// Reports an ending that only the bot's owners can mend to the deployment's scope, which tells them. No turn waits for it.
import { DEPLOYMENT } from "../../src/core/access/scope-copy.ts";
import type { OwnerAlert } from "../../src/core/access/scope-rpc.ts";
import { describeError } from "../../src/core/describe-error.ts";
import type { Ending } from "../../src/core/state/ending.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { Channel } from "../live-channel.ts";

/** Reports the ending of this turn, if the owners have to know. Never rejects; a report that is lost comes with the next failure. */
export async function tellOwners({ ports }: Channel, { request, checkpoint }: TurnRecord): Promise<void> {
  const alert = checkpoint.kind === "send" ? alertAbout(checkpoint.ending, request.channelId) : null;
  if (alert === null) return;
  try {
    await ports.findScope(DEPLOYMENT).alert(alert);
  } catch (error) {
    ports.log.error("the owners were not told", { kind: alert.kind, error: describeError(error) });
  }
}

/** What the owners have to know of an ending; null: nothing. */
export function alertAbout(ending: Ending, channelId: string): OwnerAlert | null {
  if (ending.kind === "budget_spent" && ending.of === "deployment" && !ending.isHeld) {
    const { per, limit, resetsAt } = ending;
    return { kind: per === "month" ? "month_spent" : "day_spent", channelId, limit, resetsAt };
  }
  if (ending.kind !== "model_failed") return null;
  switch (ending.reason) {
    case "no_credit":
    case "auth":
    case "no_model":
    case "unreachable":
      return { kind: ending.reason, channelId };
    default:
      return null;
  }
}
