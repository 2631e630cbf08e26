// The routes for the bot's other actions: reactions, typing, pins, threads, and reading a person's profile. All need its token.
import { refuseChannel, withMessage } from "./channel-routes.ts";
import { type Answer, invalidForm, refuse } from "./errors.ts";
import { MESSAGE_TYPES } from "./message-types.ts";
import { createMessage } from "./messages.ts";
import { addReaction, removeReaction } from "./reactions.ts";
import { type Call, type Route, route } from "./routes.ts";
import type { Channel } from "./servers.ts";
import { typeIn } from "./typing.ts";
import { userJson } from "./wire.ts";
import type { World } from "./world.ts";

const PUBLIC_THREAD = 11;
const TEXT_CHANNEL = 0;
const EMOJI = /^\p{RGI_Emoji}$/v;

/** Every route of this file. */
export const deedRoutes: Route[] = [
  route("PUT", "/channels/{channel}/messages/{message}/reactions/{emoji}/@me", { auth: "bot" }, react),
  route("DELETE", "/channels/{channel}/messages/{message}/reactions/{emoji}/@me", { auth: "bot" }, unreact),
  route("GET", "/channels/{channel}/messages/{message}/reactions/{emoji}", { auth: "bot" }, (world, call) =>
    withMessage(world, call, ({ reactions }) => {
      const by = reactions.find(({ emoji }) => emoji === call.params.emoji)?.by ?? [];
      return { status: 200, body: by.map((id) => userJson(world, id)) };
    }),
  ),
  route("POST", "/channels/{channel}/typing", { auth: "bot" }, (world, { params: { channel = "" } }) => {
    const refusal = refuseChannel(world, channel) ?? (world.options.botSends ? null : refuse("missingPermissions"));
    if (!refusal) typeIn(world, channel, world.applicationId);
    return refusal ?? { status: 204 };
  }),
  route("PUT", "/channels/{channel}/messages/pins/{message}", { auth: "bot" }, pin),
  route("POST", "/channels/{channel}/threads", { auth: "bot", body: "thread" }, openThread),
  route(
    "POST",
    "/channels/{channel}/messages/{message}/threads",
    { auth: "bot", body: "messageThread" },
    (world, call) => withMessage(world, call, ({ id }) => openOn(world, call, id)),
  ),
  route("GET", "/users/{user}", { auth: "bot" }, (world, { params: { user = "" } }) =>
    world.people.has(user) || user === world.applicationId
      ? { status: 200, body: userJson(world, user) }
      : refuse("unknownUser"),
  ),
];

function react(world: World, call: Call): Answer {
  const { emoji = "" } = call.params;
  return withMessage(world, call, (message) => {
    // There are no custom emoji here, so anything that is not a Unicode emoji is unknown.
    if (!EMOJI.test(emoji)) return refuse("unknownEmoji");
    if (!world.options.botReadsHistory) return refuse("missingPermissions");
    return addReaction(world, message, emoji, world.applicationId) ? { status: 204 } : refuse("tooManyReactions");
  });
}

function unreact(world: World, call: Call): Answer {
  return withMessage(world, call, (message) => {
    removeReaction(world, message, call.params.emoji ?? "", world.applicationId);
    return { status: 204 };
  });
}

function pin(world: World, call: Call): Answer {
  return withMessage(world, call, (message) => {
    if (message.pinned) return { status: 204 };
    message.pinned = true;
    world.happened({ kind: "message-edited", message });
    world.happened({ kind: "pins-changed", channelId: message.channelId });
    const about = { channelId: message.channelId, authorId: world.applicationId, type: MESSAGE_TYPES.pinned };
    createMessage(world, about, { message_reference: { message_id: message.id } }, []);
    return { status: 204 };
  });
}

function openThread(world: World, call: Call): Answer {
  const { payload, params } = call;
  const unreachable = refuseChannel(world, params.channel);
  if (unreachable) return unreachable;
  if ((payload as { type?: unknown }).type !== PUBLIC_THREAD)
    return invalidForm([
      { path: ["type"], code: "LOCAL_PUBLIC_THREADS_ONLY", message: "Without a type Discord makes a private thread." },
    ]);
  const about = { channelId: params.channel ?? "", authorId: world.applicationId, type: MESSAGE_TYPES.threadLine };
  const answer = openOn(world, call, world.snowflake());
  if (answer.status === 201) createMessage(world, about, { content: nameIn(call) }, []);
  return answer;
}

/** A thread that starts from a message has that message's id. */
function openOn(world: World, call: Call, id: string): Answer {
  const parent = world.channels.get(call.params.channel ?? "");
  if (parent?.type !== TEXT_CHANNEL) return refuse("notInThisChannel");
  if (world.channels.has(id)) return refuse("threadExists");
  const thread: Channel = {
    id,
    name: nameIn(call),
    type: PUBLIC_THREAD,
    parentId: parent.id,
    ...(parent.serverId && { serverId: parent.serverId }),
  };
  world.channels.set(id, thread);
  world.happened({ kind: "channel-created", channel: thread });
  const { name, type } = thread;
  return { status: 201, body: { id, name, type, guild_id: thread.serverId, parent_id: parent.id } };
}

const nameIn = ({ payload }: Call): string => String((payload as { name?: unknown }).name);
