// A channel's object as the Worker sees it, and how the Worker calls it.
import type { PersonaChange } from "../../channel/change-personas.ts";
import type { CheckedChange } from "../../channel/check-change.ts";
import type { ExplainedSetting } from "../../channel/explain-settings.ts";
import type { RecordedChange } from "../../channel/setting-history.ts";
import type { StoredSettings } from "../../channel/settings.ts";
import type { ServerModel } from "../../core/access/model-choice.ts";
import type { ExportedConversation, KeptHere } from "../../core/access/person-rpc.ts";
import { noteOf, type ScopeCopy } from "../../core/access/scope-copy.ts";
import type { TraceChoice, TraceReport } from "../../core/decisions/trace.ts";
import type { Price } from "../../core/money/price.ts";
import type { CompactionAnswer, SummaryReport } from "../../core/state/compaction-plan.ts";
import type { SeenGatewayStatus } from "../../core/state/gateway-status.ts";
import type { Persona, PersonaFault } from "../../core/state/persona.ts";
import { conversationName, isPrivatePlace, type Viewer } from "../../core/state/private-turns.ts";
import type {
  AgainRequest,
  ApprovalAnswer,
  ApprovalClick,
  CancelAnswer,
  DeleteAnswer,
  DeleteRequest,
  DeliberateAnswer,
  DeliberateRequest,
  Forgotten,
  PendingReminder,
  Receipt,
  ResumeAnswer,
  ResumeRequest,
  ScopeNote,
  StatusReport,
  StopAnswer,
  StopRequest,
  Submission,
  ToolsReport,
  ToolsRequest,
  UsageReport,
} from "../../core/state/rpc.ts";
import type { Actor } from "../interactions/parse.ts";
import { findUsedUp } from "./day-allowance.ts";
import type { After } from "./in-time.ts";
import type { FindScope } from "./scope-port.ts";

/** A change of one setting. A null value clears it. `parentSettings` are those of the channel that a thread belongs to. */
export interface SettingChange {
  key: string;
  value: string | null;
  parentSettings?: StoredSettings;
  scope?: ScopeNote;
  /** Who changes it; an older Worker names them only where the object has to check what they may see. */
  by?: { userId: string; guildId: string | null };
  /** An older Worker sends none, and its changes are not recorded. */
  interactionId?: string;
}

/** The result of a change: the value that applies now, or the rule that the change broke. */
export type SettingAnswer = { ok: true; now: ExplainedSetting } | Extract<CheckedChange, { ok: false }>;

/** The personas that apply in a channel, and the one in use. */
export interface PersonaList {
  personas: Persona[];
  inUse: string | null;
}

/** The result of a persona change. */
export type PersonaAnswer = { ok: true; persona: Pick<Persona, "name"> | null } | { ok: false; fault: PersonaFault };

/** The object's methods. Each may reject when the object can't be reached, and each may be called twice with the same request. */
export interface ChannelPort {
  /** Admits a question. */
  submit(submission: Submission): Promise<Receipt>;
  /** Stops or kills turns. */
  stop(request: StopRequest): Promise<StopAnswer>;
  /** A click on Approve or Deny. */
  approve(click: ApprovalClick): Promise<ApprovalAnswer>;
  /** A click that brings a reply a new token. */
  resume(request: ResumeRequest): Promise<ResumeAnswer>;
  /** A click on Retry, on Continue after a limit, or on Regenerate. */
  again(request: AgainRequest): Promise<Receipt>;
  /** A click on Delete. */
  remove(request: DeleteRequest): Promise<DeleteAnswer>;
  /** What the channel is doing, for the person with this id; an older Worker names none. */
  status(viewerId?: string): Promise<StatusReport>;
  /** Forgets the conversation and the notes. Returns how many messages were deleted. */
  reset(interactionId?: string): Promise<number>;
  /** What is summarised of the channel's conversation; null: nothing. */
  summary(): Promise<SummaryReport | null>;
  /** Plans a summary; `focus`: what it has to keep above all; `owner`: the visitor whose own object this is. */
  compact(focus: string | null, owner?: string | null): Promise<CompactionAnswer>;
  /** Deletes what is kept about a person in this channel. */
  forgetPerson(userId: string): Promise<Forgotten>;
  /** What is kept about a person here, in numbers. */
  aboutPerson(userId: string): Promise<KeptHere>;
  /** Collects what is kept about a person, in words; null: nothing is. */
  exportPerson(userId: string): Promise<ExportedConversation | null>;
  /** The settings of this channel, for its threads to inherit. */
  settings(): Promise<StoredSettings>;
  /** What this person and the channel have used today, and the limits. */
  usage(userId: string, parentSettings?: StoredSettings, scope?: ScopeNote): Promise<UsageReport>;
  /** Each setting with the value that applies here, and where that comes from. */
  explain(parentSettings?: StoredSettings, scope?: ScopeNote): Promise<ExplainedSetting[]>;
  /** Sets or clears one setting of this channel. */
  change(change: SettingChange): Promise<SettingAnswer>;
  /** May this person set this value, here or for the server? Null: yes; else the rule. Changes nothing. */
  checkSetting(change: SettingChange): Promise<string | null>;
  /** The last changes of this channel's settings, the newest first. */
  history(): Promise<RecordedChange[]>;
  /** The personas that can be used here. */
  personas(parentSettings?: StoredSettings): Promise<PersonaList>;
  /** Creates, edits, deletes or chooses a persona. */
  changePersona(change: PersonaChange, parentSettings?: StoredSettings, interactionId?: string): Promise<PersonaAnswer>;
  /** The timeline of a turn, or with null of the newest turn that the viewer may read. Null when there is none. */
  trace(turnId: string | null, viewer?: Viewer): Promise<TraceReport | null>;
  /** The turns that the viewer may read, the newest first. */
  recentTurns(viewer?: Viewer): Promise<TraceChoice[]>;
  /** The pending reminders that this person may cancel. */
  reminders(viewer: Viewer): Promise<PendingReminder[]>;
  /** Cancels the reminder of this number. */
  cancelReminder(number: number, viewer: Viewer, interactionId?: string): Promise<CancelAnswer>;
  /** Reads or changes deliberate tool mode. */
  deliberate(request: DeliberateRequest): Promise<DeliberateAnswer>;
  /** The tools, and which of them are offered to this person. */
  tools(request: ToolsRequest): Promise<ToolsReport>;
  /** The bot has been gone from this server since then (epoch milliseconds), and for longer than anything of the server is kept. */
  leaveServer(since: number): Promise<void>;
  /** Was this channel used before anyone decided who may use the bot? */
  wasUsedBefore(): Promise<boolean>;
}

