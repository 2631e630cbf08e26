// What the owners read in a direct message when something has failed that only they can fix.
import type { OwnerAlert } from "../access/scope-rpc.ts";
import { moment } from "./budgets.ts";
import { limitText } from "./money.ts";

/** Writes the message: what failed, where it was noticed, and what to do. */
export function alertText(alert: OwnerAlert): string {
  return [sentence(alert), `-# Noticed in <#${alert.channelId}>. You get this at most once a day.`].join("\n");
}

function sentence(alert: OwnerAlert): string {
  // The failed model may be one that listens or draws.
  const [effect, variables] =
    "isAnswered" in alert
      ? ["so only my other models work", "`OPENAI_MODEL`, `MODELS`, `TRANSCRIBE_MODEL` or `IMAGE_MODEL`"]
      : ["so I can't answer", "`OPENAI_MODEL` or `MODELS`"];
  switch (alert.kind) {
    case "no_credit":
      return `My account at the model provider is out of credit, ${effect}. Add some to it.`;
    case "auth":
      return `The model provider did not accept my key, ${effect}. Check the variable that contains it.`;
    case "no_model":
      return `The model provider does not know my model, or no longer offers it, ${effect}. Name another in ${variables}, or check its address.`;
    case "unreachable":
      return `The model provider can't be reached, ${effect}. Check its address, and whether it has an outage.`;
    case "day_spent":
    case "month_spent": {
      const [span, variable] =
        alert.kind === "day_spent" ? ["today", "MAX_USD_PER_DAY"] : ["this month", "MAX_USD_PER_MONTH"];
      return `I have used up my ${limitText(alert.limit)} for ${span}, so I answer no one until ${moment(alert.resetsAt, "f")}. Raise \`${variable}\` to change that.`;
    }
  }
}
