// The routes for an interaction's token: the callback, the first reply, follow-ups (docs: interactions/receiving-and-responding, "Endpoints").
// They need no authorization except the token in the path.
import { applyCallback } from "./callbacks.ts";
import { deleteByWebhook, editByWebhook, execute, findChannelWebhook, onWebhookMessage } from "./channel-webhooks.ts";
import { type Answer, refuse } from "./errors.ts";
import { MESSAGE_TYPES } from "./message-types.ts";
import { createMessage, editMessage, findAddressee } from "./messages.ts";
import { type Call, type Route, route } from "./routes.ts";
import { FLAGS, refuseDraft } from "./rules.ts";
import { isAnswer, isTooLate, isUserInstallOnly, liveInteraction, MAX_USER_INSTALL_FOLLOWUPS } from "./tokens.ts";
import { messageJson } from "./wire.ts";
import type { Interaction, Message, World } from "./world.ts";

const FOLLOWUP_FLAGS = FLAGS.suppressEmbeds | FLAGS.ephemeral | FLAGS.suppressNotifications | FLAGS.componentsV2;

/** Every token route. */
export const webhookRoutes: Route[] = [
  route("POST", "/interactions/{id}/{token}/callback", { auth: "none" }, callback),
  route("POST", "/webhooks/{app}/{token}", { auth: "none", body: "followup" }, followUp),
  route("GET", "/webhooks/{app}/{token}/messages/{message}", { auth: "none" }, (world, call) =>
    withMessage(world, call, (message) => ({ status: 200, body: messageJson(world, message) })),
  ),
  route("PATCH", "/webhooks/{app}/{token}/messages/{message}", { auth: "none", body: "webhookEdit" }, edit),
  route("DELETE", "/webhooks/{app}/{token}/messages/{message}", { auth: "none" }, (world, call) =>
    withMessage(world, call, (message) => deleteByWebhook(world, message)),
  ),
];

function callback(world: World, { params, payload, files, query }: Call): Answer {
  const interaction = world.interactions.get(params.id ?? "");
  if (!interaction || interaction.token !== params.token) return refuse("unknownInteraction");
  if (interaction.acknowledged) return refuse("alreadyAcknowledged");
  if (isTooLate(world, interaction)) return refuse("unknownInteraction");
  const refusal = applyCallback(world, interaction, payload, { files, inline: false });
  if (refusal) return refusal;
  if (query.get("with_response") !== "true") return { status: 204 };
  return { status: 200, body: callbackJson(world, interaction) };
}

/** Builds the result of `with_response`: the reply, and whether it is ephemeral, which Discord may have forced. */
function callbackJson(world: World, interaction: Interaction): Record<string, unknown> {
  const { id, type, channelId, originalId, acknowledged } = interaction;
  const message = originalId === null ? undefined : world.messages.get(originalId);
  const serverId = world.channels.get(channelId)?.serverId;
  return {
    interaction: {
      id,
      type,
      channel_id: channelId,
      ...(serverId && { guild_id: serverId }),
      ...(message && {
        response_message_id: message.id,
        response_message_loading: Boolean(message.flags & FLAGS.loading),
        response_message_ephemeral: message.addressee !== null,
      }),
    },
    resource: { type: acknowledged?.type, ...(message && { message: messageJson(world, message) }) },
  };
}

function followUp(world: World, call: Call): Answer {
  const webhook = findChannelWebhook(world, call);
  if (webhook) return execute(world, webhook, call);
  const { params, payload = {}, files } = call;
  const interaction = liveInteraction(world, params.app ?? "", params.token ?? "");
  if (isAnswer(interaction)) return interaction;
  const original = findOriginal(world, interaction);
  const fills = original && original.flags & FLAGS.loading;
  const draft = { payload, files, legalFlags: FOLLOWUP_FLAGS };
  const refusal = refuseDraft(draft, world.options);
  if (refusal) return refusal;
  // The first follow-up to a deferral becomes the deferred message itself, and can't change who sees it.
  if (fills) return { status: 200, body: messageJson(world, editMessage(world, original, payload, files)) };
  if (isUserInstallOnly(interaction) && interaction.followups >= MAX_USER_INSTALL_FOLLOWUPS)
    return refuse("tooManyFollowups");
  interaction.followups += 1;
  const { personId, channelId, id, forceEphemeral, originalId } = interaction;
  const about = {
    channelId,
    authorId: world.applicationId,
    type: MESSAGE_TYPES.reply,
    addressee: findAddressee(payload.flags ?? 0, forceEphemeral, personId),
    interactionId: id,
  };
  const quoting = originalId === null ? payload : { ...payload, message_reference: { message_id: originalId } };
  const message = createMessage(world, about, quoting, files);
  return { status: 200, body: messageJson(world, message) };
}

function edit(world: World, call: Call): Answer {
  return withMessage(world, call, (message) => editByWebhook(world, message, call));
}

/** Runs `act` on the message that a token route names: `@original`, or one made with the same token. */
function withMessage(world: World, call: Call, act: (message: Message) => Answer): Answer {
  const webhook = findChannelWebhook(world, call);
  if (webhook) return onWebhookMessage(world, webhook, call, act);
  const { params } = call;
  const interaction = liveInteraction(world, params.app ?? "", params.token ?? "");
  if (isAnswer(interaction)) return interaction;
  const message =
    params.message === "@original" ? findOriginal(world, interaction) : world.messages.get(params.message ?? "");
  const isItsOwn = message && (message.id === interaction.originalId || message.interactionId === interaction.id);
  return isItsOwn && message.failed === null ? act(message) : refuse("unknownMessage");
}

const findOriginal = (world: World, { originalId }: Interaction): Message | undefined =>
  originalId === null ? undefined : world.messages.get(originalId);
