// The channel's object: one per Discord channel, thread or direct message. Only wires: each method loads, asks a pure
// decision, saves in one transaction and then acts. All rules are in src/core.

import { DurableObject } from "cloudflare:workers";
import type { PersonaChange } from "../src/channel/personas.ts";
import { type ExplainedSetting, explainSettings, type StoredSettings } from "../src/channel/settings.ts";
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
} from "../src/core/state/rpc.ts";
import { buildStatusReport } from "../src/core/state/status.ts";
import { buildTrace, buildTraceChoice, type TraceChoice, type TraceReport } from "../src/core/state/trace.ts";
import type {
  ChannelPort,
  PersonaAnswer,
  PersonaList,
  SettingAnswer,
  SettingChange,
} from "../src/discord/answers/channel-port.ts";
import type { ChannelPorts } from "./channel-ports.ts";
import { createChannelPorts, production } from "./composition-root.ts";
import type { Channel } from "./live-channel.ts";
import { admitMessage } from "./operations/admit.ts";
import { Opening } from "./operations/opening.ts";
import { clickApproval } from "./operations/parking.ts";
import { askAgain } from "./operations/retry.ts";
import { stopTurns } from "./operations/stop.ts";
import { tick } from "./operations/tick.ts";
import { resume } from "./operations/token-end.ts";
import { listTools, registryNow } from "./operations/tool-listing.ts";
import { usageReport } from "./settings/budgets.ts";
import { changeDeliberateMode } from "./settings/deliberate.ts";
import { changeChannelPersonas, effectivePersonas } from "./settings/effective-personas.ts";
import { changeSetting, noteParent, settingsInput } from "./settings/effective-settings.ts";

/** A composition root: makes the ports of one object from its state and environment. */
export type Root = (ctx: DurableObjectState, env: unknown) => ChannelPorts;

/** Choices that Discord shows below an option. */
const MAX_CHOICES = 25;

/** The object's class over a composition root; production and tests differ in the root alone. */
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

    /** Throws the reason where the channel can't be opened. */
    get channel(): Channel {
      return this.opening.channel;
    }

    /** A request for a turn. The turn starts after the receipt is given. The same interaction, the same receipt. */
    async submit(submission: Submission): Promise<Receipt> {
      const receipt = admitMessage(this.channel, submission);
      tick(this.channel);
      return receipt;
    }

    /** A request to stop or to kill. The same interaction, the same answer. */
    async stop(request: StopRequest): Promise<StopAnswer> {
      const answer = stopTurns(this.channel, request);
      tick(this.channel);
      return answer;
    }

    /** A press of Approve or Deny. The same interaction, the same answer. */
    async approve(press: ApprovalClick): Promise<ApprovalAnswer> {
      const answer = clickApproval(this.channel, press);
      tick(this.channel);
      return answer;
    }

    /** A press that brings a reply a new token. The same press, the same effect. */
    async resume(request: ResumeRequest): Promise<ResumeAnswer> {
      return resume(this.channel, request);
    }

    /** A press that asks again, or on. The same interaction, the same receipt. */
    async again(request: AgainRequest): Promise<Receipt> {
      const receipt = askAgain(this.channel, request);
      tick(this.channel);
      return receipt;
    }

    /** What the channel is doing. Changes nothing. */
    async status(): Promise<StatusReport> {
      const { store, clock, config } = this.channel.ports;
      return buildStatusReport(store.state(), config.maxIterations, clock());
    }

    /** The timeline of the named turn, or of the newest; null when there is none. Changes nothing. */
    async trace(turnId: string | null): Promise<TraceReport | null> {
      const { store } = this.channel.ports;
      const turn = turnId === null ? store.recentTurns(1)[0] : store.turn(turnId);
      return turn ? buildTrace(turn) : null;
    }

    /** The turns whose timeline can be asked for, newest first. Changes nothing. */
    async recentTurns(): Promise<TraceChoice[]> {
      return this.channel.ports.store.recentTurns(MAX_CHOICES).map(buildTraceChoice);
    }

    /** Forgets the conversation of turns that are over; answers the number of messages. */
    async reset(): Promise<number> {
      const { store, notes } = this.channel.ports;
      return store.transaction(() => {
        notes.write("");
        return store.forgetTranscript();
      });
    }

    /** What this person and the channel have used today, against the limits. Changes nothing of it. */
    async usage(userId: string, parentSettings?: StoredSettings): Promise<UsageReport> {
      const { ports } = this.channel;
      ports.store.transaction(() => noteParent(ports, parentSettings));
      return usageReport(ports, userId);
    }

    /** What is set here, for the threads of this channel. */
    async settings(): Promise<StoredSettings> {
      return this.channel.ports.store.settings();
    }

    /** What holds here and where it comes from. */
    async explain(parentSettings?: StoredSettings): Promise<ExplainedSetting[]> {
      const { ports } = this.channel;
      ports.store.transaction(() => noteParent(ports, parentSettings));
      return explainSettings(settingsInput(ports));
    }

    /** Sets or (with null) clears one setting; a bad value is refused with its rule and the old one stays. */
    async change(change: SettingChange): Promise<SettingAnswer> {
      const { ports } = this.channel;
      return ports.store.transaction(() => {
        noteParent(ports, change.parentSettings);
        return changeSetting(ports, change);
      });
    }

    /** The personas that hold here. */
    async personas(parentSettings?: StoredSettings): Promise<PersonaList> {
      const { ports } = this.channel;
      ports.store.transaction(() => noteParent(ports, parentSettings));
      return effectivePersonas(ports);
    }

    /** Changes the personas; a bad change is refused with its rule and all stays. */
    async changePersona(change: PersonaChange, parentSettings?: StoredSettings): Promise<PersonaAnswer> {
      const { ports } = this.channel;
      return ports.store.transaction(() => {
        noteParent(ports, parentSettings);
        return changeChannelPersonas(ports, change);
      });
    }

    /** Changes deliberate tool mode, or tells of it; a bad change is refused with its rule and all stays. */
    async deliberate(request: DeliberateRequest): Promise<DeliberateAnswer> {
      const { ports } = this.channel;
      return changeDeliberateMode(ports, request, await registryNow(ports));
    }

    /** The tools that there are, and which of them are offered. Changes nothing. */
    async tools(request: ToolsRequest): Promise<ToolsReport> {
      return listTools(this.channel, request);
    }

    /** The heartbeat and the backstop of every deadline. May come late, early or twice. */
    override async alarm(): Promise<void> {
      await this.opening.alarm();
    }
  };
}

/** The production object. */
export const ChannelObject = channelObject(createChannelPorts);
