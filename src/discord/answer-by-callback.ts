// Answers an interaction that came over the gateway as the route answers one that came by HTTP: the same reading, the same gate, the
// same handlers. Only the way back is another: a request of ours, within the three seconds that Discord waits.
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

/** What the answer needs: what the route needs, and Discord's REST. `rest.fetch` needs no time limit of its own. */
export interface CallbackPorts {
  entry: EntryPorts;
  rest: Pick<RestPorts, "fetch" | "baseUrl" | "userAgent">;
  timers: Timers;
  now: () => number;
  logError: (line: string, detail: Record<string, unknown>) => void;
}

/** Answers the interactions of one life of the object. May get one twice: the second time does nothing. Never rejects. */
export type AnswerByCallback = (json: unknown) => Promise<void>;

/** How many interactions are remembered as answered; a replay after a lost connection brings the newest ones. */
const MAX_REMEMBERED = 500;
/** Discord's limit, from its sending to our answer. */
const DISCORD_WAITS_MS = 3_000;
const RETRY_MS = 200;
/** For an answer that is late already: Discord says so, and that is logged. */
const LAST_TRY_MS = 1_000;
/** Nobody waits for one of before: a replay after a computer's sleep. Clocks that differ by a few seconds are no reason to drop one. */
const TOO_OLD_MS = 60_000;

const addressed = once(() =>
  looseObject({ id: string().check(regex(/^\d{1,20}$/)), token: string().check(minLength(1)) }),
);

/** Makes it. */
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
      // Another delivery's answer is as good as this one.
      if (result.kind !== "taken" && result.kind !== "answered_before")
        logError("the answer to an interaction was not delivered", { interactionId: address.id, ...result });
    } catch (error) {
      logError("an interaction could not be answered", { interactionId: address.id, error: String(error) });
    }
  };
}

/** Without halves of characters, which a frame's JSON may contain as escapes, and without nulls. */
const readable = (json: unknown): unknown =>
  typeof json === "object" && json !== null ? JSON.parse(JSON.stringify(json), given) : json;

/** Tries again while Discord has not taken it and still waits. */
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
