// Does what the contract of the gateway's object says about a channel's messages, and no more: forwards what may be a question, again and again
// until its channel has it, and then the question's edits and deletion. Reads the local Discord's own frames.
import { readFrame } from "../../src/discord/gateway/frames.ts";
import type { ForwardedEvent } from "../../src/gateway/forwarded-event.ts";
import type { HeardEvent, HeardReceipt } from "../../src/gateway/heard.ts";
import type { GatewayEvent } from "../../src/gateway/inputs-and-actions.ts";
import { readQuestion } from "../../src/gateway/question.ts";
import { APPLICATION, type LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";

/** What the door needs of its world. */
export interface DoorParts {
  discord: LocalDiscord;
  hear: (channelId: string, heard: HeardEvent) => Promise<HeardReceipt>;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  /** What is sent with each event. */
  more?: Partial<HeardEvent>;
  readsContent?: boolean;
}

/** The door, and what came through it. */
export interface GatewayDoor {
  heard: HeardEvent[];
  receipts: HeardReceipt[];
  /** The messages of events that were not taken for five minutes and are no longer forwarded. */
  givenUp: string[];
  /** How many events are on their way. */
  open(): number;
}

/** The bot's mention. */
export const BOT = `<@${APPLICATION.id}>`;

const SELF = { userId: APPLICATION.id, applicationId: APPLICATION.id };
const RETRY_MS = 5000;
const QUESTION_LIFE_MS = 300_000;
const MESSAGES = (1 << 9) | (1 << 12);
const CONTENT = 1 << 15;

/** Opens the door. It stays open for as long as the local Discord lives. */
export function openGatewayDoor({ discord, hear, now, sleep, more, readsContent = false }: DoorParts): GatewayDoor {
  const door = { heard: [] as HeardEvent[], receipts: [] as HeardReceipt[], givenUp: [] as string[], waiting: 0 };
  const asked = new Map<string, string>();
  const known = { self: SELF, ownRoleId: "1180000000000000032", readsContent };
  /** Events about the same message are sent one after the other. */
  const underWay = new Map<string, Promise<void>>();
  const forward = async (channelId: string, messageId: string, heard: HeardEvent) => {
    for (const since = now(); now() < since + QUESTION_LIFE_MS; await sleep(RETRY_MS)) {
      try {
        door.receipts.push(await hear(channelId, heard));
        return;
      } catch {
        // The channel's life has ended; the next one is asked.
      }
    }
    door.givenUp.push(messageId);
  };
  const send = (channelId: string, messageId: string, event: ForwardedEvent) => {
    const heard: HeardEvent = { event, ...known, ...more };
    door.heard.push(heard);
    door.waiting++;
    const work = (underWay.get(messageId) ?? Promise.resolve())
      .then(() => forward(channelId, messageId, heard))
      .finally(() => {
        door.waiting--;
      });
    underWay.set(messageId, work);
  };
  const take = (event: GatewayEvent) => {
    if (event.kind === "message") {
      const { message } = event;
      const widest = { ...known, answerTo: "thread", isAskedThread: readsContent } as const;
      const isOwner = message.place.kind === "dm" && message.author.id === PEOPLE.juno;
      if (readQuestion(message, widest).kind === "none") return;
      asked.set(message.id, message.channelId);
      send(message.channelId, message.id, { kind: "asked", message });
      if (isOwner) Object.assign(door.heard.at(-1) ?? {}, { isOwner });
    }
    if (event.kind === "edited" && asked.has(event.edit.messageId))
      send(event.edit.channelId, event.edit.messageId, { kind: "edited", edit: event.edit });
    if (event.kind === "deleted")
      for (const messageId of event.messageIds)
        if (asked.has(messageId))
          send(event.channelId, messageId, { kind: "deleted", channelId: event.channelId, messageId });
  };
  const socket = discord.gateway.open(
    {
      send(text) {
        const frame = readFrame(text);
        if (frame.op === "dispatch") take(frame.event);
      },
      close: () => {},
      drop: () => {},
    },
    `${discord.gateway.url}/?v=10&encoding=json`,
  );
  const properties = { os: "linux", browser: "test", device: "test" };
  const intents = readsContent ? MESSAGES | CONTENT : MESSAGES;
  socket.receive(JSON.stringify({ op: 2, d: { token: APPLICATION.botToken, intents, properties } }));
  return { heard: door.heard, receipts: door.receipts, givenUp: door.givenUp, open: () => door.waiting };
}
