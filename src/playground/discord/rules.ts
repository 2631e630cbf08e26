// The limits of a message that Discord's spec does not state (docs: resources/message, resources/webhook, components/reference), and Parley's
// own rule about mentions. The spec's limits are in schemas.ts.
import { type Answer, type Fault, invalidForm, refuse } from "./errors.ts";
import type { Options } from "./options.ts";
import { pollFaults, type WirePoll } from "./poll.ts";
import type { Message, Upload } from "./world.ts";

/** Bits of a message's `flags`. */
export const FLAGS = {
  suppressEmbeds: 1 << 2,
  ephemeral: 1 << 6,
  loading: 1 << 7,
  suppressNotifications: 1 << 12,
  voiceMessage: 1 << 13,
  hasSnapshot: 1 << 14,
  componentsV2: 1 << 15,
} as const;

const MAX_CONTENT = 2000;
const MAX_EMBED_TOTAL = 6000;
const MAX_V2_TEXT = 4000;
const MAX_ROWS = 5;
const MAX_FILES = 10;
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const LINK_STYLE = 5;

/** A component, with the fields that the rules look at. */
export interface Component {
  type: number;
  custom_id?: string | null;
  style?: number;
  label?: string | null;
  emoji?: unknown;
  url?: string | null;
  content?: string;
  disabled?: boolean | null;
  components?: Component[];
  component?: Component;
  accessory?: Component;
  [field: string]: unknown;
}

/** A message body that has passed its schema. Null empties a field; an absent field stays as it is. */
export interface Payload {
  content?: string | null;
  embeds?: Record<string, unknown>[] | null;
  components?: Component[] | null;
  /** `id`: that of an attachment of the message, or the n of a new `files[n]`. */
  attachments?: { id: string; filename?: string | null; description?: string | null }[] | null;
  allowed_mentions?: {
    parse?: string[] | null;
    users?: string[] | null;
    roles?: string[] | null;
    replied_user?: boolean | null;
  } | null;
  flags?: number | null;
  poll?: WirePoll | null;
  sticker_ids?: string[] | null;
  nonce?: string | number | null;
  enforce_nonce?: boolean | null;
  message_reference?: {
    message_id?: string;
    channel_id?: string | null;
    fail_if_not_exists?: boolean | null;
    type?: number | null;
  } | null;
  /** Only for a channel's webhook, like `avatar_url`. */
  username?: string | null;
  avatar_url?: string | null;
}

/** A message that is about to be made or changed. `current` is the existing message, absent for a new one. */
export interface Draft {
  payload: Payload;
  files: readonly Upload[];
  legalFlags: number;
  current?: Message;
  /** The message's path in the body, which the faults' paths begin with. */
  at?: Fault["path"];
}

/** Returns Discord's refusal of this draft, or null if it is legal. */
export function refuseDraft(draft: Draft, options: Options): Answer | null {
  if (draft.files.some(({ bytes }) => bytes.length > MAX_FILE_BYTES)) return refuse("entityTooLarge");
  const faults = [
    ...contentFaults(draft, options),
    ...flagFaults(draft),
    ...componentFaults(draft),
    ...attachmentFaults(draft),
    ...(draft.payload.poll ? pollFaults(draft.payload.poll) : []),
  ];
  if (faults.length > 0)
    return invalidForm(faults.map((one) => ({ ...one, path: [...(draft.at ?? []), ...one.path] })));
  return isEmpty(draft) ? refuse("emptyMessage") : null;
}

