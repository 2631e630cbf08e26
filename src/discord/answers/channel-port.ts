// The interface of a channel's object for the Worker, and how the Worker calls it.
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

/** A change of one setting. A null value clears it. `parentSettings`: those of the channel that a thread belongs to. */
export interface SettingChange {
  key: string;
  value: string | null;
  parentSettings?: StoredSettings;
  scope?: ScopeNote;
  /** Who changes it. An older Worker names them only if the object must check what they may see. */
  by?: { userId: string; guildId: string | null };
  /** Missing from an older Worker, whose changes are not recorded. */
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

/** The object's methods. Each may reject if the object can't be reached, and may be called twice with the same request. */
export interface ChannelPort {
  /** Admits a question. */
  submit(submission: Submission): Promise<Receipt>;
  /** Stops or kills turns. */
  stop(request: StopRequest): Promise<StopAnswer>;
  /** Takes a click on Approve or Deny. */
  approve(click: ApprovalClick): Promise<ApprovalAnswer>;
  /** Takes a click that brings a reply a new token. */
  resume(request: ResumeRequest): Promise<ResumeAnswer>;
  /** Takes a click on Retry, on Continue after a limit, or on Regenerate. */
  again(request: AgainRequest): Promise<Receipt>;
  /** Takes a click on Delete. */
  remove(request: DeleteRequest): Promise<DeleteAnswer>;
  /** Returns what the channel is doing, for the person with this id. An older Worker sends no id. */
  status(viewerId?: string): Promise<StatusReport>;
  /** Forgets the conversation and the notes. Returns how many messages were deleted. */
  reset(interactionId?: string): Promise<number>;
  /** Returns the summary of the earlier conversation; null if there is none. */
  summary(): Promise<SummaryReport | null>;
  /** Plans a summary. `focus`: what it must keep above all. `owner`: the visitor whose own object this is. */
  compact(focus: string | null, owner?: string | null): Promise<CompactionAnswer>;
  /** Deletes what is kept about a person in this channel. */
  forgetPerson(userId: string): Promise<Forgotten>;
  /** Counts what is kept about a person here. */
  aboutPerson(userId: string): Promise<KeptHere>;
  /** Collects what is kept about a person, in words; null if nothing is. */
  exportPerson(userId: string): Promise<ExportedConversation | null>;
  /** Returns the settings of this channel, which its threads inherit. */
  settings(): Promise<StoredSettings>;
  /** Returns what this person and the channel have used today, and the limits. */
  usage(userId: string, parentSettings?: StoredSettings, scope?: ScopeNote): Promise<UsageReport>;
  /** Lists each setting with the value that applies here, and where that comes from. */
  explain(parentSettings?: StoredSettings, scope?: ScopeNote): Promise<ExplainedSetting[]>;
  /** Sets or clears one setting of this channel. */
  change(change: SettingChange): Promise<SettingAnswer>;
  /** Checks whether this person may set this value, here or for the server: null, or the rule that forbids it. Changes nothing. */
  checkSetting(change: SettingChange): Promise<string | null>;
  /** Lists the last changes of this channel's settings, newest first. */
  history(): Promise<RecordedChange[]>;
  /** Lists the personas that can be used here. */
  personas(parentSettings?: StoredSettings): Promise<PersonaList>;
  /** Creates, edits, deletes or chooses a persona. */
  changePersona(change: PersonaChange, parentSettings?: StoredSettings, interactionId?: string): Promise<PersonaAnswer>;
  /** Returns the timeline of a turn; for null, of the newest turn that the viewer may read. Null if there is none. */
  trace(turnId: string | null, viewer?: Viewer): Promise<TraceReport | null>;
  /** Lists the turns that the viewer may read, newest first. */
  recentTurns(viewer?: Viewer): Promise<TraceChoice[]>;
  /** Lists the pending reminders that this person may cancel. */
  reminders(viewer: Viewer): Promise<PendingReminder[]>;
  /** Cancels the reminder with this number. */
  cancelReminder(number: number, viewer: Viewer, interactionId?: string): Promise<CancelAnswer>;
  /** Reads or changes deliberate tool mode. */
  deliberate(request: DeliberateRequest): Promise<DeliberateAnswer>;
  /** Lists the tools, and says which of them are offered to this person. */
  tools(request: ToolsRequest): Promise<ToolsReport>;
  /** Notes that the bot has been gone from this server since then (epoch milliseconds): longer than anything of the server is kept. */
  leaveServer(since: number): Promise<void>;
  /** Whether this channel was used before anyone decided who may use the bot. */
  wasUsedBefore(): Promise<boolean>;
}

/** What the handlers need to know about access, for one interaction. */
export interface AccessPorts {
  isOwner: (userId: string) => boolean;
  /** Whether it is known who the owners are. */
  knowsOwners: boolean;
  /** Whether the owner's variables let this server in, if nothing else keeps it out. `isClaimed`: an owner has let it in. */
  letsIn: (guildId: string, isClaimed: boolean) => boolean;
  scope: FindScope;
  /** Forgets the copy of a scope that was just changed. */
  forget: (scope: string) => void;
  /** The scope's copy by which the person was judged; null if the variables alone decided. */
  copy: ScopeCopy | null;
}

/** A model as people see it: `model` is the provider's name for it. A missing price is unknown. */
export interface OfferedModel extends ServerModel {
  id: string;
  model: string;
  price?: Price;
}

/** Everything that the handlers need from outside. */
export interface AnswerPorts {
  /** Returns the object with this name (`conversationName`). */
  channel: (name: string) => ChannelPort;
  now: () => number;
  after: After;
  logError: (line: string, detail: Record<string, unknown>) => void;
  /** Who the owners are, and how to reach the scopes. */
  access: AccessPorts;
  /** The configured models, in the order in which they are tried. */
  models: readonly OfferedModel[];
  /** The hosts of the models, to show to people. */
  modelHosts: readonly string[];
  hasBotToken: boolean;
  /** The bot's own user, whose id may differ from the application's. */
  botId: string;
  /** Returns the state of the connection to Discord's Gateway. Never rejects. */
  gateway: () => Promise<SeenGatewayStatus>;
  /** The address at which browsers reach this deployment, as Discord does. Null if Discord can't, as on a computer at home. */
  origin: string | null;
  /** Whether there is a key to encrypt the tokens of remote servers with. */
  connectsServers: boolean;
  /** Who may add remote servers: only the bot's owner, or everyone who may manage the Discord server. */
  mcpAdd: "owner" | "managers";
}

/** How many lives of the object may end during one call before we give up. Each costs milliseconds of Discord's 3 s. */
const MAX_TRIES = 3;

/**
 * Calls the object that has the actor's conversation, and calls it again if its life ended during the call. That is safe: an interaction that
 * was already admitted or answered gets the same answer again. Returns undefined if the object can't be reached. Rejects only if it can't be
 * reached today (`findUsedUp`).
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

/** Whether the object has more requests than it can serve (Cloudflare). An immediate retry would only add another. */
const isOverloaded = (error: unknown): boolean =>
  (error as { overloaded?: unknown } | null | undefined)?.overloaded === true;

/**
 * Reads what a thread inherits from its parent channel, and a visitor's object from the channel's object: the settings, and nothing that was
 * said. Rejects as the port does.
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

/** Returns the part of the scope's copy that a channel keeps, for turns that wait. */
export const scopeNote = ({ access: { copy } }: AnswerPorts): { scope?: ScopeNote } =>
  copy ? { scope: noteOf(copy) } : {};

/** Reads what applies here in addition to the channel's own settings. Rejects as the port does. */
export const surroundings = async (actor: Actor, ports: AnswerPorts) => ({
  ...scopeNote(ports),
  ...(await inherited(actor, ports)),
});

/**
 * Says whether this person is an owner, if that matters here: in the bot's own direct messages, and where only a person brought it along.
 * Empty elsewhere, or if it is unknown who the owners are.
 */
export const ownership = ({ installContext, userId }: Actor, { access }: AnswerPorts): { isOwner?: boolean } =>
  (installContext.kind === "own_dm" || isPrivatePlace(installContext)) && access.knowsOwners
    ? { isOwner: access.isOwner(userId) }
    : {};

/** Returns the person as a viewer of the channel's turns and reminders. */
export const readViewer = ({ userId, moderator }: Actor): Viewer => ({ userId, moderator });
