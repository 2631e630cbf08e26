// Converts Discord's interaction JSON to our form. Only this file knows the shape of an interaction. It reports what it does not know and
// never guesses.
import { array, looseObject, nullish, number, optional, type output, string, unknown } from "zod/mini";
import { MESSAGE_FILE_BYTES } from "../../core/limits.ts";
import { once } from "../../core/once.ts";
import { withEveryonesRole } from "../../core/state/access-lists.ts";
import { type InstallContext, isBotMember } from "../../core/state/install-context.ts";
import type { CommandCall, MessageCommand } from "../commands/commands.ts";
import { type ButtonClick, readCustomId } from "../components.ts";
import { nameOf, personJson, snowflake } from "../person-json.ts";
import type { AskedMessage } from "./asked-message.ts";
import { commandData, readCommand, readMessageCommand, readTyping, type Typing } from "./invocation.ts";
import { type ModalCall, modalData, readModal } from "./modals.ts";
import {
  isManager,
  isModerator,
  mayAnswerInThreads,
  mayMakeWebhooks,
  mayReadHistory,
  permissionsIn,
  WITHOUT_THREADS,
} from "./permissions.ts";
import { given, readBody } from "./read-body.ts";
import { resolvedNames } from "./resolved-names.ts";

/** Who did something, and where. The same for every kind of interaction except PING. */
export interface Actor {
  interactionId: string;
  applicationId: string;
  token: string;
  channelId: string;
  /** The channel that a thread belongs to; null outside threads. */
  parentChannelId: string | null;
  guildId: string | null;
  installContext: InstallContext;
  /**
   * The person whose own object has the conversation, because they brought the bot along into a server that has not added it, or into a
   * conversation between people. A click goes where its button says. Null: the channel's object has the conversation.
   */
  broughtBy: string | null;
  userId: string;
  userName: string;
  /** The names of the people, roles and channels that a command's words mention, by `@id`, `&id` and `#id`. */
  names: ReturnType<typeof resolvedNames>;
  /** Ids of the person's roles, including the one that everyone has; none outside a server. */
  roles: readonly string[];
  /**
   * Manage Messages, Manage Server or Administrator, as computed by Discord for this channel. True in the bot's own direct messages,
   * false in conversations between people, which have no moderators.
   */
  moderator: boolean;
  /** Manage Server or Administrator; outside a server the same as `moderator`. */
  manager: boolean;
  /** Those permissions that tools ask for and the person has here; outside a server, all except the one for threads. */
  permissions: readonly string[];
  /** Who may read what was said here, by Discord's computed permissions: the person, and the bot if it is a member. Outside a server: both. */
  readsHistory: { person: boolean; bot: boolean };
  /** Whether the bot may create webhooks here, by Discord's computed permissions. Personas then speak by their own webhook. */
  lendsVoices: boolean;
  /** Whether the bot may open threads here and write in them, as far as the interaction says. */
  opensThreads: boolean;
  /** Whether Discord lets only adults into this channel. Always false in threads, which have no such flag (Discord). */
  ageRestricted: boolean;
  locale: string;
  /** Discord's size limit for one file here, in bytes. */
  fileLimit: number;
}

/** An interaction as the rest of the program sees it. */
export type Interaction =
  | { kind: "ping" }
  | { kind: "command"; actor: Actor; call: CommandCall }
  | { kind: "typing"; actor: Actor; typing: Typing }
  | { kind: "message_command"; actor: Actor; name: MessageCommand; message: AskedMessage }
  | { kind: "modal"; actor: Actor; call: ModalCall }
  /** `messageId`: the message with the button. */
  | { kind: "click"; actor: Actor; click: ButtonClick; messageId: string }
  | { kind: "unknown"; what: "command"; name: string }
  | { kind: "unknown"; what: "component" | "modal" | "typing" };

/** The interaction, or the reason why the body is not one, for the log and the 400. */
export type ParsedInteraction = { ok: true; interaction: Interaction } | { ok: false; reason: string };

/** Ids become parts of addresses and mentions, so each one is checked. */
const envelope = once(() =>
  looseObject({
    id: snowflake(),
    application_id: snowflake(),
    token: string(),
    type: number(),
    data: optional(looseObject({})),
    channel: optional(
      looseObject({
        id: snowflake(),
        type: optional(number()),
        parent_id: nullish(snowflake()),
        nsfw: optional(unknown()),
      }),
    ),
    channel_id: optional(snowflake()),
    guild_id: optional(snowflake()),
    app_permissions: optional(string()),
    context: optional(number()),
    member: optional(
      looseObject({
        user: personJson(),
        nick: nullish(string()),
        permissions: optional(string()),
        roles: optional(array(snowflake())),
      }),
    ),
    user: optional(personJson()),
    message: optional(looseObject({ id: snowflake() })),
    locale: optional(string()),
    authorizing_integration_owners: optional(looseObject({})),
    attachment_size_limit: optional(number()),
  }),
);
type Envelope = output<ReturnType<typeof envelope>>;
const componentData = once(() => looseObject({ custom_id: string() }));

const PING = 1;
const COMMAND = 2;
const COMPONENT = 3;
const AUTOCOMPLETE = 4;
const MODAL_SUBMIT = 5;
/** Announcement threads, public threads and private threads. */
const THREADS = [10, 11, 12];
const BOT_DM = 1;
/** A direct message between several people. The bot is never one of them. */
const GROUP_DM = 3;
/** Keys of `authorizing_integration_owners` (docs: "Authorizing Integration Owners Object"). */
const INSTALLED_BY_SERVER = "0";
const INSTALLED_BY_PERSON = "1";

