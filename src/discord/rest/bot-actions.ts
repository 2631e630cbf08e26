// What the bot can do in one channel, in Discord's wire format: reading messages, reactions, polls, threads, pins, profile
// pictures.
import { array, boolean, looseObject, nullish, number, optional, type output, string, unknown } from "zod/mini";
import { once } from "../../core/once.ts";
import { attachmentKind } from "../../core/state/attachments.ts";
import { asidesShape, givenName, pollWords, wordsIn } from "../message-asides.ts";
import { type BotFailure, type BotPorts, type BotRequest, botRequest, unsure } from "./bot-request.ts";
import { REPLY, SPOKEN_TYPES } from "./channel-lines.ts";
import { readChannelFacts } from "./place-facts.ts";

type Acted<Value> = { ok: true; value: Value } | BotFailure;

const messageShape = once(() =>
  looseObject({
    ...asidesShape(),
    id: string(),
    type: number(),
    content: string(),
    timestamp: string(),
    author: looseObject({ id: string(), username: string(), global_name: nullish(string()), bot: optional(boolean()) }),
    components: optional(array(unknown())),
    message_reference: optional(looseObject({ message_id: optional(string()) })),
  }),
);
type MessageJson = output<ReturnType<typeof messageShape>>;
const createdShape = once(() => looseObject({ id: string() }));
const userShape = once(() => looseObject({ avatar: nullish(string()) }));

const ANNOUNCEMENT_THREAD = 10;
const PUBLIC_THREAD = 11;
const STARTER = 21;
/** An announcement channel, which can only have announcement threads. */
const ANNOUNCEMENTS = 5;
const CDN = "https://cdn.discordapp.com";
const PICTURE_PIXELS = 512;

/**
 * Creates the actions of the bot whose token is in the ports. `ChannelActions` in src/toolkit says which may run twice. `isLeftOut`: whether
 * a person's messages must not be read.
 */
export function createChannelActions(
  ports: BotPorts,
  channelId: string,
  selfId: string,
  isLeftOut: (userId: string) => boolean = () => false,
) {
  const channel = `/channels/${channelId}`;
  const read = async <Value>(request: BotRequest, value: (json: unknown) => Value | null): Promise<Acted<Value>> => {
    const answer = await botRequest(ports, channelId, request);
    if (!answer.ok) return answer;
    const found = value(answer.json);
    return found === null
      ? { ok: false, error: `Discord's answer can't be read${unsure(request)}`, isFault: true }
      : { ok: true, value: found };
  };
  const done = async (request: BotRequest): Promise<Acted<null>> => {
    const answer = await botRequest(ports, channelId, request);
    return answer.ok ? { ok: true, value: null } : answer;
  };
  const threadType = async (signal: AbortSignal) => {
    const here = await read({ method: "GET", kind: "sight", path: channel, signal }, readChannelFacts);
    return here.ok && here.value.type === ANNOUNCEMENTS ? ANNOUNCEMENT_THREAD : PUBLIC_THREAD;
  };
  return {
    recentMessages(limit: number, before: string | null, signal: AbortSignal) {
      const path = `${channel}/messages?limit=${limit}${before === null ? "" : `&before=${before}`}`;
      return read({ method: "GET", kind: "list", path, signal }, (json) => {
        const parsed = array(messageShape()).safeParse(json);
        const read = parsed.data?.map(withStarter).filter(({ author }) => !isLeftOut(author.id));
        return read?.map((message) => readChannelMessage(message, selfId)).reverse() ?? null;
      });
    },
    addReaction: (messageId: string, emoji: string, signal: AbortSignal) =>
      done({
        method: "PUT",
        kind: "react",
        path: `${channel}/messages/${messageId}/reactions/${encodeURIComponent(emojiForRoute(emoji))}/@me`,
        signal,
      }),
    createPoll({ question, answers, hours, mayChooseSeveral }: WirePoll, nonce: string, signal: AbortSignal) {
      const poll = {
        question: { text: question },
        answers: answers.map((text) => ({ poll_media: { text } })),
        duration: hours,
        allow_multiselect: mayChooseSeveral,
      };
      const body = { poll, nonce, enforce_nonce: true, allowed_mentions: { parse: [] } };
      return read({ method: "POST", kind: "create", path: `${channel}/messages`, body, signal }, idIn);
    },
    async createThread({ name, messageId, archiveAfterMinutes }: WireThread, reason: string, signal: AbortSignal) {
      const body = { name, auto_archive_duration: archiveAfterMinutes };
      const request =
        messageId === null
          ? { path: `${channel}/threads`, body: { ...body, type: await threadType(signal) } }
          : { path: `${channel}/messages/${messageId}/threads`, body };
      return read({ method: "POST", kind: "thread", ...request, reason, signal }, idIn);
    },
    pinMessage: (messageId: string, reason: string, signal: AbortSignal) =>
      done({ method: "PUT", kind: "pin", path: `${channel}/messages/pins/${messageId}`, reason, signal }),
    profilePicture: (userId: string, signal: AbortSignal) =>
      read({ method: "GET", kind: "person", path: `/users/${userId}`, signal }, (json) => {
        const parsed = userShape().safeParse(json);
        return parsed.success ? buildAvatarUrl(userId, parsed.data.avatar ?? null) : null;
      }),
  };
}

