// Routes an interaction to its handler: one per command, form and menu entry, and one completer per option with autocomplete.
// Checks access before it calls a handler.
import { type AccessRefusal, isOwner, knownOwners } from "../../core/access/judge.ts";
import type { AccessPolicy } from "../../core/access/policy.ts";
import { accessText } from "../../core/copy/access.ts";
import { say } from "../../core/copy/notices.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import { isBotMember } from "../../core/state/install-context.ts";
import { sceneNames } from "../../core/state/scene.ts";
import {
  accessTo,
  type CommandCall,
  type CommandPath,
  type CompletingPath,
  type MessageCommand,
} from "../commands/commands.ts";
import type { AskedMessage } from "../interactions/asked-message.ts";
import type { Typing } from "../interactions/invocation.ts";
import { type ModalCall, type ModalId, modalAnswer } from "../interactions/modals.ts";
import type { Actor, Interaction } from "../interactions/parse.ts";
import { choices, nameOfChoice, pong, privately } from "../interactions/respond.ts";
import { ask, askAbout } from "./ask.ts";
import type { AccessPorts, AnswerPorts } from "./channel-port.ts";
import { answerClick } from "./clicks.ts";
import { findUsedUp } from "./day-allowance.ts";
import { type Gate, personOf, UNREAD } from "./gate.ts";
import { inTime } from "./in-time.ts";
import type { FindScope } from "./scope-port.ts";
import { stopByCommand } from "./stop.ts";

type OptionsAt<Path extends CommandPath> = Extract<CommandCall, { path: Path }>["options"];
type FieldsAt<Id extends ModalId> = Extract<ModalCall, { id: Id }>["fields"];
type Answer = object | Promise<object>;

/** One handler per slash command. */
export type CommandHandlers = {
  [Path in CommandPath]: (actor: Actor, ports: AnswerPorts, options: OptionsAt<Path>) => Answer;
};

/** The commands that people use every day. The handlers of all others are in a separate module, which a turn's cold start doesn't load. */
export type DailyCommand = "chat" | "scene" | "ask-long" | "help" | "catch-up" | "stop" | "bot kill" | "bot status";

const daily: Pick<CommandHandlers, DailyCommand> = {
  chat: (actor, ports, { message, file, persona, thread = false }) => {
    const wanted = { wantsThread: thread, ...(persona !== undefined && { persona }) };
    return ask(actor, ports, { text: message, attachments: file ? [file] : [] }, wanted);
  },
  scene: (actor, ports, { personas, prompt }) =>
    ask(actor, ports, { text: prompt, attachments: [] }, { scene: sceneNames(personas) }),
  "ask-long": () => modalAnswer("ask-long"),
  help: async () => privately((await import("../../core/copy/help.ts")).helpText),
  "catch-up": async (actor, ports, { since }) => (await import("./catch-up.ts")).catchUp(actor, ports, since),
  stop: (actor, ports) => stopByCommand(actor, ports, "stop"),
  "bot kill": (actor, ports) => stopByCommand(actor, ports, "kill"),
  "bot status": async (actor, ports) => (await import("./bot.ts")).status(actor, ports),
};

/** One handler per entry in a message's menu. */
const messageHandlers: {
  [Name in MessageCommand]: (actor: Actor, ports: AnswerPorts, message: AskedMessage) => Answer;
} = { "Ask about this": askAbout };

/** One handler per form. */
const modalHandlers: { [Id in ModalId]: (actor: Actor, ports: AnswerPorts, fields: FieldsAt<Id>) => Answer } = {
  "ask-long": (actor, ports, { question, files }) => ask(actor, ports, { text: question, attachments: files }),
  "connect-code": async (actor, ports, { code }) => (await import("./connections.ts")).confirmCode(actor, ports, code),
};

/** What the handlers need, and what decides who gets in. */
export interface EntryPorts extends Omit<AnswerPorts, "access"> {
  gate: Gate;
  policy: AccessPolicy;
  scope: FindScope;
}

/** Discord waits three seconds for the first answer, including its way through the network. */
const ANSWER_LIMIT_MS = 2600;

/**
 * Builds the first answer to an interaction: the JSON for the HTTP response. Whoever may not use the bot gets a private sentence, and wakes no
 * channel. If an object is too slow, the person gets a private sentence in time; the object has the token and can still edit it later. Rejects
 * only if a handler has a bug.
 */
export async function answerTo(interaction: Interaction, entry: EntryPorts): Promise<object> {
  if (interaction.kind === "ping") return pong();
  if (interaction.kind === "unknown") return answerUnknown(interaction);
  const refused = (text: string) => (interaction.kind === "typing" ? choices([]) : privately(text));
  const late = () => {
    entry.logError("an interaction was not answered in time", { kind: interaction.kind });
    return refused(UNAVAILABLE);
  };
  try {
    return await inTime<object>(entry.after, ANSWER_LIMIT_MS, () => answerAsked(interaction, entry), late);
  } catch (error) {
    if (findUsedUp(error) === null) throw error;
    return refused(accessText({ reason: "allowance_used_up" }));
  }
}

