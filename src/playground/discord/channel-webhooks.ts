// Webhooks of a channel: made and listed with the bot's token, used with their own (docs: resources/webhook). A webhook's message shows the
// name and picture that were sent with it. Interaction tokens share the same paths; they are in webhook-routes.ts.
import { EDIT_FLAGS } from "./callbacks.ts";
import { refuseChannel } from "./channel-routes.ts";
import { type Answer, invalidForm, refuse } from "./errors.ts";
import { MESSAGE_TYPES } from "./message-types.ts";
import { createMessage, deleteMessage, editMessage } from "./messages.ts";
import { type Call, type Route, route } from "./routes.ts";
import { FLAGS, refuseDraft } from "./rules.ts";
import { messageJson, userJson } from "./wire.ts";
import type { ChannelWebhook, Message, World } from "./world.ts";

const INCOMING = 1;
const TEXT_CHANNEL = 0;
const EXECUTE_FLAGS = FLAGS.suppressEmbeds | FLAGS.suppressNotifications | FLAGS.componentsV2;
const MAX_WEBHOOKS = 15;
const MAX_NAME = 80;
/** Words that a webhook's name must not contain. */
const FORBIDDEN = /clyde|discord/i;

/** The routes that make and list webhooks. */
export const channelWebhookRoutes: Route[] = [
  route("GET", "/channels/{channel}/webhooks", { auth: "bot" }, (world, { params }) => {
    const refusal = refuseWebhookChannel(world, params.channel);
    if (refusal) return refusal;
    return { status: 200, body: webhooksOf(world, params.channel).map((webhook) => webhookJson(world, webhook)) };
  }),
  route("POST", "/channels/{channel}/webhooks", { auth: "bot" }, create),
  route("DELETE", "/webhooks/{webhook}", { auth: "bot" }, (world, { params }) => {
    if (!world.options.botManagesWebhooks) return refuse("missingPermissions");
    return world.webhooks.delete(params.webhook ?? "") ? { status: 204 } : refuse("unknownWebhook");
  }),
];

/** Finds the channel's webhook that a path names. Null: the path belongs to an interaction. */
export function findChannelWebhook(world: World, { params }: Call): ChannelWebhook | null {
  return world.webhooks.get(params.app ?? "") ?? null;
}

/** Posts a message with a webhook. */
export function execute(world: World, webhook: ChannelWebhook, call: Call): Answer {
  const channelId = findThread(world, webhook, call);
  if (typeof channelId !== "string") return channelId;
  const { payload = {}, files, query } = call;
  const name = payload.username ?? webhook.name;
  const fault = nameFault(name, "username");
  if (fault) return fault;
  const refusal = refuseDraft({ payload, files, legalFlags: EXECUTE_FLAGS }, world.options);
  if (refusal) return refusal;
  const about = {
    channelId,
    authorId: webhook.id,
    type: MESSAGE_TYPES.plain,
    webhook: { id: webhook.id, name, avatarUrl: payload.avatar_url ?? null },
  };
  const message = createMessage(world, about, payload, files);
  return query.get("wait") === "true" ? { status: 200, body: messageJson(world, message) } : { status: 204 };
}

/** Reads, edits or deletes a message of this webhook. */
export function onWebhookMessage(
  world: World,
  webhook: ChannelWebhook,
  call: Call,
  act: (message: Message) => Answer,
): Answer {
  const channelId = findThread(world, webhook, call);
  if (typeof channelId !== "string") return channelId;
  const message = world.messages.get(call.params.message ?? "");
  return message?.webhook?.id === webhook.id && message.channelId === channelId
    ? act(message)
    : refuse("unknownMessage");
}

/** Edits a message of a webhook, which keeps its name. */
export function editByWebhook(world: World, message: Message, { payload = {}, files }: Call): Answer {
  const refusal = refuseDraft({ payload, files, legalFlags: EDIT_FLAGS, current: message }, world.options);
  return refusal ?? { status: 200, body: messageJson(world, editMessage(world, message, payload, files)) };
}

/** Deletes a message of a webhook. */
export function deleteByWebhook(world: World, message: Message): Answer {
  deleteMessage(world, message.id);
  return { status: 204 };
}

function create(world: World, { params, payload }: Call): Answer {
  const refusal = refuseWebhookChannel(world, params.channel);
  if (refusal) return refusal;
  const { name } = (payload ?? {}) as { name?: unknown };
  const fault = nameFault(typeof name === "string" ? name : "", "name");
  if (fault) return fault;
  if (webhooksOf(world, params.channel).length >= MAX_WEBHOOKS) return refuse("tooManyWebhooks");
  const id = world.snowflake();
  const webhook = { id, token: `webhook.${id}`, channelId: params.channel ?? "", name: String(name) };
  world.webhooks.set(id, webhook);
  world.changed();
  return { status: 200, body: webhookJson(world, webhook) };
}

const webhooksOf = (world: World, channel: string | undefined): ChannelWebhook[] =>
  [...world.webhooks.values()].filter(({ channelId }) => channelId === channel);

function nameFault(name: string, field: string): Answer | null {
  if (name.trim() === "" || name.length > MAX_NAME)
    return invalidForm([
      { path: [field], code: "BASE_TYPE_BAD_LENGTH", message: `Must be between 1 and ${MAX_NAME} in length.` },
    ]);
  if (FORBIDDEN.test(name))
    return invalidForm([{ path: [field], code: "USERNAME_INVALID_CONTAINS", message: `Cannot contain "${name}"` }]);
  return null;
}

/** Returns the refusal for a channel that can't have webhooks; null if it can. A thread can't: its parent's webhooks post in it. */
function refuseWebhookChannel(world: World, channelId = ""): Answer | null {
  if (!world.options.botIsMember) return refuse("missingAccess");
  if (!world.options.botManagesWebhooks) return refuse("missingPermissions");
  const unreachable = refuseChannel(world, channelId);
  if (unreachable) return unreachable;
  return world.channels.get(channelId)?.type === TEXT_CHANNEL ? null : refuse("notInThisChannel");
}

/** Returns the id of the message's channel: the webhook's own, or the thread in it that the query names. */
function findThread(world: World, webhook: ChannelWebhook, { params, query }: Call): string | Answer {
  if (params.token !== webhook.token) return refuse("invalidToken");
  if (!world.channels.has(webhook.channelId)) return refuse("unknownWebhook");
  const thread = query.get("thread_id");
  if (thread === null) return webhook.channelId;
  return world.channels.get(thread)?.parentId === webhook.channelId ? thread : refuse("unknownChannel");
}

function webhookJson(world: World, { id, token, channelId, name }: ChannelWebhook): Record<string, unknown> {
  return {
    id,
    type: INCOMING,
    guild_id: world.channels.get(channelId)?.serverId,
    channel_id: channelId,
    name,
    avatar: null,
    token,
    application_id: world.applicationId,
    user: userJson(world, world.applicationId),
    url: `https://discord.com/api/webhooks/${id}/${token}`,
  };
}
