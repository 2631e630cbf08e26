// Builds the `data` of an interaction from what a person did (docs: interactions/receiving-and-responding, "Interaction Data"), or says why a
// client would not send it at all.
import type { Act, OptionValue, PickedFile } from "./acts.ts";
import { modalFields } from "./callbacks.ts";
import { pickedFile, storeAttachment } from "./messages.ts";
import { refuseOptions } from "./option-rules.ts";
import { type Component, everyComponent } from "./rules.ts";
import { attachmentJson, messageJson } from "./wire.ts";
import { type Message, type Owners, PLACES, type World } from "./world.ts";

/** The data of an act. `command` and `text` are what the client shows above the answer. */
export interface Built {
  type: number;
  data?: unknown;
  source?: Message;
  command: string;
  text: string;
  extra?: Record<string, unknown>;
  /** The registered command; undefined if it was not registered. */
  registered?: Record<string, unknown> | undefined;
  /** The owners of the interaction from which the button or form came. */
  inherited?: Owners;
}

interface Scene {
  world: World;
  personId: string;
  channelId: string;
}

/** Builds the interaction's type and data, or says why the client refuses. */
export function buildData(scene: Scene, act: Act): Built | { impossible: string } {
  switch (act.kind) {
    case "ping":
      return { type: 1, command: "", text: "" };
    case "raw":
      return { type: act.type, data: act.data, command: "raw", text: "", ...(act.extra && { extra: act.extra }) };
    case "command":
    case "autocomplete":
      return command(scene, act);
    case "message-command":
      return messageCommand(scene, act);
    case "click":
      return click(scene, act);
    case "submit":
      return submitForm(scene, act);
  }
}

function command(
  scene: Scene,
  act: Extract<Act, { kind: "command" | "autocomplete" }>,
): Built | { impossible: string } {
  const { name, subcommand, options = {} } = act;
  const registered = findCommand(scene.world, name, 1);
  const refusal = act.kind === "command" ? refuseOptions(registered, subcommand, options) : null;
  if (refusal !== null) return { impossible: refusal };
  const attachments: Record<string, unknown> = {};
  const focused = act.kind === "autocomplete" ? act.focused : null;
  const given = Object.entries(options).map(([option, value]) => ({
    name: option,
    ...optionJson(scene, value, attachments),
    ...(option === focused && { focused: true }),
  }));
  const data = {
    id: registered?.id ?? UNREGISTERED,
    name,
    type: 1,
    options: subcommand === undefined ? given : [{ type: 1, name: subcommand, options: given }],
    ...(Object.keys(attachments).length > 0 && { resolved: { attachments } }),
  };
  const shown = Object.entries(options).map(([option, value]) =>
    option === "message" ? String(value) : `${option}:${optionText(value)}`,
  );
  return {
    type: focused === null ? 2 : 4,
    data,
    command: `/${name}${subcommand ? ` ${subcommand}` : ""}`,
    text: shown.join(" "),
    registered,
  };
}

function optionText(value: OptionValue): string {
  if (typeof value !== "object") return String(value);
  return "attachment" in value ? value.attachment.filename : (Object.keys(value)[0] ?? "");
}

function optionJson(
  scene: Scene,
  value: OptionValue,
  attachments: Record<string, unknown>,
): { type: number; value: unknown } {
  if (typeof value === "string") return { type: 3, value };
  if (typeof value === "boolean") return { type: 5, value };
  if (typeof value === "number") return { type: Number.isInteger(value) ? 4 : 10, value };
  if ("user" in value) return { type: 6, value: value.user };
  if ("channel" in value) return { type: 7, value: value.channel };
  if ("role" in value) return { type: 8, value: value.role };
  return { type: 11, value: upload(scene, value.attachment, attachments) };
}

/** Stores a picked file, adds it to `resolved.attachments`, and returns its id. */
function upload({ world, channelId }: Scene, picked: PickedFile, attachments: Record<string, unknown>): string {
  const stored = storeAttachment(world, channelId, pickedFile(picked));
  attachments[stored.id] = attachmentJson(world, stored, true);
  return stored.id;
}

function messageCommand(
  scene: Scene,
  { name, messageId }: Extract<Act, { kind: "message-command" }>,
): Built | { impossible: string } {
  const target = visible(scene, messageId);
  if (!target) return { impossible: "There is no such message." };
  const registered = findCommand(scene.world, name, 3);
  const data = {
    id: registered?.id ?? UNREGISTERED,
    name,
    type: 3,
    target_id: messageId,
    resolved: { messages: { [messageId]: messageJson(scene.world, target) } },
  };
  return { type: 2, data, command: name, text: target.content, registered };
}

