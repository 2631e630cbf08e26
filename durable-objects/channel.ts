// The channel's object: one per Discord channel, thread or direct message. It is only glue: each method loads the state,
// calls a pure decision, saves the result in one transaction and then acts. The rules are in src/core.

import { DurableObject } from "cloudflare:workers";
import type { PersonaChange } from "../src/channel/change-personas.ts";
import type { ExplainedSetting } from "../src/channel/explain-settings.ts";
import type { RecordedChange } from "../src/channel/setting-history.ts";
import type { StoredSettings } from "../src/channel/settings.ts";
import type { ExportedConversation, KeptHere } from "../src/core/access/person-rpc.ts";
import type { TraceChoice, TraceReport } from "../src/core/decisions/trace.ts";
import type { InspectAnswer, InspectQuestion } from "../src/core/state/inspected.ts";
import type { Viewer } from "../src/core/state/private-turns.ts";
import type {
  AgainRequest,
  ApprovalClick,
  DeleteRequest,
  DeliberateRequest,
  Receipt,
  ResumeRequest,
  ScopeNote,
  StopAnswer,
  StopRequest,
  Submission,
  ToolsRequest,
} from "../src/core/state/rpc.ts";
import type { ChannelPort, PersonaList, SettingAnswer, SettingChange } from "../src/discord/answers/channel-port.ts";
import type { HeardEvent, HeardReceipt } from "../src/gateway/heard.ts";
import type { ChannelPorts } from "./channel-ports.ts";
import { createChannelPorts, production } from "./composition-root.ts";
import { hear } from "./hearing/hear.ts";
import type { Channel } from "./live-channel.ts";
import { admitMessage } from "./operations/admit.ts";
import { Opening } from "./operations/opening.ts";
import { clickApproval } from "./operations/parking.ts";
import { stopTurns } from "./operations/stop.ts";
import { runThenTick } from "./operations/tick.ts";
import { resume } from "./operations/token-end.ts";
import { noteHere, rearm } from "./schedule/rearm.ts";
import { usageReport } from "./settings/budgets.ts";
import { effectivePersonas } from "./settings/effective-personas.ts";
import { planErasure } from "./upkeep/retention.ts";

/** Loads what people do besides asking and stopping, when somebody first does it. */
const seldom = () => import("./seldom/seldom-used.ts");

/** A composition root: builds an object's ports from its state and environment. Throws when the configuration is invalid. */
export type Root = (ctx: DurableObjectState, env: unknown) => ChannelPorts;

