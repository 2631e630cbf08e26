// The routes for the messages of a channel and the registration of commands. They need the bot's token. The bot may change only its own
// public messages.
import { readsContent } from "./bot-reading.ts";
import { EDIT_FLAGS } from "./callbacks.ts";
import { commandFaults, ENTRY_POINT } from "./command-rules.ts";
import { type Answer, invalidForm, refuse } from "./errors.ts";
import { ANSWERABLE, MESSAGE_TYPES } from "./message-types.ts";
import { createMessage, deleteMessage, editMessage } from "./messages.ts";
import { canSee } from "./permissions.ts";
import { type Call, type Route, route } from "./routes.ts";
import { FLAGS, type Payload, refuseDraft } from "./rules.ts";
import { messageJson } from "./wire.ts";
import type { Message, World } from "./world.ts";

const CREATE_FLAGS = FLAGS.suppressEmbeds | FLAGS.suppressNotifications | FLAGS.voiceMessage | FLAGS.componentsV2;
/** A cautious reading of "the past few minutes" in the docs (resources/message, `enforce_nonce`). */
const NONCE_MEMORY_MS = 2 * 60_000;
const DEFAULT_PAGE = 50;
const MAX_PAGE = 100;

/** Every route of this file. */
export const botRoutes: Route[] = [
  route("POST", "/channels/{channel}/messages", { auth: "bot", body: "channelMessage" }, post),
  route("GET", "/channels/{channel}/messages", { auth: "bot" }, list),
  route("GET", "/channels/{channel}/messages/{message}", { auth: "bot" }, (world, call) =>
    withMessage(world, call, (message) => ({ status: 200, body: asTheBotReads(world, message) })),
  ),
  route("PATCH", "/channels/{channel}/messages/{message}", { auth: "bot", body: "channelEdit" }, edit),
  route("DELETE", "/channels/{channel}/messages/{message}", { auth: "bot" }, (world, call) =>
    withMessage(world, call, (message) => {
      if (message.authorId !== world.applicationId) return refuse("missingPermissions");
      deleteMessage(world, message.id);
      return { status: 204 };
    }),
  ),
  route("PUT", "/applications/{app}/commands", { auth: "bot", body: "commands" }, putCommands),
  route("PUT", "/applications/{app}/guilds/{guild}/commands", { auth: "bot", body: "commands" }, putCommands),
];

function post(world: World, { params, payload = {}, files }: Call): Answer {
  const unreachable = refuseChannel(world, params.channel);
  if (unreachable) return unreachable;
  const repeated = payload.enforce_nonce ? findRepeated(world, payload.nonce) : null;
  if (repeated) return repeated;
  const refusal = refuseDraft({ payload, files, legalFlags: CREATE_FLAGS }, world.options);
  if (refusal) return refusal;
  if (world.channels.get(params.channel ?? "")?.type === 1 && !world.options.directMessagesOpen)
    return refuse("recipientRefuses");
  if (!world.options.botSends) return refuse("missingPermissions");
  const reply = readReply(world, params.channel, payload);
  if ("status" in reply) return reply;
  const about = {
    channelId: params.channel ?? "",
    authorId: world.applicationId,
    type: reply.to ? MESSAGE_TYPES.reply : MESSAGE_TYPES.plain,
  };
  const { message_reference: _, ...plain } = payload;
  const created = createMessage(world, about, reply.to ? payload : plain, files);
  noteNonce(world, created);
  return { status: 200, body: asTheBotReads(world, created) };
}

/** Finds the message that a new one replies to. Null: it is not a reply, or the message is gone and `fail_if_not_exists` is false. */
function readReply(world: World, channelId: string | undefined, payload: Payload): { to: Message | null } | Answer {
  const { message_reference: reference } = payload;
  if (!reference?.message_id) return { to: null };
  const fault = (code: string, message: string) => invalidForm([{ path: ["message_reference"], code, message }]);
  if (reference.type) return fault("LOCAL_NO_FORWARDS", "Parley does not forward messages.");
  if (reference.channel_id != null && reference.channel_id !== channelId)
    return fault(
      "MESSAGE_REFERENCE_CHANNEL_MISMATCH",
      "A reply must be in the channel of the message that it answers.",
    );
  if (!world.options.botReadsHistory) return refuse("cannotReadHistory");
  const to = world.messages.get(reference.message_id);
  if (!to || to.channelId !== channelId || !isPublic(to))
    return (reference.fail_if_not_exists ?? true) ? fault("REPLIES_UNKNOWN_MESSAGE", "Unknown message") : { to: null };
  return ANSWERABLE.has(to.type)
    ? { to }
    : fault("REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE", "Cannot reply to a system message");
}

/**
 * Answers a message whose nonce was used a moment ago, in any channel: with that message, or that it no longer exists. A deleted message is
 * not created again (discord/discord-api-docs#6647).
 */
