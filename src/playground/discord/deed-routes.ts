// The routes for the bot's other actions: reactions, pins, threads, and reading a person's profile. All need its token.
import { refuseChannel, withMessage } from "./channel-routes.ts";
import { type Answer, invalidForm, refuse } from "./errors.ts";
import { createMessage } from "./messages.ts";
import { type Call, type Route, route } from "./routes.ts";
import type { Channel } from "./servers.ts";
import { userJson } from "./wire.ts";
import type { World } from "./world.ts";

/** Message type of the line "pinned a message" (docs: resources/message, "Message Types"). */
export const PINNED_LINE = 6;
/** Message type of the line "started a thread". */
export const THREAD_LINE = 18;
const PUBLIC_THREAD = 11;
const TEXT_CHANNEL = 0;
const MAX_REACTIONS = 20;
const EMOJI = /^\p{RGI_Emoji}$/v;

/** Every route of this file. */
export const deedRoutes: Route[] = [
  route("PUT", "/channels/{channel}/messages/{message}/reactions/{emoji}/@me", { auth: "bot" }, react),
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
    // This server has no custom emoji, so anything that is not a character is unknown.
    if (!EMOJI.test(emoji)) return refuse("unknownEmoji");
    const reaction = message.reactions.find((one) => one.emoji === emoji);
    if (!reaction && message.reactions.length >= MAX_REACTIONS) return refuse("tooManyReactions");
    if (!reaction) message.reactions.push({ emoji, by: [world.applicationId] });
    else if (!reaction.by.includes(world.applicationId)) reaction.by.push(world.applicationId);
    world.changed();
    return { status: 204 };
  });
}

function pin(world: World, call: Call): Answer {
  return withMessage(world, call, (message) => {
    if (message.pinned) return { status: 204 };
    message.pinned = true;
    const about = { channelId: message.channelId, authorId: world.applicationId, type: PINNED_LINE };
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
  const about = { channelId: params.channel ?? "", authorId: world.applicationId, type: THREAD_LINE };
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
  world.changed();
  const { name, type } = thread;
  return { status: 201, body: { id, name, type, guild_id: thread.serverId, parent_id: parent.id } };
}

const nameIn = ({ payload }: Call): string => String((payload as { name?: unknown }).name);
