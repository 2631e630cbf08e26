// Tells the model whether the channel is age-restricted: adult content belongs only where Discord admits adults alone.
import type { TurnRequest } from "../state/record.ts";

/** Builds an addition to the system prompt; empty if the restriction is not known, as in rows of an older program. */
export function agePrompt({ ageRestricted }: Pick<TurnRequest, "ageRestricted">): string {
  if (ageRestricted === undefined) return "";
  return ageRestricted
    ? "\n\nThis Discord channel is age-restricted: only adults can read it."
    : "\n\nThis Discord channel is not age-restricted: people under 18 can read it, so write nothing that is only for adults.";
}
