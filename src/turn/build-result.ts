// Builds the result of a turn from what its last model gathered. Pure; called at every exit.
import type { Ending } from "../core/state/ending.ts";
import type { TurnRequest, TurnStatus } from "../core/state/record.ts";
import type { HiddenNotice } from "./hidden-notice.ts";
import type { Gathered } from "./loop-state.ts";
import type { ModelAnswer, TokenUsage } from "./ports.ts";

/** What a persona said in the turn. */
export interface PersonaResponse {
  personaId: string | null;
  personaName: string | null;
  text: string;
}

/** Who owns the thoughts of a turn: the impersonated person, a persona, or the bot itself. */
export type ThoughtLogOwner =
  | { type: "user_impersonation"; userId: string }
  | { type: "persona"; personaId: string }
  | { type: "default" };

/** The result of a turn. `text` is the text for the person, without the closing line. */
export interface GenerationTurnResult {
  status: TurnStatus;
  ending: Ending;
  text: string;
  personaResponses: PersonaResponse[];
  thoughtLog?: string;
  thoughtLogOwner?: ThoughtLogOwner;
  /** For the thought log, in order. */
  hiddenNotices: HiddenNotice[];
  /** The last answer: complete, but not stored yet. */
  answer: ModelAnswer | null;
  /** The tokens of a last step that was stopped or failed: also not stored yet. */
  unstoredUsage: TokenUsage | null;
}

/** The result of a turn that has ended. */
export type EndedTurn = { kind: "ended" } & GenerationTurnResult;

/** The identity in which the turn spoke. */
export interface Speaker {
  impersonatedUserId: string | null;
  personaId: string | null;
  personaName: string | null;
}

/** The bot itself. */
export const theBot: Speaker = { impersonatedUserId: null, personaId: null, personaName: null };

/** Returns the identity in which a turn with this request speaks. A persona is identified by its name. */
export function findSpeaker({
  persona,
  impersonatedUserId,
}: Pick<TurnRequest, "persona" | "impersonatedUserId">): Speaker {
  const name = persona?.name ?? null;
  return { impersonatedUserId: impersonatedUserId ?? null, personaId: name, personaName: name };
}

const DETAILS_HEADING = "[Details]";

/** Builds the result of a turn that ends without running a step: it has only its text, and the thoughts from before. */
export const endedWith = (ending: Ending, text: string, thoughtLog = ""): EndedTurn => ({
  kind: "ended",
  ...buildResult(ending, { text, thoughtLog }, null),
});

/** The part of what a turn gathered that its result is built from. A turn that ends without running a step has little of it. */
export type SomeGathered = Pick<Gathered, "text"> & Partial<Gathered>;

/** Builds the result. */
export function buildResult(
  ending: Ending,
  gathered: SomeGathered,
  answer: ModelAnswer | null,
  speaker: Speaker = theBot,
): GenerationTurnResult {
  const {
    text,
    finalText = text,
    detailsText = "",
    thoughtLog = "",
    hiddenNotices = [],
    unstoredUsage = null,
  } = gathered;
  const memory = withDetails(finalText, detailsText);
  return {
    status: statusFrom(ending),
    ending,
    text,
    personaResponses:
      memory === "" ? [] : [{ personaId: speaker.personaId, personaName: speaker.personaName, text: memory }],
    ...(thoughtLog !== "" && { thoughtLog, thoughtLogOwner: findThoughtLogOwner(speaker) }),
    hiddenNotices,
    answer,
    unstoredUsage,
  };
}

/** Builds the text that later turns read, with the details under their own heading. */
export function withDetails(text: string, details: string): string {
  const parts = [text.trim(), details.trim() === "" ? "" : `${DETAILS_HEADING}\n${details.trim()}`];
  return parts.filter((part) => part !== "").join("\n\n");
}

function findThoughtLogOwner({ impersonatedUserId, personaId }: Speaker): ThoughtLogOwner {
  if (impersonatedUserId !== null) return { type: "user_impersonation", userId: impersonatedUserId };
  return personaId === null ? { type: "default" } : { type: "persona", personaId };
}

/** Returns the status for an ending. */
export function statusFrom(ending: Ending): TurnStatus {
  switch (ending.kind) {
    case "completed":
      return "completed";
    case "stopped":
    case "taken_back":
    case "gone":
      return "stopped_by_user";
    case "follow_up":
      return "follow_up_interrupt";
    case "model_silent":
    case "turn_deadline":
    case "iteration_limit":
      return "timeout";
    case "empty":
      return "empty_response";
    case "model_failed":
    case "tool_errors":
    case "call_loop":
    case "budget_spent":
    case "access_refused":
    case "interrupted":
    case "crashed":
      return "error";
    case "cleared":
    case "superseded":
    case "steered":
      return ending.kind;
  }
}