/** What the handlers need of access, for one interaction. */
export interface AccessPorts {
  isOwner: (userId: string) => boolean;
  /** Does anyone know who the owners are? */
  knowsOwners: boolean;
  /** Do the owner's variables let this server in, if nothing else keeps it out? `isClaimed`: an owner has let it in. */
  letsIn: (guildId: string, isClaimed: boolean) => boolean;
  scope: FindScope;
  /** Forgets the copy of a scope that was just changed. */
  forget: (scope: string) => void;
  /** What was judged by; null where the variables alone decided. */
  copy: ScopeCopy | null;
}

/** A model as people see it: `model` is the provider's name for it. A missing price is not known. */
export interface OfferedModel extends ServerModel {
  id: string;
  model: string;
  price?: Price;
}

/** Everything that the handlers need from outside. */
export interface AnswerPorts {
  /** The object of this name (`conversationName`). */
  channel: (name: string) => ChannelPort;
  now: () => number;
  after: After;
  logError: (line: string, detail: Record<string, unknown>) => void;
  /** Who may do what only owners may, and where the scopes are. */
  access: AccessPorts;
  /** The configured models, in the order in which they are tried. */
  models: readonly OfferedModel[];
  /** Where the models are, for people to know. */
  modelHosts: readonly string[];
  hasBotToken: boolean;
  /** The bot's own user, whose id may differ from the application's. */
  botId: string;
  /** What Discord's Gateway is doing. Never rejects. */
  gateway: () => Promise<SeenGatewayStatus>;
  /** Where browsers reach this deployment: the address at which Discord does. Null: Discord does not, as where it runs at home. */
  origin: string | null;
  /** There is a key to keep the tokens of remote servers with. */
  connectsServers: boolean;
  /** Who may add more of them, of those who may manage the server. */
  mcpAdd: "owner" | "managers";
}

/** How many lives of the object may end during one call before we give up. Each costs milliseconds of Discord's 3 s. */
const MAX_TRIES = 3;

/**
 * Calls the object that keeps the actor's conversation, and calls it again if its life ended during the call. That is safe: an interaction
 * that was already admitted or answered gets the same answer again. Undefined: the object can't be reached. Rejects only
 * where it can't be today (`findUsedUp`).
 */
export async function reach<Answer>(
  place: Pick<Actor, "channelId" | "broughtBy">,
  ports: AnswerPorts,
  method: keyof ChannelPort,
  call: (channel: ChannelPort) => Promise<Answer>,
): Promise<Answer | undefined> {
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
    try {
      return await call(ports.channel(conversationName(place)));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      ports.logError("channel object unreachable", { method, attempt, error: message });
      if (findUsedUp(error) !== null) throw error;
      if (isOverloaded(error)) return undefined;
    }
  }
  return undefined;
}

/** The object has more requests than it can serve (Cloudflare); asked again at once, it would have one more. */
const isOverloaded = (error: unknown): boolean =>
  (error as { overloaded?: unknown } | null | undefined)?.overloaded === true;

/**
 * What a thread takes over from the channel that it belongs to, and the object of a person who brought the bot along from their channel's:
 * settings, and nothing that was said. Rejects as the port does.
 */
export async function inherited(
  { channelId, parentChannelId, broughtBy }: Pick<Actor, "channelId" | "parentChannelId" | "broughtBy">,
  ports: AnswerPorts,
): Promise<{ parentSettings?: StoredSettings }> {
  const above = [parentChannelId, broughtBy === null ? null : channelId].filter((id) => id !== null);
  if (above.length === 0) return {};
  const settings = await Promise.all(above.map((id) => ports.channel(id).settings()));
  return { parentSettings: Object.assign({}, ...settings) };
}

/** What a channel keeps of the scope's copy, for turns that wait. */
export const scopeNote = ({ access: { copy } }: AnswerPorts): { scope?: ScopeNote } =>
  copy ? { scope: noteOf(copy) } : {};

/** What applies here besides the settings of the channel itself. Rejects as the port does. */
export const surroundings = async (actor: Actor, ports: AnswerPorts) => ({
  ...scopeNote(ports),
  ...(await inherited(actor, ports)),
});

/**
 * Whether this person is an owner, in the bot's own direct messages and where only a person brought it along: there that decides more. Empty
 * where no one knows the owners.
 */
export const ownership = ({ installContext, userId }: Actor, { access }: AnswerPorts): { isOwner?: boolean } =>
  (installContext.kind === "own_dm" || isPrivatePlace(installContext)) && access.knowsOwners
    ? { isOwner: access.isOwner(userId) }
    : {};

/** The person as one who looks at the channel's turns and reminders. */
export const readViewer = ({ userId, moderator }: Actor): Viewer => ({ userId, moderator });
