// The first answer to an interaction, inline or by callback: which types are legal, the required shape of each, and how it changes the world
// (docs: interactions/receiving-and-responding, "Interaction Callback Type").
import { type Answer, type Fault, invalidForm } from "./errors.ts";
import { MESSAGE_TYPES } from "./message-types.ts";
import { createMessage, editMessage, findAddressee } from "./messages.ts";
import { type Component, everyComponent, FLAGS, type Payload, refuseDraft } from "./rules.ts";
import { schemaFaults } from "./schemas.ts";
import { acknowledge } from "./tokens.ts";
import type { Interaction, Message, OpenModal, Upload, World } from "./world.ts";

/** Callback types by interaction type. The submit of a form may use 6 and 7 only if a component opened the form. */
const LEGAL_TYPES: Record<number, readonly number[]> = {
  1: [1],
  2: [4, 5, 9],
  3: [4, 5, 6, 7, 9],
  4: [8],
  5: [4, 5, 6, 7],
};
const CREATE_FLAGS =
  FLAGS.suppressEmbeds | FLAGS.ephemeral | FLAGS.suppressNotifications | FLAGS.voiceMessage | FLAGS.componentsV2;
/** Flags that a later edit may set. */
export const EDIT_FLAGS = FLAGS.suppressEmbeds | FLAGS.componentsV2;
const MAX_MODAL_COMPONENTS = 5;

/** A callback body that has passed its schema. */
interface Callback {
  type: number;
  data?: Payload & { custom_id?: string; title?: string; choices?: unknown };
}

/** Checks a first answer and, if it is legal, applies it and acknowledges the interaction. Returns null, or the refusal. */
export function applyCallback(
  world: World,
  interaction: Interaction,
  body: unknown,
  { files, inline }: { files: readonly Upload[]; inline: boolean },
): Answer | null {
  const malformed = schemaFaults("callback", body);
  if (malformed.length > 0) return invalidForm(malformed);
  const callback = body as Callback;
  const refusal = refuseCallback(world, interaction, callback, files);
  if (refusal) return refusal;
  perform(world, interaction, callback, files);
  acknowledge(world, interaction, callback.type, inline);
  world.changed();
  return null;
}

function refuseCallback(
  world: World,
  interaction: Interaction,
  { type, data = {} }: Callback,
  files: readonly Upload[],
): Answer | null {
  const isLegal =
    LEGAL_TYPES[interaction.type]?.includes(type) && !((type === 6 || type === 7) && !interaction.sourceId);
  if (!isLegal) return invalidForm([typeFault(`Callback type ${type} does not answer this interaction.`)]);
  const source = findSource(world, interaction);
  if (type === 4) return refuseDraft({ payload: data, files, legalFlags: CREATE_FLAGS, at: ["data"] }, world.options);
  if (type === 7 && source)
    return refuseDraft({ payload: data, files, legalFlags: EDIT_FLAGS, current: source, at: ["data"] }, world.options);
  const faults = type === 5 || type === 6 ? deferralFaults(type, data) : type === 9 ? modalFaults(data) : [];
  return faults.length > 0 ? invalidForm(faults) : null;
}

/** A deferral has no content yet: its data is empty or only the EPHEMERAL flag, and a deferred update has no data at all. */
function deferralFaults(type: number, { flags, ...rest }: Payload): Fault[] {
  const legal = type === 5 ? FLAGS.ephemeral : 0;
  const faults: Fault[] = Object.keys(rest).map((field) => ({
    path: ["data", field],
    code: "LOCAL_DATA_IN_DEFERRAL",
    message: "Discord drops this field of a deferral.",
  }));
  if ((flags ?? 0) & ~legal)
    faults.push({
      path: ["data", "flags"],
      code: "MESSAGE_INVALID_FLAGS",
      message: "Only EPHEMERAL, and only on type 5.",
    });
  return faults;
}

function modalFaults({ components }: Payload): Fault[] {
  const all = everyComponent(components ?? [], ["data", "components"]);
  const ids = all.flatMap(({ component }) => component.custom_id ?? []);
  const faults: Fault[] = [];
  if ((components?.length ?? 0) > MAX_MODAL_COMPONENTS)
    faults.push({
      path: ["data", "components"],
      code: "BASE_TYPE_BAD_LENGTH",
      message: "Must be between 1 and 5 in length.",
    });
  if (new Set(ids).size < ids.length)
    faults.push({
      path: ["data", "components"],
      code: "COMPONENT_CUSTOM_ID_DUPLICATED",
      message: "Component custom id cannot be duplicated",
    });
  return faults;
}

const typeFault = (message: string): Fault => ({ path: ["type"], code: "BASE_TYPE_CHOICES", message });

function perform(
  world: World,
  interaction: Interaction,
  { type, data = {} }: Callback,
  files: readonly Upload[],
): void {
  const source = findSource(world, interaction);
  if (type === 4) interaction.originalId = answer(world, interaction, data, files).id;
  if (type === 5) interaction.originalId = answer(world, interaction, data, [], FLAGS.loading).id;
  if (type === 6 || type === 7) interaction.originalId = interaction.sourceId;
  if (type === 7 && source) editMessage(world, source, data, files);
  if (type === 8) interaction.shown = data.choices ?? [];
  if (type === 9) {
    interaction.shown = data;
    const { personId, sourceId, owners } = interaction;
    world.modals.set(personId, { ...(data as unknown as OpenModal), sourceId, owners });
  }
}

function answer(
  world: World,
  interaction: Interaction,
  payload: Payload,
  files: readonly Upload[],
  flags = 0,
): Message {
  const { personId, channelId, id, origin, type, forceEphemeral } = interaction;
  const about = {
    channelId,
    authorId: world.applicationId,
    type: type === 2 ? MESSAGE_TYPES.commandReply : MESSAGE_TYPES.plain,
    addressee: findAddressee(payload.flags ?? 0, forceEphemeral, personId),
    interactionId: id,
    origin,
    flags,
  };
  return createMessage(world, about, payload, files);
}

const findSource = (world: World, { sourceId }: Interaction): Message | undefined =>
  sourceId === null ? undefined : world.messages.get(sourceId);

/** Lists the components of an open form, for the person who fills it in. */
export const modalFields = (modal: OpenModal): Component[] =>
  everyComponent(modal.components as Component[]).map(({ component }) => component);