interface WirePoll {
  question: string;
  answers: string[];
  hours: number;
  mayChooseSeveral: boolean;
}

interface WireThread {
  name: string;
  messageId: string | null;
  archiveAfterMinutes: number;
}

function idIn(json: unknown): string | null {
  const parsed = createdShape().safeParse(json);
  return parsed.success ? parsed.data.id : null;
}

/** Replaces the empty line with which Discord begins a thread on a message by that message (docs: "Thread starter messages"). */
function withStarter(line: MessageJson): MessageJson {
  const { data } = messageShape().safeParse(line.type === STARTER && line.referenced_message);
  return data ? { ...data, id: line.id } : line;
}

function readChannelMessage(message: MessageJson, selfId: string) {
  const {
    id,
    type,
    content,
    timestamp,
    author,
    attachments = [],
    embeds = [],
    poll,
    message_reference: reference,
  } = message;
  const { components = [], sticker_items: stickers = [], message_snapshots: forwarded = [] } = message;
  const isEmpty = content === "" && attachments.length + embeds.length + components.length + stickers.length === 0;
  const isSpoken = SPOKEN_TYPES.includes(type);
  const isHidden = isEmpty && !poll && forwarded.length === 0 && isSpoken && author.id !== selfId;
  const attached = [message, ...forwarded.map(({ message }) => message)].flatMap(({ attachments = [] }) => attachments);
  const said = [
    isSpoken ? "" : "(Discord's own line)",
    textOf(message),
    ...(poll ? [`Poll: ${pollWords(poll)}`] : []),
    ...stickers.map(({ name }) => `Sticker: ${name}`),
    ...forwarded.map(({ message }) => `Forwarded: ${textOf(message)}`),
  ];
  return {
    id,
    author: { id: author.id, name: author.global_name ?? author.username, isBot: author.bot === true },
    at: Date.parse(timestamp),
    text: said.filter((part) => part !== "").join("\n"),
    files: attached.map(givenName),
    pictures: attached.flatMap(({ content_type: contentType = null, url, ...name }) => {
      const filename = givenName(name);
      return typeof url === "string" && attachmentKind({ filename, contentType }) === "image"
        ? [{ filename, url }]
        : [];
    }),
    isHidden,
    // A forward, a crosspost and Discord's line about a pin also refer to a message.
    repliesTo: (type === REPLY && reference?.message_id) || null,
  };
}

type Snapshot = NonNullable<MessageJson["message_snapshots"]>[number]["message"];

/** Returns the words of a message and of its embeds. The result of a poll is only in an embed's fields. */
const textOf = (message: Snapshot): string =>
  [
    wordsIn(message),
    ...(message.embeds ?? []).flatMap(({ title, description, fields = [] }) => [
      pair(title, description),
      ...fields.map(({ name, value }) => pair(name, value)),
    ]),
  ]
    .filter((part) => part !== "")
    .join("\n");

const pair = (...two: (string | null | undefined)[]): string => two.filter(Boolean).join(": ");

/** Returns an emoji as a path needs it: `name:id` for `<:name:id>` and `<a:name:id>`; a plain emoji stays as it is. */
const emojiForRoute = (emoji: string): string => emoji.trim().replace(/^<a?:(\w{2,32}:\d{17,20})>$/, "$1");

/** Builds the address of a profile picture. A person without one has one of Discord's six, chosen by id (docs: reference, "Image Formatting"). */
function buildAvatarUrl(userId: string, avatar: string | null): string {
  if (avatar === null) return `${CDN}/embed/avatars/${(BigInt(userId) >> 22n) % 6n}.png`;
  return `${CDN}/avatars/${userId}/${avatar}.png?size=${PICTURE_PIXELS}`;
}
