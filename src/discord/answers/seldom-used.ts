// The handlers of commands that are seldom used, and the choices that are offered while a person types. They are a separate module, so that a
// turn's cold start doesn't load them.
import type { CompletingPath } from "../commands/commands.ts";
import type { Typing } from "../interactions/invocation.ts";
import type { Actor } from "../interactions/parse.ts";
import type { Choice } from "../interactions/respond.ts";
import { changeServers, listAdded } from "./added-servers.ts";
import type { CommandHandlers, DailyCommand } from "./answer-interaction.ts";
import { reset, usage } from "./bot.ts";
import type { AnswerPorts } from "./channel-port.ts";
import { changeConfig, chooseModel, showConfig, showHistory, suggestModel, suggestSetting } from "./config.ts";
import { connectServer, disconnectServer, suggestServer } from "./connections.ts";
import { changeDeliberate, changeTriggers, listTools, suggestTool } from "./deliberate.ts";
import { rememberMe } from "./own-facts.ts";
import { aboutServer, aboutUser, answerOwner, showOwnerUsage } from "./owner.ts";
import { changePersona, listPersonas, suggestCast, suggestPersona } from "./personas.ts";
import { askToForget, exportKept, leaveOut, showKept } from "./privacy.ts";
import { cancelReminder, listReminders } from "./reminders.ts";
import { compact, showSummary } from "./summary.ts";
import { suggestTurn, trace } from "./trace.ts";

/** One handler per command. */
export const seldomUsed: Omit<CommandHandlers, DailyCommand> = {
  "bot trace": (actor, ports, { turn }) => trace(actor, ports, turn ?? null),
  "bot usage": (actor, ports, { person }) => usage(actor, ports, person ?? null),
  "bot summary": showSummary,
  "bot compact": (actor, ports, { focus }) => compact(actor, ports, focus ?? null),
  "bot reset": reset,
  "persona create": (actor, ports, { name, prompt, avatar }) =>
    changePersona(actor, ports, { action: "create", name, prompt, avatarUrl: avatar ?? null }),
  "persona edit": (actor, ports, { name, prompt, avatar }) => {
    const changed = {
      ...(prompt !== undefined && { prompt }),
      ...(avatar !== undefined && { avatarUrl: avatar }),
    };
    return changePersona(actor, ports, { action: "edit", name, ...changed });
  },
  "persona delete": (actor, ports, { name }) => changePersona(actor, ports, { action: "delete", name }),
  "persona list": listPersonas,
  "persona use": (actor, ports, { name }) => changePersona(actor, ports, { action: "use", name: name ?? null }),
  "tools list": listTools,
  "tools connect": (actor, ports, { server }) => connectServer(actor, ports, server),
  "tools disconnect": (actor, ports, { server }) => disconnectServer(actor, ports, server),
  "tools add": (actor, ports, { name, url }) => changeServers(actor, ports, { op: "add", name, url }),
  "tools remove": (actor, ports, { name }) => changeServers(actor, ports, { op: "remove", name }),
  "reminders list": listReminders,
  "reminders cancel": (actor, ports, { number }) => cancelReminder(actor, ports, number),
  "remember me": (actor, ports, { text }) => rememberMe(actor, ports, text),
  "privacy show": showKept,
  "privacy export": exportKept,
  "privacy opt-out": (actor, ports, { state }) => leaveOut(actor, ports, state !== "off"),
  "privacy forget": askToForget,
  "owner servers": (actor, ports) => answerOwner(actor, ports, { op: "servers" }),
  "owner usage": showOwnerUsage,
  "owner allow": (actor, ports, { server }) => answerOwner(actor, ports, aboutServer(server, null)),
  "owner deny": (actor, ports, { server, reason }) => answerOwner(actor, ports, aboutServer(server, reason)),
  "owner block": (actor, ports, { user }) => answerOwner(actor, ports, aboutUser("block", user)),
  "owner unblock": (actor, ports, { user }) => answerOwner(actor, ports, aboutUser("unblock", user)),
  "owner pause": (actor, ports, { state }) => answerOwner(actor, ports, { op: "pause", isPaused: state !== "off" }),
  "deliberate mode": (actor, ports, { state }) =>
    changeDeliberate(actor, ports, state ? { what: "mode", on: state === "on" } : null),
  "deliberate context": (actor, ports, { turns }) =>
    changeDeliberate(actor, ports, turns === undefined ? null : { what: "context", turns }),
  "deliberate trigger": changeTriggers,
  "deliberate me": (actor, ports, { state }) =>
    changeDeliberate(actor, ports, state ? { what: "me", userId: actor.userId, state } : null),
  "config show": showConfig,
  "config set": (actor, ports, { key, value, scope = "here" }) => changeConfig(actor, ports, { key, value, scope }),
  "config clear": (actor, ports, { key, scope = "here" }) => changeConfig(actor, ports, { key, value: null, scope }),
  "config history": (actor, ports, { scope = "here" }) => showHistory(actor, ports, scope),
  model: (actor, ports, { name, scope = "here" }) => chooseModel(actor, ports, { name, scope }),
};

/** One completer per command: the choices to offer while a person types. Only those that contain the typed text are shown. */
export const completers: {
  [Path in CompletingPath]: (
    actor: Actor,
    ports: AnswerPorts,
    typing: Typing,
  ) => readonly Choice[] | Promise<readonly Choice[]>;
} = {
  "config set": suggestSetting,
  "config clear": suggestSetting,
  model: suggestModel,
  chat: suggestPersona,
  scene: suggestCast,
  "bot trace": suggestTurn,
  "deliberate trigger": suggestTool,
  "tools connect": suggestServer,
  "tools disconnect": suggestServer,
  "tools remove": (_, ports) => listAdded(ports).map(({ id }) => id),
  "persona edit": suggestPersona,
  "persona delete": suggestPersona,
  "persona use": suggestPersona,
};