function findRepeated(world: World, nonce: Payload["nonce"]): Answer | null {
  const used = world.nonces.get(String(nonce));
  if (!used || world.now() - used.at > NONCE_MEMORY_MS) return null;
  const message = world.messages.get(used.messageId);
  return message ? { status: 200, body: asTheBotReads(world, message) } : refuse("unknownMessage");
}

function noteNonce({ nonces, now }: World, { id, nonce, createdAt }: Message): void {
  for (const [old, { at }] of nonces) if (now() - at > NONCE_MEMORY_MS) nonces.delete(old);
  if (nonce !== null) nonces.set(String(nonce), { messageId: id, at: createdAt });
}

function list(world: World, { params, query }: Call): Answer {
  const unreachable = refuseChannel(world, params.channel);
  if (unreachable) return unreachable;
  const limit = Number(query.get("limit") ?? DEFAULT_PAGE);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE)
    return invalidForm([
      { path: ["limit"], code: "NUMBER_TYPE_MAX", message: `int value should be from 1 to ${MAX_PAGE}.` },
    ]);
  const after = query.get("after");
  const before = query.get("before");
  for (const [name, id] of Object.entries({ after, before }))
    if (id !== null && !/^\d{1,20}$/.test(id))
      return invalidForm([{ path: [name], code: "NUMBER_TYPE_COERCE", message: `Value "${id}" is not snowflake.` }]);
  const here = [...threadStarter(world, params.channel), ...world.messages.values()].filter(
    (message) =>
      world.options.botReadsHistory &&
      message.channelId === params.channel &&
      isPublic(message) &&
      (after === null || BigInt(message.id) > BigInt(after)) &&
      (before === null || BigInt(message.id) < BigInt(before)),
  );
  const page = after === null ? here.slice(-limit) : here.slice(0, limit);
  return { status: 200, body: page.reverse().map((message) => asTheBotReads(world, message)) };
}

/** Discord's own first line in a message's thread. It has no content, but refers to the message and includes it. */
function threadStarter(world: World, threadId = ""): Message[] {
  const of = world.messages.get(threadId);
  const bare = { content: "", embeds: [], components: [], attachments: [], poll: null, forwarded: null };
  return of ? [{ ...of, ...bare, channelId: threadId, type: MESSAGE_TYPES.threadStarter, repliesTo: threadId }] : [];
}

function edit(world: World, call: Call): Answer {
  return withMessage(world, call, (message) => {
    if (message.authorId !== world.applicationId) return refuse("notTheAuthor");
    const { payload = {}, files } = call;
    const refusal = refuseDraft({ payload, files, legalFlags: EDIT_FLAGS, current: message }, world.options);
    return refusal ?? { status: 200, body: asTheBotReads(world, editMessage(world, message, payload, files)) };
  });
}

function putCommands(world: World, { params, payload }: Call): Answer {
  const isKnown = params.guild === undefined || world.servers.has(params.guild);
  if (params.app !== world.applicationId || !isKnown) return refuse("missingAccess");
  const commands = payload as unknown as Record<string, unknown>[];
  const faults = commandFaults(commands);
  if (faults.length > 0) return invalidForm(faults);
  const isOpening = ({ type }: Record<string, unknown>) => type === ENTRY_POINT;
  const before = world.commands.get(params.guild ?? "global") ?? [];
  if (before.some(isOpening) && !commands.some(isOpening)) return refuse("entryPointMissing");
  const registered = commands.map((command) => ({
    type: 1,
    ...command,
    id: world.snowflake(),
    application_id: world.applicationId,
    version: world.snowflake(),
    ...(params.guild !== undefined && { guild_id: params.guild }),
  }));
  world.commands.set(params.guild ?? "global", registered);
  world.changed();
  return { status: 200, body: registered };
}

/** Returns the refusal for a channel that the bot can't reach; null if it can. */
export function refuseChannel(world: World, channelId = ""): Answer | null {
  if (!world.options.botIsMember) return refuse("missingAccess");
  const channel = world.channels.get(channelId);
  if (!channel) return refuse("unknownChannel");
  return channel.type === 1 || canSee(world, channel, world.applicationId) ? null : refuse("missingAccess");
}

/** The bot's token does not see ephemeral messages or the client's own lines. */
const isPublic = (message: Message): boolean => message.addressee === null && message.failed === null;

/** Runs `act` on a message of the channel that everyone sees. */
export function withMessage(world: World, { params }: Call, act: (message: Message) => Answer): Answer {
  const unreachable = refuseChannel(world, params.channel);
  if (unreachable) return unreachable;
  const message = world.messages.get(params.message ?? "");
  return message && message.channelId === params.channel && isPublic(message) ? act(message) : refuse("unknownMessage");
}

const asTheBotReads = (world: World, message: Message): Record<string, unknown> =>
  messageJson(world, message, (one) => world.options.messageContentIntent || readsContent(world, one));