/** Creates the object's class for a composition root. Production and tests differ only in the root. */
export function channelObject(root: Root) {
  return class extends DurableObject implements ChannelPort {
    readonly opening: Opening;

    constructor(ctx: DurableObjectState, env: unknown) {
      super(ctx, env as never);
      this.opening = new Opening(() => root(ctx, env), {
        setAlarm: (at) => ctx.storage.setAlarm(at),
        clock: production.clock,
        logError: production.createLog(ctx.id.name ?? ctx.id.toString()).error,
      });
    }

    /** Returns the channel and notes the event that asks for it, so each method reads it once. Throws the reason if the channel can't be opened. */
    get channel(): Channel {
      return this.opening.begin();
    }

    /** Admits a request. The turn starts after the receipt is returned. Repeating an interaction returns the same receipt. */
    async submit(submission: Submission): Promise<Receipt> {
      return runThenTick(this.channel, (channel) => admitMessage(channel, submission));
    }

    /** Takes what the gateway has heard here: a question, its edit or its deletion. Repeating it changes nothing. */
    async hear(heard: HeardEvent): Promise<HeardReceipt> {
      return hear(this.channel, heard);
    }

    /** Stops or kills turns. Repeating an interaction returns the same answer. */
    async stop(request: StopRequest): Promise<StopAnswer> {
      return runThenTick(this.channel, (channel) => stopTurns(channel, request));
    }

    /** Takes a click on Approve or Deny. Repeating an interaction returns the same answer. */
    async approve(click: ApprovalClick) {
      return runThenTick(this.channel, (channel) => clickApproval(channel, click));
    }

    /** Takes a click on Continue. The reply uses the click's new token. Repeating it is harmless. */
    async resume(request: ResumeRequest) {
      return resume(this.channel, request);
    }

    /** Takes a click on Retry, on Continue after a limit, or on Regenerate. Repeating an interaction returns the same receipt. */
    async again(request: AgainRequest): Promise<Receipt> {
      const { askAgain } = await seldom();
      return runThenTick(this.channel, (channel) => askAgain(channel, request));
    }

    /** Takes a click on Delete. Repeating an interaction returns the same answer. */
    async remove(request: DeleteRequest) {
      return (await seldom()).deleteTurn(this.channel, request);
    }

    /** Reports what the channel is doing, for this person. Changes nothing. */
    async status(viewerId?: string) {
      return (await seldom()).readStatus(this.channel, viewerId);
    }

    /** Reads the timeline of the named turn, or of the newest; null when the viewer may read none. Changes nothing. */
    async trace(turnId: string | null, viewer?: Viewer): Promise<TraceReport | null> {
      return (await seldom()).readTrace(this.channel, turnId, viewer);
    }

    /** Lists the turns that have a timeline and that the viewer may read, newest first. Changes nothing. */
    async recentTurns(viewer?: Viewer): Promise<TraceChoice[]> {
      return (await seldom()).listTraces(this.channel, viewer);
    }

    /** Forgets the notes and the conversation of finished turns. Returns the number of deleted messages. */
    async reset(interactionId?: string): Promise<number> {
      return (await seldom()).resetConversation(this.channel, interactionId);
    }

    /** Reads the summary of the conversation. Changes nothing. */
    async summary() {
      return (await seldom()).readSummary(this.channel);
    }

    /** Plans a summary, to be made when there is nothing else to do. Repeating it is harmless. */
    async compact(focus: string | null, owner: string | null = null) {
      return (await seldom()).requestCompaction(this.channel, focus, owner);
    }

    /** Deletes what is kept about a person here. Repeating it is harmless. */
    async forgetPerson(userId: string) {
      return (await seldom()).forgetPerson(this.channel, userId);
    }

    /** Counts what is kept about a person here. Changes nothing. */
    async aboutPerson(userId: string): Promise<KeptHere> {
      return (await seldom()).aboutPerson(this.channel, userId);
    }

    /** Collects what is kept about a person here; null if nothing is. Changes nothing. */
    async exportPerson(userId: string): Promise<ExportedConversation | null> {
      return (await seldom()).exportPerson(this.channel, userId);
    }

    /** Reports what this person and the channel have used today, and the limits. Changes no usage. */
    async usage(userId: string, parentSettings?: StoredSettings, scope?: ScopeNote) {
      const { channel } = this;
      noteHere(channel, { parentSettings, scope });
      return usageReport(channel.ports, userId);
    }

    /** Reads the channel's own settings, for its threads. Changes nothing. */
    async settings(): Promise<StoredSettings> {
      return this.channel.ports.store.settings();
    }

    /** Lists each setting's value here and where it comes from. */
    async explain(parentSettings?: StoredSettings, scope?: ScopeNote): Promise<ExplainedSetting[]> {
      return (await seldom()).explainHere(this.channel, { parentSettings, scope });
    }

    /** Returns the rule that a change would break, or null. Changes nothing that is stored. */
    async checkSetting(change: SettingChange): Promise<string | null> {
      return (await seldom()).checkHere(this.channel, change);
    }

    /** Lists the latest changes to this channel's settings, newest first. */
    async history(): Promise<RecordedChange[]> {
      return this.channel.ports.settingHistory.changes();
    }

    /** Sets one setting, or clears it with null. An invalid value is refused with its rule, and the old value stays. */
    async change(change: SettingChange): Promise<SettingAnswer> {
      return (await seldom()).changeHere(this.channel, change);
    }

    /** Lists the personas that are available here. */
    async personas(parentSettings?: StoredSettings): Promise<PersonaList> {
      const { channel } = this;
      noteHere(channel, { parentSettings });
      return effectivePersonas(channel.ports);
    }

    /** Changes the personas. An invalid change is refused with its rule, and nothing changes. */
    async changePersona(change: PersonaChange, parentSettings?: StoredSettings, interactionId?: string) {
      return (await seldom()).changePersonasHere(this.channel, change, parentSettings, interactionId);
    }

    /** Lists the pending reminders that this person may cancel. Changes nothing. */
    async reminders(viewer: Viewer) {
      return (await seldom()).listReminders(this.channel, viewer);
    }

    /** Cancels a reminder. Repeating an interaction returns the same answer. */
    async cancelReminder(number: number, viewer: Viewer, interactionId?: string) {
      return (await seldom()).cancelReminder(this.channel, number, viewer, interactionId);
    }

    /** Reads or changes deliberate tool mode. An invalid change is refused with its rule, and nothing changes. */
    async deliberate(request: DeliberateRequest) {
      const { channel } = this;
      const { ports } = channel;
      const { changeDeliberateMode, registryNow } = await seldom();
      const answer = changeDeliberateMode(ports, request, await registryNow(ports, request.guildId ?? null));
      rearm(channel);
      planErasure(channel);
      return answer;
    }

    /** Lists the tools, and which of them are offered. Changes nothing but the stored copy of the parent's settings. */
    async tools(request: ToolsRequest) {
      return (await seldom()).listTools(this.channel, request);
    }

    /** Whether this channel was used before anyone decided who may use it. Creates no storage if there was none. */
    async wasUsedBefore(): Promise<boolean> {
      return (await seldom()).readOrigin(this.channel);
    }

    /** Notes that the bot was removed from the server: what is kept here is deleted when its time comes. Repeating it changes nothing. */
    async leaveServer(since: number): Promise<void> {
      return (await seldom()).leaveServer(this.channel, since);
    }

    /** Answers the inspector's questions, listed in `InspectQuestion`. Their code is loaded with the first one. Changes nothing. */
    async inspect(question: InspectQuestion): Promise<InspectAnswer | ReadableStream> {
      const { inspect } = await import("./inspect/inspection.ts");
      const { channel } = this;
      return inspect(channel, channel.ports.name, question);
    }

    /** The heartbeat, and the backstop of every deadline. May come late, early or twice. */
    override async alarm(): Promise<void> {
      await this.opening.alarm();
    }
  };
}

/** The production object. */
export const ChannelObject = channelObject(createChannelPorts);