/** Parses a verified body; if that fails, tries again without its nulls. Never throws. The reason for a refusal names the field, never its value. */
export function parseInteraction(body: Uint8Array): ParsedInteraction {
  const parsed = readInteraction(readBody(body));
  return parsed.ok ? parsed : readInteraction(readBody(body, given));
}

/** Reads an interaction from JSON that is already parsed. Never throws. */
export function readInteraction(json: unknown): ParsedInteraction {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return { ok: false, reason: "the body is not a JSON object" };
  if ("type" in json && json.type === PING) return { ok: true, interaction: { kind: "ping" } };
  const parsed = envelope().safeParse(json);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join(".")).join(", ");
    return { ok: false, reason: `not an interaction: ${fields}` };
  }
  const actor = readActor(parsed.data);
  if (!actor) return { ok: false, reason: "not an interaction: channel or user is missing" };
  return parseKind(parsed.data, actor);
}

function parseKind(raw: Envelope, actor: Actor): ParsedInteraction {
  const is = (interaction: Interaction): ParsedInteraction => ({ ok: true, interaction });
  const isNot = (field: string): ParsedInteraction => ({ ok: false, reason: `not an interaction: ${field}` });
  switch (raw.type) {
    case COMMAND: {
      const { data } = commandData().safeParse(raw.data);
      if (!data) return isNot("data");
      const call = readCommand(data);
      if (call) return is({ kind: "command", actor, call });
      const asked = readMessageCommand(data);
      return is(
        asked ? { kind: "message_command", actor, ...asked } : { kind: "unknown", what: "command", name: data.name },
      );
    }
    case COMPONENT: {
      const { data } = componentData().safeParse(raw.data);
      if (!data) return isNot("data.custom_id");
      const click = readCustomId(data.custom_id);
      return is(
        click
          ? { kind: "click", actor: { ...actor, broughtBy: click.broughtBy }, click, messageId: raw.message?.id ?? "" }
          : { kind: "unknown", what: "component" },
      );
    }
    case AUTOCOMPLETE: {
      const { data } = commandData().safeParse(raw.data);
      const typing = data ? readTyping(data) : null;
      return is(typing ? { kind: "typing", actor, typing } : { kind: "unknown", what: "typing" });
    }
    case MODAL_SUBMIT: {
      const { data } = modalData().safeParse(raw.data);
      if (!data) return isNot("data.custom_id");
      const call = readModal(data);
      return is(call ? { kind: "modal", actor, call } : { kind: "unknown", what: "modal" });
    }
    default:
      return isNot("unknown type");
  }
}

function readActor(raw: Envelope): Actor | null {
  // Discord recommends `channel.id`; in a thread it is the thread's id.
  const channelId = raw.channel?.id ?? raw.channel_id;
  const person = raw.member?.user ?? raw.user;
  if (!channelId || !person) return null;
  const { member } = raw;
  const isThread = THREADS.includes(raw.channel?.type ?? -1);
  const guildId = raw.guild_id ?? null;
  const installContext = readInstallContext(raw);
  const isAlone = installContext.kind === "own_dm";
  return {
    interactionId: raw.id,
    applicationId: raw.application_id,
    token: raw.token,
    channelId,
    parentChannelId: isThread ? (raw.channel?.parent_id ?? null) : null,
    guildId,
    installContext,
    broughtBy: isBotMember(installContext) ? null : readBroughtBy(raw),
    userId: person.id,
    names: resolvedNames(raw.data?.resolved),
    userName: member?.nick ?? nameOf(person),
    roles: member ? withEveryonesRole(member.roles ?? [], guildId) : [],
    moderator: member ? isModerator(member.permissions) : isAlone,
    manager: member ? isManager(member.permissions) : isAlone,
    permissions: member ? permissionsIn(member.permissions, isThread) : WITHOUT_THREADS,
    readsHistory: {
      person: !member || mayReadHistory(member.permissions),
      bot: !member || mayReadHistory(raw.app_permissions),
    },
    lendsVoices: guildId !== null && mayMakeWebhooks(raw.app_permissions),
    opensThreads: mayAnswerInThreads(raw.app_permissions),
    ageRestricted: raw.channel?.nsfw === true,
    locale: raw.locale ?? "en-US",
    fileLimit: raw.attachment_size_limit ?? MESSAGE_FILE_BYTES,
  };
}

function readInstallContext({
  guild_id,
  context,
  channel,
  authorizing_integration_owners: owners,
}: Envelope): InstallContext {
  // Discord added installations for single people in 2024. If the owners are missing, a server installed us.
  const isMember = owners === undefined || Object.hasOwn(owners, INSTALLED_BY_SERVER);
  if (guild_id !== undefined) return { kind: "server", isMember };
  // Any kind of place that Discord may add later counts as a conversation with other people in it.
  return { kind: (context ?? BOT_DM) === BOT_DM && channel?.type !== GROUP_DM ? "own_dm" : "private_channel" };
}

/** Returns who brought the bot along. Null if Discord names no one: the channel's object then keeps the conversation apart from others. */
const readBroughtBy = ({ authorizing_integration_owners: owners = {} }: Envelope): string | null =>
  snowflake().safeParse(owners[INSTALLED_BY_PERSON]).data ?? null;
