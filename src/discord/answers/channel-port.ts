// One channel's object as the Worker sees it, and how it is asked.
import type { PersonaChange } from "../../channel/personas.ts";
import type { CheckedChange, ExplainedSetting, StoredSettings } from "../../channel/settings.ts";
import { refusalText } from "../../core/copy/outcome.ts";
import type { Persona, PersonaFault } from "../../core/state/persona.ts";
import type {
  AgainRequest,
  ApprovalAnswer,
  ApprovalClick,
  DeliberateAnswer,
  DeliberateRequest,
  Receipt,
  ResumeAnswer,
  ResumeRequest,
  StatusReport,
  StopAnswer,
  StopRequest,
  Submission,
  ToolsReport,
  ToolsRequest,
  UsageReport,
} from "../../core/state/rpc.ts";
import type { TraceChoice, TraceReport } from "../../core/state/trace.ts";
import type { Actor } from "../interactions/parse.ts";

/** A change of one setting: with null it is cleared. `parentSettings` are those of the channel that a thread belongs to. */
export interface SettingChange {
  key: string;
  value: string | null;
  parentSettings?: StoredSettings;
}

/** What a change came to: what holds now, or the rule that it broke. */
export type SettingAnswer = { ok: true; now: ExplainedSetting } | Extract<CheckedChange, { ok: false }>;

/** The personas that hold in a channel, and who of them answers. */
export interface PersonaList {
  personas: Persona[];
  inUse: string | null;
}

/** What a change of the personas came to. */
export type PersonaAnswer = { ok: true; persona: Persona | null } | { ok: false; fault: PersonaFault };

/** The object's methods. Each may reject when the object can't be reached, and each may be asked twice. */
export interface ChannelPort {
  submit(submission: Submission): Promise<Receipt>;
  stop(request: StopRequest): Promise<StopAnswer>;
  /** A press of Approve or Deny. */
  approve(press: ApprovalClick): Promise<ApprovalAnswer>;
  /** A press that brings a reply a new token. */
  resume(request: ResumeRequest): Promise<ResumeAnswer>;
  /** A press that asks again, or on. */
  again(request: AgainRequest): Promise<Receipt>;
  status(): Promise<StatusReport>;
  reset(): Promise<number>;
  /** What is set in this channel, for its threads. */
  settings(): Promise<StoredSettings>;
  usage(userId: string, parentSettings?: StoredSettings): Promise<UsageReport>;
  explain(parentSettings?: StoredSettings): Promise<ExplainedSetting[]>;
  change(change: SettingChange): Promise<SettingAnswer>;
  personas(parentSettings?: StoredSettings): Promise<PersonaList>;
  changePersona(change: PersonaChange, parentSettings?: StoredSettings): Promise<PersonaAnswer>;
  /** The timeline of a turn, or (with null) of the newest; null when there is none. */
  trace(turnId: string | null): Promise<TraceReport | null>;
  recentTurns(): Promise<TraceChoice[]>;
  deliberate(request: DeliberateRequest): Promise<DeliberateAnswer>;
  tools(request: ToolsRequest): Promise<ToolsReport>;
}

/** What the answers need. */
export interface AnswerPorts {
  channel: (channelId: string) => ChannelPort;
  now: () => number;
  logError: (line: string, detail: Record<string, unknown>) => void;
  /** The configured models. */
  modelIds: readonly string[];
  hasBotToken: boolean;
}

/** Said when the object can't be reached. */
export const UNAVAILABLE = refusalText({ reason: "unavailable" });

/** Lives of the object that may end under one question before the person is told; each costs milliseconds of Discord's 3 s. */
const MAX_TRIES = 3;

/**
 * Asks the object of the actor's channel, and again if its life ended under the question: an interaction that was admitted or
 * answered before is answered the same way again. Null: it can't be reached.
 */
export async function reach<Answer>(
  { channelId }: Pick<Actor, "channelId">,
  ports: AnswerPorts,
  method: keyof ChannelPort,
  call: (channel: ChannelPort) => Promise<Answer>,
): Promise<Answer | null> {
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
    try {
      return await call(ports.channel(channelId));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      ports.logError("channel object unreachable", { method, attempt, error: message });
      if (isOverloaded(error)) return null;
    }
  }
  return null;
}

/** The object has more requests than it can serve (Cloudflare); asked again at once, it would have one more. */
const isOverloaded = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "overloaded" in error && error.overloaded === true;

/** What a thread takes over from the channel that it belongs to. Rejects as the port does. */
export async function inherited(
  { parentChannelId }: Pick<Actor, "parentChannelId">,
  ports: AnswerPorts,
): Promise<{ parentSettings?: StoredSettings }> {
  return parentChannelId ? { parentSettings: await ports.channel(parentChannelId).settings() } : {};
}