async function answerAsked(interaction: Asked, { gate, policy, scope, ...others }: EntryPorts): Promise<object> {
  const person = personOf(interaction.actor);
  const admitted = await gate.admit(person, interaction.actor.channelId, policy);
  const { copy } = admitted;
  const access: AccessPorts = {
    isOwner: (id) => isOwner(id, policy, copy),
    knowsOwners: knownOwners(policy, copy).length > 0,
    letsIn: (guildId, isClaimed) =>
      policy.allowedServers.includes(guildId) || (isClaimed ? policy.servers !== "listed" : policy.servers === "open"),
    scope,
    forget: gate.forget,
    copy,
  };
  // Owners may use /owner even while everything is paused. Once the owners are known, the command itself refuses everyone else.
  const wanted = nameOf(interaction);
  const isForOwner = access.knowsOwners && /^owner /.test(wanted);
  if (admitted.ok || isForOwner || (/^(stop|bot kill)$/.test(wanted) && STOPPABLE.has(admitted.refusal.reason)))
    return answerAdmitted(interaction, { ...others, access });
  // Each of these wakes an object for someone who may not use the bot, so there is a limit.
  if (/^(privacy |forget$)/.test(wanted) && KEPT_OUT.has(admitted.refusal.reason) && (await gate.mayWake(person)))
    return answerAdmitted(interaction, { ...others, access });
  return interaction.kind === "typing" ? choices([]) : privately(accessText(admitted.refusal));
}

/** Running turns continue while everything is paused, the server is denied or its scope can't be reached, so they can still be stopped. */
const STOPPABLE: ReadonlySet<AccessRefusal["reason"]> = new Set(["paused", "server_denied", ...UNREAD]);

/** People whom the owners keep out may still see and delete what is stored about them. */
const KEPT_OUT: ReadonlySet<AccessRefusal["reason"]> = new Set(["blocked", "server_denied"]);

/** Returns the button or the command that was used; empty for everything else. */
const nameOf = (interaction: Asked): string =>
  interaction.kind === "click" ? interaction.click.action : interaction.kind === "command" ? interaction.call.path : "";

type Asked = Exclude<Interaction, { kind: "ping" | "unknown" }>;

async function answerAdmitted(interaction: Asked, ports: AnswerPorts): Promise<object> {
  switch (interaction.kind) {
    case "command":
      return answerCommand(interaction.actor, ports, interaction.call);
    case "typing":
      return answerTyping(interaction.actor, ports, interaction.typing);
    case "message_command":
      return messageHandlers[interaction.name](interaction.actor, ports, interaction.message);
    case "modal":
      return answerModal(interaction.actor, ports, interaction.call);
    case "click":
      return answerClick(interaction.actor, ports, interaction.click, interaction.messageId);
  }
}

function answerModal(actor: Actor, ports: AnswerPorts, { id, fields }: ModalCall): Answer {
  // A form and its fields belong together. As with commands, the table's type says so, but an indexed access loses that.
  const handler = modalHandlers[id] as (actor: Actor, ports: AnswerPorts, fields: object) => Answer;
  return handler(actor, ports, fields);
}

/** Builds the first answer while the configuration has problems: a private message that says what is wrong. Nothing starts. */
export function answerUnconfigured(interaction: Interaction, problems: readonly string[]): object {
  if (interaction.kind === "ping") return pong();
  const isTyping = interaction.kind === "typing" || (interaction.kind === "unknown" && interaction.what === "typing");
  return isTyping ? choices([]) : privately(say.notConfigured(problems));
}

async function answerCommand(actor: Actor, ports: AnswerPorts, { path, options }: CommandCall): Promise<object> {
  const refusal = refuseByAccess(actor, path);
  if (refusal !== null) return privately(refusal);
  const handlers = Object.hasOwn(daily, path) ? daily : (await import("./seldom-used.ts")).seldomUsed;
  // A path and its options belong together. The table's type says so, but an indexed access loses that.
  const handler = handlers[path as keyof typeof handlers] as (
    actor: Actor,
    ports: AnswerPorts,
    options: object,
  ) => Answer;
  return handler(actor, ports, options);
}

/** Returns why this person may not use the command, or null. Needed because a server can open a command to everyone in Discord. */
function refuseByAccess(actor: Actor, path: CommandPath): string | null {
  const access = accessTo(path);
  // In a visitor's own conversation, the visitor counts as a moderator.
  if (access === "anyone" || actor[access] || (access === "moderator" && actor.broughtBy)) return null;
  if (!isBotMember(actor.installContext)) return say.visitorsCannot(path);
  return access === "moderator" ? say.moderatorsOnly(path) : say.managersOnly(path);
}

async function answerTyping(actor: Actor, ports: AnswerPorts, typing: Typing): Promise<object> {
  const { path, text } = typing;
  const { completers } = await import("./seldom-used.ts");
  const isCompleting = (one: CommandPath): one is CompletingPath => Object.hasOwn(completers, one);
  if (!isCompleting(path) || refuseByAccess(actor, path) !== null) return choices([]);
  const offered = await completers[path](actor, ports, typing);
  const typed = folded(text);
  return choices(offered.filter((one) => folded(nameOfChoice(one)).includes(typed)));
}

/** Returns a text in the form in which it is compared. People write lists with and without a space after the comma. */
const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s*,\s*/g, ", ")
    .trim();

function answerUnknown(unknown: Extract<Interaction, { kind: "unknown" }>): object {
  switch (unknown.what) {
    case "command":
      return privately(say.unknownCommand(unknown.name));
    case "component":
      return privately(say.unknownComponent);
    case "modal":
      return privately(say.unknownModal);
    case "typing":
      return choices([]);
  }
}