function click(
  scene: Scene,
  { messageId, customId, values }: Extract<Act, { kind: "click" }>,
): Built | { impossible: string } {
  const source = visible(scene, messageId);
  if (!source) return { impossible: "There is no such message." };
  const all = everyComponent(source.components as Component[]);
  const clicked = all.find(({ component }) => component.custom_id === customId)?.component;
  if (!clicked || clicked.disabled) return { impossible: "There is no such button or menu." };
  const data = { custom_id: customId, component_type: clicked.type, id: 1, ...(values && { values }) };
  const inherited = scene.world.interactions.get(source.interactionId ?? "")?.owners ?? ownersOfPlace(scene);
  return { type: 3, data, source, command: clicked.label ?? customId, text: "", inherited };
}

function submitForm(
  scene: Scene,
  { customId, fields }: Extract<Act, { kind: "submit" }>,
): Built | { impossible: string } {
  const { world, personId } = scene;
  const modal = world.modals.get(personId);
  if (modal?.custom_id !== customId) return { impossible: "This modal is not open." };
  for (const field of modalFields(modal)) {
    const fault = fieldFault(field, fields[field.custom_id ?? ""]);
    if (fault) return { impossible: fault };
  }
  world.modals.delete(personId);
  const attachments: Record<string, unknown> = {};
  const components = modal.components.map((component, n) =>
    filled(scene, component as Component, n + 1, fields, attachments),
  );
  const data = {
    custom_id: customId,
    components,
    ...(Object.keys(attachments).length > 0 && { resolved: { attachments } }),
  };
  const source = modal.sourceId === null ? undefined : world.messages.get(modal.sourceId);
  const text = Object.values(fields).find((value) => typeof value === "string") ?? "";
  const { title, owners: inherited } = modal;
  return { type: 5, data, command: title, text: String(text), inherited, ...(source && { source }) };
}

type Fields = Extract<Act, { kind: "submit" }>["fields"];

/** Checks a field as a client does, which never sends a text of the wrong length or too many files (docs: components/reference). */
function fieldFault(field: Component, value: Fields[string] | undefined): string | null {
  if (field.type !== 4 && field.type !== 19) return null;
  const isText = field.type === 4;
  const { min_length: shortest = 0, max_length: longest = 4000 } = field as {
    min_length?: number;
    max_length?: number;
  };
  const { min_values: fewest = 1, max_values: most = 1 } = field as { min_values?: number; max_values?: number };
  const [min, max, what] = isText ? [shortest, longest, "characters"] : [fewest, most, "files"];
  const count = [...(value ?? "")].length;
  if (count === 0) return (field.required ?? true) ? `${field.custom_id} is required.` : null;
  return count < min || count > max ? `${field.custom_id} must have ${min} to ${max} ${what}.` : null;
}

/** Builds a form's component for the submit: labels keep their nesting, fields contain what was entered. */
function filled(
  scene: Scene,
  component: Component,
  id: number,
  fields: Fields,
  attachments: Record<string, unknown>,
): unknown {
  const { type } = component;
  if (component.component)
    return { type, id, component: filled(scene, component.component, id + 100, fields, attachments) };
  if (component.components)
    return {
      type,
      id,
      components: component.components.map((one, n) => filled(scene, one, id * 100 + n, fields, attachments)),
    };
  if (component.custom_id == null) return { type, id };
  const value = fields[component.custom_id];
  const entered = typeof value === "string" || value === undefined ? undefined : value;
  const values = entered?.map((one) => (typeof one === "string" ? one : upload(scene, one, attachments)));
  const content = type === 4 ? { value: typeof value === "string" ? value : "" } : { values: values ?? [] };
  return { type, id, custom_id: component.custom_id, ...content };
}

function visible({ world, personId, channelId }: Scene, id: string): Message | undefined {
  const message = world.messages.get(id);
  const isHere = message?.channelId === channelId && message.failed === null;
  return isHere && (message.addressee ?? personId) === personId ? message : undefined;
}

/** The owners for a message that no interaction made: the application is installed in its server. */
const ownersOfPlace = ({ world, channelId }: Scene): Owners => ({ 0: world.channels.get(channelId)?.serverId ?? "0" });

/** The id of commands that were not registered, so that a test needs no setup. */
const UNREGISTERED = PLACES.guild;

const findCommand = (world: World, name: string, type: number): Record<string, unknown> | undefined =>
  [...world.commands.values()].flat().find((one) => one.name === name && one.type === type);
