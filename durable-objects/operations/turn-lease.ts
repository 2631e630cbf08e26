// Decides whether a turn may make one more model call: by this channel's own limits, and by those across channels, which only the scope can
// count. The scope lends the turn a part of what is left. It also checks the person of a turn that waited or that replaces an answer, and of a
// message that waited to join a turn.
import { placeLimits } from "../../src/channel/place-limits.ts";
import type { AccessRefusal } from "../../src/core/access/judge.ts";
import type { LeaseAnswer, PlaceLimits } from "../../src/core/access/scope-rpc.ts";
import { type Allowance, type Amount, CALL_ESTIMATE, coversCall } from "../../src/core/money/lease.ts";
import type { SpentBudget } from "../../src/core/money/limit.ts";
import { type Price, stepCost } from "../../src/core/money/price.ts";
import { refusalByLists } from "../../src/core/state/access-lists.ts";
import { isAskedFor, type TurnRecord } from "../../src/core/state/record.ts";
import type { CallRefusal } from "../../src/turn/turn-params.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { askScope, countedIn } from "../scope-calls/ask-scope.ts";
import { spentBeforeCall } from "../settings/budgets.ts";
import { effectiveSettings, noteScope } from "../settings/effective-settings.ts";
import { refuseJoining } from "./refuse-joining.ts";

/** A lease as this life knows it. */
interface Held {
  allowance: Allowance;
  until: number;
}

const KEPT_OUT: AccessRefusal = { reason: "not_any_more" };

/** What a turn asks, in one life, before it spends money. */
export interface TurnLease {
  /** Returns why the turn may make no further model call, or null. `microUsd`: the price of a picture or sound to pay first. Never rejects. */
  refuseCall(microUsd?: number): Promise<CallRefusal | null>;
  /** Whether the unspent part of this life's lease covers so many micro-dollars. True if there is no limit. */
  covers(microUsd: number): boolean;
}

/**
 * Creates the lease of a turn in one life. Asks the scope about money only if a limit needs it. Asks it about the person if the owners may
 * have changed their decision meanwhile: once for each thing that waited (the turn, a message about to join it, a reminder), and for an
 * answer that is regenerated. A refusal ends only the thing that was asked about, never a running turn. `models`: in the order in which this
 * life tries them.
 */
