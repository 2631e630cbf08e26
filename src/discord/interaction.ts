// Discord's interaction JSON into ours. The only place that knows its shape; what is not one of ours is said, not guessed.
import { array, literal, looseObject, number, optional, type output, record, string, union, unknown } from "zod";
import type { Attachment } from "../core/attachments.ts";
import { attachmentOf, resolvedAttachments } from "./attachments.ts";
import { type ComponentPress, readCustomId } from "./components.ts";
import { EVERY_PERMISSION, isModerator, permissionsIn } from "./permissions.ts";

/** Who did it and where; the same for every kind of interaction but PING. */
export interface Actor {
  interactionId: string;
  applicationId: string;
  token: string;
  channelId: string;
  /** The channel that a thread belongs to; null elsewhere. */
  parentChannelId: string | null;
  guildId: string | null;
  userId: string;
  userName: string;
  /** Manage Messages, Manage Server or Administrator, as computed by Discord for this channel; in a DM always true. */
  moderator: boolean;
  /** Those of Discord's permissions that tools ask for and the person has here; in a DM all of them. */
  permissions: readonly string[];
  locale: string;
}

/** An interaction as the rest of the program sees it. */
export type Interaction =
  | { kind: "ping" }
  /** `fileLimit`: bytes that Discord allows per file here. */
  | { kind: "chat"; actor: Actor; message: string; attachments: Attachment[]; fileLimit: number }
  | { kind: "press"; actor: Actor; press: ComponentPress }
  | { kind: "stop"; actor: Actor; how: "stop" | "kill" }
  | { kind: "status"; actor: Actor }
  | { kind: "reset"; actor: Actor }
  | { kind: "unknown"; what: "command"; name: string }
  | { kind: "unknown"; what: "component" | "modal" | "autocomplete" };

/** Why a body is no interaction; for the log and the 400. */
export type ParsedInteraction = { ok: true; interaction: Interaction } | { ok: false; reason: string };

const user = looseObject({
  id: string(),
  username: optional(string()),
  global_name: optional(union([string(), literal(null)])),
});
const envelope = looseObject({
  id: string(),
  application_id: string(),
  token: string(),
  type: number(),
  data: optional(record(string(), unknown())),
  channel: optional(
    looseObject({ id: string(), type: optional(number()), parent_id: optional(union([string(), literal(null)])) }),
  ),
  channel_id: optional(string()),
  guild_id: optional(string()),
  member: optional(
    looseObject({ user, nick: optional(union([string(), literal(null)])), permissions: optional(string()) }),
  ),
  user: optional(user),
  locale: optional(string()),
  attachment_size_limit: optional(number()),
});
const commandData = looseObject({
  name: string(),
  type: optional(number()),
  options: optional(array(looseObject({ name: string(), value: optional(unknown()) }))),
  resolved: optional(looseObject({ attachments: optional(resolvedAttachments) })),
});
const componentData = looseObject({ custom_id: string() });

const PING = 1;
const COMMAND = 2;
const COMPONENT = 3;
const AUTOCOMPLETE = 4;
const MODAL_SUBMIT = 5;
const CHAT_INPUT = 1;
/** Discord's limit per file where an interaction names none. */
const DEFAULT_FILE_BYTES = 10 * 1_048_576;
/** Announcement, public and private threads. */
const THREADS = [10, 11, 12];

/** Reads a verified body. The reason of a refusal names the field, never its content. */
export function parseInteraction(body: Uint8Array): ParsedInteraction {
  const json = parseJson(body);
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return { ok: false, reason: "the body is not a JSON object" };
  if ("type" in json && json.type === PING) return { ok: true, interaction: { kind: "ping" } };
  const parsed = envelope.safeParse(json);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join(".")).join(", ");
    return { ok: false, reason: `not an interaction: ${fields}` };
  }
  const actor = actorOf(parsed.data);
  if (!actor) return { ok: false, reason: "not an interaction: channel or user is missing" };
  return interactionOf(parsed.data, actor);
}

function interactionOf(raw: output<typeof envelope>, actor: Actor): ParsedInteraction {
  switch (raw.type) {
    case COMMAND: {
      const data = commandData.safeParse(raw.data);
      if (!data.success) return { ok: false, reason: "not an interaction: data" };
      return { ok: true, interaction: commandOf(data.data, actor, raw.attachment_size_limit) };
    }
    case COMPONENT: {
      const data = componentData.safeParse(raw.data);
      if (!data.success) return { ok: false, reason: "not an interaction: data.custom_id" };
      const press = readCustomId(data.data.custom_id);
      return {
        ok: true,
        interaction: press ? { kind: "press", actor, press } : { kind: "unknown", what: "component" },
      };
    }
    case AUTOCOMPLETE:
      return { ok: true, interaction: { kind: "unknown", what: "autocomplete" } };
    case MODAL_SUBMIT:
      return { ok: true, interaction: { kind: "unknown", what: "modal" } };
    default:
      return { ok: false, reason: "not an interaction: unknown type" };
  }
}

function commandOf(
  data: output<typeof commandData>,
  actor: Actor,
  fileLimit: number = DEFAULT_FILE_BYTES,
): Interaction {
  const unknownCommand = { kind: "unknown", what: "command", name: data.name } as const;
  if ((data.type ?? CHAT_INPUT) !== CHAT_INPUT) return unknownCommand;
  switch (data.name) {
    case "chat": {
      const option = (name: string) => data.options?.find((one) => one.name === name)?.value;
      const message = option("message");
      const file = data.resolved?.attachments?.[String(option("file"))];
      const attachments = file ? [attachmentOf(file)] : [];
      return { kind: "chat", actor, message: typeof message === "string" ? message : "", attachments, fileLimit };
    }
    case "stop":
      return { kind: "stop", actor, how: "stop" };
    case "bot":
      return botCommand(data.options?.[0]?.name, actor) ?? unknownCommand;
    default:
      return unknownCommand;
  }
}

function botCommand(subcommand: string | undefined, actor: Actor): Interaction | null {
  switch (subcommand) {
    case "kill":
      return { kind: "stop", actor, how: "kill" };
    case "status":
      return { kind: "status", actor };
    case "reset":
      return { kind: "reset", actor };
    default:
      return null;
  }
}

function actorOf(raw: output<typeof envelope>): Actor | null {
  // Discord asks to prefer `channel.id`; in a thread it is the thread's.
  const channelId = raw.channel?.id ?? raw.channel_id;
  const person = raw.member?.user ?? raw.user;
  if (!channelId || !person) return null;
  return {
    interactionId: raw.id,
    applicationId: raw.application_id,
    token: raw.token,
    channelId,
    parentChannelId: THREADS.includes(raw.channel?.type ?? -1) ? (raw.channel?.parent_id ?? null) : null,
    guildId: raw.guild_id ?? null,
    userId: person.id,
    userName: raw.member?.nick ?? person.global_name ?? person.username ?? person.id,
    moderator: raw.member ? isModerator(raw.member.permissions) : true,
    permissions: raw.member ? permissionsIn(raw.member.permissions) : EVERY_PERMISSION,
    locale: raw.locale ?? "en-US",
  };
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
