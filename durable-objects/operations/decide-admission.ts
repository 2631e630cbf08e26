// Decides whether a message gets a turn, and where it waits. Reads what is stored and changes nothing.
import type { Settings } from "../../src/channel/settings.ts";
import { isModelFor } from "../../src/core/access/model-choice.ts";
import { type Admission, admit } from "../../src/core/decisions/admission.ts";
import { STEP_UNITS, spentBudget, usedBy, withWaiting } from "../../src/core/decisions/budget.ts";
import { silentMs } from "../../src/core/decisions/silence.ts";
import { TRANSCRIPT_SHARE } from "../../src/core/limits.ts";
import { refusalByLists } from "../../src/core/state/access-lists.ts";
import { transcriptOwner } from "../../src/core/state/private-turns.ts";
import { type ChannelState, type Lock, newTurn, type TurnRequest } from "../../src/core/state/record.ts";
import type { Refusal, Submission } from "../../src/core/state/rpc.ts";
import { estimateTokens } from "../../src/core/transcript/tokens.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { readLimits, refusalByRate } from "../settings/budgets.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";

/** Checks first the person, the length and access, then the queue, and last how often the person asks and the budgets. */
export function decideAdmission(
  ports: ChannelPorts,
  { trigger: request, roles = [], speakers = {}, isLate }: Submission,
  state: ChannelState,
  [{ persona }, ...others]: readonly [TurnRequest, ...TurnRequest[]],
): Admission {
  const { config, clock } = ports;
  const settings = effectiveSettings(ports);
  const refusal =
    refusalByLists(settings.access, request.userId, roles) ??
    refusalByLength(ports, settings, request) ??
    refusalBySilence(state.lock, clock());
  if (refusal) return { kind: "refuse", refusal };
  // Some messages always wait for their own turn: a scene, a repeated question and a /catch-up, which neither join nor interrupt a turn; a late
  // message, whose asker could not know what runs now; and any message while a due reminder or a /catch-up runs. Others don't join a turn, but
  // may interrupt one: a message with files, which are read when its turn starts; private words, which belong to another transcript; words to
  // another persona.
  const before = state.running?.request;
  const isForAnother = speakers.persona && persona?.name !== before?.persona?.name;
  const isApart = isForAnother || transcriptOwner(before ?? request) !== transcriptOwner(request);
  const isAlone = (request.again ?? request.catchUp ?? before?.catchUp ?? before?.reminder) !== undefined;
  const waits =
    speakers.scene || isLate || isAlone || ((request.attachments || isApart) && settings.follow_up === "steer");
  const decision = admit(state, request.userId, { ...config, followUp: waits ? "queue" : settings.follow_up });
  if (decision.kind === "refuse") return decision;
  const now = clock();
  // A message that joins a running turn starts none, unless that turn ends first.
  const joins = decision.kind === "steer";
  const tooOften = refusalByRate(ports, { settings, lock: state.lock }, request.userId, now, joins);
  if (tooOften) return { kind: "refuse", refusal: tooOften };
  const leaving = "supersedes" in decision ? decision.supersedes : [];
  const queued = state.queue.filter(({ id }) => !leaving.includes(id));
  const waiting = [...queued, ...others.map((other) => newTurn(other, "queued", 0, now))];
  const used = withWaiting(usedBy(state, request.userId, now), waiting, request.userId);
  const spent = spentBudget(used, readLimits(settings), now, joins ? STEP_UNITS : undefined);
  return spent ? { kind: "refuse", refusal: { reason: "budget_spent", ...spent } } : decision;
}

/** Refuses while we are not allowed to post here: the answer would cost a model call and no one would see it. */
function refusalBySilence(lock: Lock, now: number): Refusal | null {
  const forMs = silentMs(lock, now);
  return forMs > 0 ? { reason: "no_access", forMs } : null;
}

/** Refuses a question that is too long for the channel's model: the answer would ignore its end. */
function refusalByLength(
  { config }: ChannelPorts,
  { model: id }: Settings,
  { text, guildId }: TurnRequest,
): Refusal | null {
  const usable = config.models.filter((one) => isModelFor(one, guildId));
  const model = usable.find((one) => one.id === id) ?? usable[0] ?? config.models[0];
  if (model.contextTokens === undefined) return null;
  const tokens = estimateTokens(text);
  const limit = Math.floor(model.contextTokens * TRANSCRIPT_SHARE);
  return tokens > limit ? { reason: "too_long_for_model", model: model.id, tokens, limit } : null;
}