export function createTurnLease(
  channel: Channel,
  turn: TurnRecord,
  { models, signal }: { models: ChannelPorts["models"]; signal: AbortSignal },
): TurnLease {
  const { ports } = channel;
  // Null if nobody knows the roles, because an older program stored the reminder.
  const { userId, reminder, replaces, roles = reminder ? null : [] } = turn.request;
  let held: Held | null = null;
  // A moderator may have clicked Regenerate; the endpoint has then checked only them, not the asker.
  let isJudged = !(turn.waited || reminder || replaces);
  const judged = new Set<string>();
  const readTurn = () => ports.store.recall(turn.id) ?? turn;
  const covers = (microUsd: number) =>
    held === null || coversCall(held.allowance, amountOf(readTurn()), { tokens: 0, microUsd });
  async function refuseCall(charge = 0): Promise<CallRefusal | null> {
    const spentHere = spentBeforeCall(ports, turn);
    if (spentHere) return spentNow(spentHere, ports.clock());
    const now = readTurn();
    // Before the first model call, an earlier life may have died without the scope's answer. After it the turn counts as running, even
    // while it waits for an approval.
    isJudged ||= now.usage.modelCalls > 0;
    // All of them are from the same person, so one check is enough. A message that arrives while the scope is asked was just checked by
    // its endpoint.
    const joining = ports.store.steering(turn.id).filter(({ id }) => !judged.has(id));
    const asksPerson = !isJudged || joining.length > 0;
    const limits = placeLimits(effectiveSettings(ports));
    const isLimited =
      isBounded(held) ||
      ports.store.scopeNote()?.isLimited === true ||
      Object.values(limits).some((limit) => limit > 0);
    const spent = amountOf(now);
    const call = estimateOf(models[now.modelIndex]?.price);
    const estimate = { ...call, microUsd: call.microUsd + charge };
    const isCovered = held !== null && ports.clock() < held.until && coversCall(held.allowance, spent, estimate);
    if (!asksPerson && (isCovered || !isLimited)) return null;
    const answer = await ask(channel, turn, { spent, estimate, limits, asksPerson }, signal);
    // The turn was stopped while the scope was asked: the loop sees that next.
    if (signal.aborted) return null;
    for (const { id } of joining) judged.add(id);
    if (answer?.kind === "granted") {
      held = answer;
      const { note } = answer;
      if (note) ports.store.transaction(() => noteScope(ports, note));
    }
    // The lists may have changed since the question was asked.
    const isKeptOut = asksPerson && refusalByLists(effectiveSettings(ports).access, userId, roles);
    const refusal = answer?.kind === "refused" ? answer.refusal : isKeptOut ? KEPT_OUT : null;
    if (refusal && isJudged && joining.length > 0) {
      refuseJoining(channel, joining, refusal);
      return refuseCall(charge);
    }
    if (refusal) return { kind: "access_refused", refusal, ...(!isAskedFor(turn) && { silent: true }) };
    switch (answer?.kind) {
      case "granted":
        isJudged = true;
        return null;
      case "spent":
        return spentNow(answer.limit, ports.clock());
      default:
        if (answer) ports.log.error("a scope's answer can't be read", { turnId: turn.id });
        return withoutAnswer(held, isLimited, spent, ports.clock());
    }
  }
  return { refuseCall, covers };
}

/** Returns the limit that ends the turn. If the day on which the turn began is over, the limit doesn't apply to the next question (`hasReset`). */
const spentNow = (limit: SpentBudget, now: number): CallRefusal => ({
  kind: "budget_spent",
  ...limit,
  ...(now >= limit.resetsAt && { hasReset: true }),
});

/** Whether the scope lent a part of a limit. It may know of one that this channel has not heard of. */
const isBounded = (held: Held | null): boolean =>
  held !== null && (held.allowance.tokens !== null || held.allowance.microUsd !== null);

/**
 * Decides without an answer from the scope: only what was already lent may be spent. If there is no limit, the last decision about the
 * person stays.
 */
function withoutAnswer(held: Held | null, isLimited: boolean, spent: Amount, now: number): CallRefusal | null {
  const isLeft = held !== null && now < held.until && coversCall(held.allowance, spent, { tokens: 1, microUsd: 1 });
  return !isLimited || isLeft ? null : { kind: "access_refused", refusal: { reason: "limit_unchecked" } };
}

function ask(
  { ports }: Channel,
  { id, request, startedAt: at }: TurnRecord,
  wanted: { spent: Amount; estimate: Amount; limits: PlaceLimits; asksPerson: boolean },
  signal: AbortSignal,
): Promise<LeaseAnswer | null> {
  const { userId, guildId: placeId } = request;
  const { asksPerson, ...amounts } = wanted;
  const guildId = countedIn(request);
  const person = { userId, guildId: placeId, isServerInstall: guildId !== null };
  return askScope(
    ports,
    guildId,
    (scope) => scope.lease({ turnId: id, userId, guildId, at, ...amounts, ...(asksPerson && { person }) }),
    signal,
  );
}

const amountOf = ({ usage }: TurnRecord): Amount => ({
  tokens: usage.inputTokens + usage.outputTokens,
  microUsd: usage.microUsd ?? 0,
});

const estimateOf = (price: Price | undefined): Amount => ({
  tokens: CALL_ESTIMATE.inputTokens + CALL_ESTIMATE.outputTokens,
  microUsd: price ? stepCost(CALL_ESTIMATE, price) : 0,
});
