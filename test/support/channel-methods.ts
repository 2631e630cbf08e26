// The methods of the channel's object that neither begin nor end a turn, exactly as the object has them, for harnesses that stand in for it.
import type { Channel } from "../../durable-objects/live-channel.ts";
import { cancelReminder, listReminders } from "../../durable-objects/reminders/reminders.ts";
import { noteHere } from "../../durable-objects/schedule/rearm.ts";
import { aboutPerson, exportPerson } from "../../durable-objects/seldom/about-person.ts";
import { leaveServer, readOrigin } from "../../durable-objects/seldom/place-ends.ts";
import { listTraces, readStatus, readTrace } from "../../durable-objects/seldom/reports.ts";
import { changeHere, changePersonasHere, checkHere, explainHere } from "../../durable-objects/seldom/settings-here.ts";
import { listTools } from "../../durable-objects/seldom/tool-listing.ts";
import { usageReport } from "../../durable-objects/settings/budgets.ts";
import { changeDeliberateMode } from "../../durable-objects/settings/change-deliberate.ts";
import { effectivePersonas } from "../../durable-objects/settings/effective-personas.ts";
import { forgetPerson, resetConversation } from "../../durable-objects/upkeep/forget.ts";
import { readSummary, requestCompaction } from "../../durable-objects/upkeep/summary-on-demand.ts";
import type { ChannelPort } from "../../src/discord/answers/channel-port.ts";

/** What begins or ends a turn. */
export type Starting = "submit" | "stop" | "approve" | "resume" | "again" | "remove";

/** All other methods. */
export type OtherMethods = Omit<ChannelPort, Starting>;

/** Makes them. Each call goes to the life that the channel has at that time. */
export const otherMethods = (channel: () => Channel): OtherMethods => ({
  wasUsedBefore: async () => readOrigin(channel()),
  leaveServer: async (since) => leaveServer(channel(), since),
  status: async (viewerId) => readStatus(channel(), viewerId),
  reset: async (interactionId) => resetConversation(channel(), interactionId),
  forgetPerson: async (userId) => forgetPerson(channel(), userId),
  aboutPerson: async (userId) => aboutPerson(channel(), userId),
  exportPerson: async (userId) => exportPerson(channel(), userId),
  reminders: async (viewer) => listReminders(channel(), viewer),
  cancelReminder: async (...cancels) => cancelReminder(channel(), ...cancels),
  settings: async () => channel().ports.store.settings(),
  usage: async (userId, parentSettings, scope) => {
    noteHere(channel(), { parentSettings, scope });
    return usageReport(channel().ports, userId);
  },
  explain: async (parentSettings, scope) => explainHere(channel(), { parentSettings, scope }),
  change: async (change) => changeHere(channel(), change),
  checkSetting: async (change) => checkHere(channel(), change),
  history: async () => channel().ports.settingHistory.changes(),
  personas: async (parentSettings) => {
    noteHere(channel(), { parentSettings });
    return effectivePersonas(channel().ports);
  },
  changePersona: async (...change) => changePersonasHere(channel(), ...change),
  trace: async (turnId, viewer) => readTrace(channel(), turnId, viewer),
  recentTurns: async (viewer) => listTraces(channel(), viewer),
  summary: async () => readSummary(channel()),
  compact: async (focus, owner = null) => requestCompaction(channel(), focus, owner),
  deliberate: async (request) => changeDeliberateMode(channel().ports, request, channel().ports.registry),
  tools: (request) => listTools(channel(), request),
});