function contentFaults({ payload, current }: Draft, options: Options): Fault[] {
  const faults: Fault[] = [];
  const { content, embeds, allowed_mentions: mentions } = payload;
  if ([...(content ?? "")].length > MAX_CONTENT)
    faults.push(fault(["content"], "BASE_TYPE_MAX_LENGTH", `Must be ${MAX_CONTENT} or fewer in length.`));
  if (embedLength(embeds ?? []) > MAX_EMBED_TOTAL)
    faults.push(fault(["embeds"], "MAX_EMBED_SIZE_EXCEEDED", `Embed size exceeds maximum size of ${MAX_EMBED_TOTAL}`));
  const isV2 = ((payload.flags ?? 0) | (current?.flags ?? 0)) & FLAGS.componentsV2;
  for (const field of ["content", "embeds", "poll"] as const)
    if (isV2 && hasAny(payload[field]))
      faults.push(fault([field], "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", "Not with IS_COMPONENTS_V2."));
  const users = mentions?.users ?? [];
  // Parley's message that pings an asker after an answer: it is new, and mentions only them.
  const mayPing = users.length === 1 && !current && content?.startsWith(`<@${users[0]}> `);
  const silent =
    mentions?.parse?.length === 0 &&
    (users.length === 0 || mayPing) &&
    !mentions.roles?.length &&
    !mentions.replied_user;
  for (const kind of ["users", "roles"] as const)
    if (mentions?.parse?.includes(kind) && mentions[kind]?.length)
      faults.push(
        fault(
          ["allowed_mentions"],
          "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
          `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
        ),
      );
  if (options.requireSilentMentions && typeof content === "string" && !silent)
    faults.push(
      fault(["allowed_mentions"], "LOCAL_MENTIONS_NOT_SILENCED", "Parley sends parse: [] with every content."),
    );
  return faults;
}

function flagFaults({ payload, legalFlags, current }: Draft): Fault[] {
  const flags = payload.flags ?? 0;
  const dropsV2 = current && payload.flags != null && current.flags & ~flags & FLAGS.componentsV2;
  if ((flags & ~legalFlags) === 0 && !dropsV2) return [];
  return [fault(["flags"], "MESSAGE_INVALID_FLAGS", "These flags cannot be set, or taken off, here.")];
}

function componentFaults({ payload, current }: Draft): Fault[] {
  const rows = payload.components ?? [];
  const isV2 = ((payload.flags ?? 0) | (current?.flags ?? 0)) & FLAGS.componentsV2;
  const all = everyComponent(rows);
  const faults: Fault[] = [];
  if (!isV2 && rows.length > MAX_ROWS)
    faults.push(fault(["components"], "BASE_TYPE_BAD_LENGTH", `Must be between 1 and ${MAX_ROWS} in length.`));
  rows.forEach(({ type }, n) => {
    if (!isV2 && type !== 1)
      faults.push(fault(["components", n, "type"], "UNION_TYPE_CHOICES", "Only an action row without components v2."));
  });
  const seen = new Set<string>();
  for (const { path, component } of all) {
    const { custom_id: id } = component;
    if (id != null && seen.has(id))
      faults.push(
        fault([...path, "custom_id"], "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"),
      );
    if (id != null) seen.add(id);
    if (component.type === 2) faults.push(...buttonFaults(component, path));
  }
  const text = all.reduce((sum, { component }) => sum + (component.type === 10 ? length(component.content) : 0), 0);
  if (text > MAX_V2_TEXT)
    faults.push(
      fault(["components"], "COMPONENT_MAX_TOTAL_TEXT_SIZE_EXCEEDED", `More than ${MAX_V2_TEXT} characters.`),
    );
  return faults;
}

function buttonFaults(button: Component, path: Fault["path"]): Fault[] {
  const isLink = button.style === LINK_STYLE;
  const faults: Fault[] = [];
  if (isLink !== (button.url != null))
    faults.push(fault([...path, "url"], "BUTTON_COMPONENT_INVALID_URL", "Only a link button may have a url."));
  if (isLink === (button.custom_id != null))
    faults.push(
      fault([...path, "custom_id"], "BUTTON_COMPONENT_CUSTOM_ID", "Every button except a link button needs one."),
    );
  if (!button.label && !button.emoji)
    faults.push(fault([...path, "label"], "BUTTON_COMPONENT_LABEL_REQUIRED", "A button needs a label or an emoji."));
  return faults;
}

function attachmentFaults({ payload, files, current }: Draft): Fault[] {
  const known = new Set([...(current?.attachments ?? []).map(({ id }) => id), ...files.map(({ index }) => `${index}`)]);
  const listed = payload.attachments ?? [];
  const kept = payload.attachments == null ? (current?.attachments.length ?? 0) : 0;
  const faults = listed.flatMap(({ id }, n) =>
    known.has(id)
      ? []
      : [
          fault(
            ["attachments", n, "id"],
            "ATTACHMENT_NOT_FOUND",
            "Is neither one of files[n] nor an attachment of the message.",
          ),
        ],
  );
  const unlisted = files.filter(({ index }) => !listed.some(({ id }) => id === `${index}`)).length;
  if (kept + listed.length + unlisted > MAX_FILES)
    faults.push(fault(["attachments"], "BASE_TYPE_MAX_LENGTH", `Must be ${MAX_FILES} or fewer in length.`));
  return faults;
}

function isEmpty({ payload, files, current }: Draft): boolean {
  const after = <K extends "content" | "embeds" | "components" | "attachments" | "poll">(field: K): unknown =>
    payload[field] === undefined ? current?.[field] : payload[field];
  const content = after("content");
  if (typeof content === "string" && content.trim() !== "") return false;
  if (files.length > 0 || payload.sticker_ids?.length) return false;
  const flags = (payload.flags ?? 0) | (current?.flags ?? 0);
  const alone = flags & FLAGS.componentsV2 ? (["components"] as const) : (["embeds", "attachments", "poll"] as const);
  return !alone.some((field) => hasAny(after(field)));
}

const hasAny = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value != null && value !== "");
const length = (text: unknown): number => (typeof text === "string" ? [...text].length : 0);
const fault = (path: Fault["path"], code: string, message: string): Fault => ({ path, code, message });

/** Adds up the length of all embeds, over the fields that Discord counts. */
function embedLength(embeds: readonly Record<string, unknown>[]): number {
  return embeds.reduce((sum, embed) => {
    const { title, description, fields, footer, author } = embed as Record<
      string,
      Record<string, unknown>[] & Record<string, unknown>
    >;
    const inFields = (fields ?? []).reduce((of, { name, value }) => of + length(name) + length(value), 0);
    return sum + length(title) + length(description) + inFields + length(footer?.text) + length(author?.name);
  }, 0);
}

/** Lists every component of a tree with its path, outermost first. */
export function everyComponent(
  components: readonly Component[],
  path: Fault["path"] = ["components"],
): { path: Fault["path"]; component: Component }[] {
  return components.flatMap((component, n) => {
    const here = [...path, n];
    const single = (["component", "accessory"] as const).flatMap((key) => {
      const inner = component[key];
      return inner ? [{ path: [...here, key], component: inner }] : [];
    });
    return [
      { path: here, component },
      ...single,
      ...everyComponent(component.components ?? [], [...here, "components"]),
    ];
  });
}
