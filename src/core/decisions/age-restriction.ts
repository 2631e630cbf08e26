// What the model is told of the place's age restriction: adult content belongs only where Discord lets only adults in.
import type { TurnRequest } from "../state/record.ts";

/** Added to the system prompt; empty where it is not known, as in rows of an older program. */
export function agePrompt({ ageRestricted }: Pick<TurnRequest, "ageRestricted">): string {
  if (ageRestricted === undefined) return "";
  return ageRestricted
    ? "\n\nThis Discord channel is age-restricted: only adults can read it."
    : "\n\nThis Discord channel is not age-restricted: people under 18 can read it, so write nothing that is only for adults.";
}
