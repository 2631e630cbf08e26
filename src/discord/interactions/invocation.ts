// Reads how a person used a command: which one, and the values of its options. Ignores options that the description does not
// have; an unknown command is null.
import { array, catchall, looseObject, number, object, optional, type output, string, unknown } from "zod/mini";
import { once } from "../../core/once.ts";
import type { OptionShape } from "../commands/command-shapes.ts";
import {
  type CommandCall,
  type CommandPath,
  commandAt,
  type MessageCommand,
  messageCommands,
} from "../commands/commands.ts";
import { type AskedMessage, askedMessage, messageJson } from "./asked-message.ts";
import { findAttachment, resolvedAttachments } from "./attachment-json.ts";

const optionJson = () =>
  looseObject({
    name: string(),
    value: optional(unknown()),
    focused: optional(unknown()),
    options: optional(array(looseObject({ name: string(), value: optional(unknown()), focused: optional(unknown()) }))),
  });

/** The shape of `data` in a command or an autocomplete interaction. */
export const commandData = once(() =>
  looseObject({
    name: string(),
    type: optional(number()),
    target_id: optional(string()),
    options: optional(array(optionJson())),
    resolved: optional(
      looseObject({
        attachments: optional(resolvedAttachments()),
        messages: optional(catchall(object({}), messageJson())),
      }),
    ),
  }),
);
type CommandData = output<ReturnType<typeof commandData>>;

const CHAT_INPUT = 1;
const MESSAGE = 3;

/** Reads the use of a slash command. Null for a command of an older or newer version. */
export function readCommand(data: CommandData): CommandCall | null {
  const found = locate(data);
  if (!found) return null;
  const shapes = Object.entries(found.leaf.options ?? {});
  const options = shapes.map(([name, shape]) => [name, givenBy(found.options, name, shape, data)]);
  return { path: found.path, options: Object.fromEntries(options) } as CommandCall;
}

/** What a person is typing: into which option, its text so far, and the texts of the other options so far. */
export interface Typing {
  path: CommandPath;
  option: string;
  text: string;
  others: Readonly<Record<string, string>>;
}

/** Reads what a person is typing. Null when none of our options has the focus. */
export function readTyping(data: CommandData): Typing | null {
  const found = locate(data);
  const focused = found?.options.find((option) => option.focused === true);
  if (!found || !focused) return null;
  const others = found.options.flatMap(({ name, value }) => (typeof value === "string" ? [[name, value]] : []));
  return {
    path: found.path,
    option: focused.name,
    text: String(focused.value ?? ""),
    others: Object.fromEntries(others),
  };
}

/** Reads the use of a command in a message's menu, with the message. Null for a command of another version. */
export function readMessageCommand(data: CommandData): { name: MessageCommand; message: AskedMessage } | null {
  const { target_id: id = "" } = data;
  const message = data.resolved?.messages?.[id];
  const name = messageCommands.find((one) => one === data.name);
  if (data.type !== MESSAGE || !message || !name) return null;
  return { name, message: { ...askedMessage(message), id } };
}

function locate({ name, type, options = [] }: CommandData) {
  if ((type ?? CHAT_INPUT) !== CHAT_INPUT) return null;
  const inner = options[0]?.options;
  const found = commandAt(name, options[0]?.name);
  return found && { ...found, options: found.path.includes(" ") ? (inner ?? []) : options };
}

function givenBy(
  options: readonly { name: string; value?: unknown }[],
  name: string,
  shape: OptionShape,
  { resolved }: CommandData,
) {
  const value = options.find((option) => option.name === name)?.value;
  switch (shape.type) {
    case "text": {
      const isKnown = typeof value === "string" && (shape.choices?.includes(value) ?? true);
      return isKnown ? value : shape.required && !shape.choices ? "" : undefined;
    }
    case "whole":
      return typeof value === "number" && Number.isInteger(value) ? value : undefined;
    case "flag":
      return typeof value === "boolean" ? value : undefined;
    case "file":
      return findAttachment(resolved, value);
  }
}
