// Answers an interaction that came over the gateway just as the HTTP route would: the same parser, gate and handlers. Only the way back
// differs: we send the answer in a request, within the three seconds that Discord waits.
import { looseObject, minLength, regex, string } from "zod/mini";
import { once } from "../core/once.ts";
import { madeAt } from "../gateway/snowflake.ts";
import type { Timers } from "../turn/ports.ts";
import { answerTo, type EntryPorts } from "./answers/answer-interaction.ts";
import { readInteraction } from "./interactions/parse.ts";
import { given } from "./interactions/read-body.ts";
import { type CallbackResult, postCallback } from "./rest/interaction-callback.ts";
import type { RestPorts } from "./rest/rest.ts";
import { withTimeLimit } from "./rest/time-limit.ts";

/** What answering needs: the route's ports, and Discord's REST. `rest.fetch` doesn't need a time limit; requests get one here. */
export interface CallbackPorts {
  entry: EntryPorts;
  rest: Pick<RestPorts, "fetch" | "baseUrl" | "userAgent">;
  timers: Timers;
  now: () => number;
  logError: (line: string, detail: Record<string, unknown>) => void;
}

/** Answers the interactions of one life of the object. Safe to call twice with the same one: the second call does nothing. Never rejects. */
export type AnswerByCallback = (json: unknown) => Promise<void>;

/** How many answered interactions are remembered. A replay after a lost connection repeats only the newest ones. */
const MAX_REMEMBERED = 500;
/** Discord's limit, from sending the interaction to receiving our answer. */
const DISCORD_WAITS_MS = 3_000;
const RETRY_MS = 200;
/** The time limit for an answer that is already late. It is sent anyway, so that Discord's refusal is logged. */
const LAST_TRY_MS = 1_000;
/** An older interaction is a replay, as after a computer's sleep, and is dropped. A few seconds' difference between clocks must not drop one. */
const TOO_OLD_MS = 60_000;

const addressed = once(() =>
  looseObject({ id: string().check(regex(/^\d{1,20}$/)), token: string().check(minLength(1)) }),
);

/** Creates the function that answers. It remembers which interactions it has answered. */
export function createAnswerByCallback(ports: CallbackPorts): AnswerByCallback {
  const { logError, now } = ports;
  const answered = new Set<string>();
  const isNew = (id: string) => {
    if (answered.has(id)) return false;
    answered.add(id);
    for (const oldest of answered) if (answered.size > MAX_REMEMBERED) answered.delete(oldest);
    return true;
  };
  return async (json) => {
    const until = now() + DISCORD_WAITS_MS;
    const { data: address } = addressed().safeParse(json);
    const parsed = readInteraction(readable(json));
    if (!address || !parsed.ok)
      return logError("unreadable interaction", {
        reason: parsed.ok ? "not an interaction: id, token" : parsed.reason,
      });
    if (!isNew(address.id)) return;
    const ageMs = now() - madeAt(address.id);
    if (ageMs > TOO_OLD_MS) return logError("an interaction was too old to answer, or this clock is ahead", { ageMs });
    try {
      const answer = await answerTo(parsed.interaction, ports.entry);
      const result = await deliver(ports, address, answer, until);
      // If another delivery was answered first, its answer is as good as this one.
      if (result.kind !== "taken" && result.kind !== "answered_before")
        logError("the answer to an interaction was not delivered", { interactionId: address.id, ...result });
    } catch (error) {
      logError("an interaction could not be answered", { interactionId: address.id, error: String(error) });
    }
  };
}

/** Removes nulls, and replaces halves of characters, which a frame's JSON may contain as escapes. */
const readable = (json: unknown): unknown =>
  typeof json === "object" && json !== null ? JSON.parse(JSON.stringify(json), given) : json;

/** Sends the answer, and retries until Discord has taken it or no longer waits. */
async function deliver(
  { rest, timers, now }: CallbackPorts,
  address: { id: string; token: string },
  answer: object,
  until: number,
): Promise<CallbackResult> {
  for (;;) {
    const requestMs = Math.max(LAST_TRY_MS, until - now());
    const fetch = withTimeLimit(rest.fetch, timers, { requestMs, fileMs: requestMs });
    const result = await postCallback({ ...rest, fetch }, address, answer);
    if (result.kind !== "lost" && result.kind !== "limited") return result;
    const waitMs = Math.max(RETRY_MS, result.kind === "limited" ? result.retryAfterMs : 0);
    if (now() + waitMs >= until) return result;
    await new Promise<void>((resolve) => timers.after(waitMs, resolve));
  }
}
