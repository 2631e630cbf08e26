// The handlers of commands that are seldom used, and the choices that are offered while a person types. A module of its own: no cold start
// of a turn reads it.
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
  "bot trace": (actor, { turn }, ports) => trace(actor, turn ?? null, ports),
  "bot usage": (actor, { person }, ports) => usage(actor, person ?? null, ports),
  "bot summary": (actor, _, ports) => showSummary(actor, ports),
  "bot compact": (actor, { focus }, ports) => compact(actor, focus ?? null, ports),
  "bot reset": (actor, _, ports) => reset(actor, ports),
  "persona create": (actor, { name, prompt, avatar }, ports) =>
    changePersona(actor, { action: "create", name, prompt, avatarUrl: avatar ?? null }, ports),
  "persona edit": (actor, { name, prompt, avatar }, ports) => {
    const changed = {
      ...(prompt === undefined ? {} : { prompt }),
      ...(avatar === undefined ? {} : { avatarUrl: avatar }),
    };
    return changePersona(actor, { action: "edit", name, ...changed }, ports);
  },
  "persona delete": (actor, { name }, ports) => changePersona(actor, { action: "delete", name }, ports),
  "persona list": (actor, _, ports) => listPersonas(actor, ports),
  "persona use": (actor, { name }, ports) => changePersona(actor, { action: "use", name: name ?? null }, ports),
  "tools list": (actor, _, ports) => listTools(actor, ports),
  "tools connect": (actor, { server }, ports) => connectServer(actor, server, ports),
  "tools disconnect": (actor, { server }, ports) => disconnectServer(actor, server, ports),
  "tools add": (actor, { name, url }, ports) => changeServers(actor, { op: "add", name, url }, ports),
  "tools remove": (actor, { name }, ports) => changeServers(actor, { op: "remove", name }, ports),
  "reminders list": (actor, _, ports) => listReminders(actor, ports),
  "reminders cancel": (actor, { number }, ports) => cancelReminder(actor, number, ports),
  "remember me": (actor, { text }, ports) => rememberMe(actor, text, ports),
  "privacy show": (actor, _, ports) => showKept(actor, ports),
  "privacy export": (actor, _, ports) => exportKept(actor, ports),
  "privacy opt-out": (actor, { state }, ports) => leaveOut(actor, state !== "off", ports),
  "privacy forget": (actor) => askToForget(actor),
  "owner servers": (actor, _, ports) => answerOwner(actor, { op: "servers" }, ports),
  "owner usage": (actor, _, ports) => showOwnerUsage(actor, ports),
  "owner allow": (actor, { server }, ports) => answerOwner(actor, aboutServer(server, null), ports),
  "owner deny": (actor, { server, reason }, ports) => answerOwner(actor, aboutServer(server, reason), ports),
  "owner block": (actor, { user }, ports) => answerOwner(actor, aboutUser("block", user), ports),
  "owner unblock": (actor, { user }, ports) => answerOwner(actor, aboutUser("unblock", user), ports),
  "owner pause": (actor, { state }, ports) => answerOwner(actor, { op: "pause", isPaused: state !== "off" }, ports),
  "deliberate mode": (actor, { state }, ports) =>
    changeDeliberate(actor, state ? { what: "mode", on: state === "on" } : null, ports),
  "deliberate context": (actor, { turns }, ports) =>
    changeDeliberate(actor, turns === undefined ? null : { what: "context", turns }, ports),
  "deliberate trigger": (actor, { action, tool, phrase, pattern }, ports) =>
    changeTriggers(actor, { action, tool, phrase, pattern }, ports),
  "deliberate me": (actor, { state }, ports) =>
    changeDeliberate(actor, state ? { what: "me", userId: actor.userId, state } : null, ports),
  "config show": (actor, _, ports) => showConfig(actor, ports),
  "config set": (actor, { key, value, scope = "here" }, ports) => changeConfig(actor, { key, value, scope }, ports),
  "config clear": (actor, { key, scope = "here" }, ports) => changeConfig(actor, { key, value: null, scope }, ports),
  "config history": (actor, { scope = "here" }, ports) => showHistory(actor, scope, ports),
  model: (actor, { name, scope = "here" }, ports) => chooseModel(actor, { name, scope }, ports),
};

/** The choices to offer while a person types. Only those that contain the typed text are shown. */
export const completers: {
  [Path in CompletingPath]: (
    typing: Typing,
    ports: AnswerPorts,
    actor: Actor,
  ) => readonly Choice[] | Promise<readonly Choice[]>;
} = {
  "config set": suggestSetting,
  "config clear": suggestSetting,
  model: (_, ports, actor) => suggestModel(actor, ports),
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
