// The state of the local Discord: servers, people, channels, messages and interactions, all in memory. Stores and finds; Discord's rules are
// in the other files of this folder.
import type { GatewayState } from "../gateway/state.ts";
import type { Windows } from "./buckets.ts";
import type { Answer } from "./errors.ts";
import type { FileName } from "./file-name.ts";
import type { Happening } from "./happening.ts";
import type { Mentions } from "./mentions.ts";
import type { Options } from "./options.ts";
import type { Poll } from "./poll.ts";
import type { Channel, Person, Server } from "./servers.ts";

/** A file that came with a request, or that a person attached. */
export interface Upload {
  filename: string;
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The n of `files[n]`. */
  index?: number;
  /** The length of a voice message. */
  seconds?: number;
}

/** A stored file. */
export interface Attachment extends Upload, FileName {
  id: string;
  channelId: string;
  description: string | null;
}

/** The interaction that a message answers, as the client shows it above the message. */
export interface Origin {
  userId: string;
  /** The person's display name. */
  name: string;
  /** What they used: "/chat", "Ask about this", a button's label. */
  command: string;
  /** What they filled in. */
  text: string;
}

/** A webhook of a text channel, made by the application. */
export interface ChannelWebhook {
  id: string;
  token: string;
  channelId: string;
  name: string;
}

/** An emoji under a message, and whose it is. */
export interface Reaction {
  emoji: string;
  by: string[];
}

/** A message, or (with `failed`) the client's own line about an interaction without an answer. */
export interface Message {
  id: string;
  channelId: string;
  authorId: string;
  type: number;
  content: string;
  embeds: unknown[];
  components: unknown[];
  attachments: Attachment[];
  poll: Poll | null;
  reactions: Reaction[];
  pinned: boolean;
  flags: number;
  createdAt: number;
  editedAt: number | null;
  edits: number;
  /** The only person who sees it; null for everyone. */
  addressee: string | null;
  /** The channel's webhook that posted it, with the name and picture that were sent with it. */
  webhook: { id: string; name: string; avatarUrl: string | null } | null;
  /** The interaction with whose token it was made. */
  interactionId: string | null;
  origin: Origin | null;
  nonce: string | number | null;
  repliesTo: string | null;
  /** The message that this one forwards, as it was then. */
  forwarded: Message | null;
  mentions: Mentions;
  failed: string | null;
  /** Who would have been notified: user ids, role ids, "everyone". */
  pings: string[];
}

/** Key 0: the server ("0" in the bot's own DM). Key 1: the person. */
export type Owners = Readonly<Partial<Record<"0" | "1", string>>>;

/** One use of a command, component or form, and the state of its token. */
export interface Interaction {
  id: string;
  token: string;
  type: number;
  personId: string;
  channelId: string;
  createdAt: number;
  origin: Origin;
  /** The message that the component is on. */
  sourceId: string | null;
  /** `authorizing_integration_owners`: who installed the application here. */
  owners: Owners;
  /** Discord hides the answer from others, whatever the flags say (USE_EXTERNAL_APPS off). */
  forceEphemeral: boolean;
  acknowledged: { at: number; type: number; inline: boolean } | null;
  /** The client has given up on it; `originalId` is then the client's own line, if it showed one. */
  failed: boolean;
  /** Called when the interaction is acknowledged, and when it fails. */
  onOutcome: () => void;
  /** How many more requests get 10015 after an inline acknowledgement. */
  refusalsLeft: number;
  originalId: string | null;
  followups: number;
  /** What an answer of type 8 or 9 showed. */
  shown: unknown;
}

/** A form on a person's screen. */
export interface OpenModal {
  custom_id: string;
  title: string;
  components: Record<string, unknown>[];
  /** The message whose button opened it. */
  sourceId: string | null;
  /** Who installed the application, as the interaction that opened the form says. */
  owners: Owners;
}

/** One REST request and its answer. `code` is Discord's error code; null without one. */
export interface LogEntry {
  at: number;
  method: string;
  /** The pattern, such as `/webhooks/{app}/{token}`; "unknown" if none matches. */
  route: string;
  path: string;
  status: number;
  code: number | null;
  body: unknown;
  files: string[];
}

/** A request, or an inline answer, that Discord would have refused as malformed. */
export interface Violation {
  at: number;
  where: string;
  refusal: Answer;
  body: unknown;
}

/** The whole state. Maps keep insertion order, which for messages is the order in the channel. */
export interface World {
  readonly applicationId: string;
  /** Changes when Discord resets it, after too many identifies. */
  botToken: string;
  readonly cdnUrl: string;
  /** The endpoint URL in the application's settings. Interactions really go where the creator of the world sends them. */
  endpointUrl: string;
  /** The current `integration_types_config`. */
  installSettings: Record<string, unknown>;
  readonly options: Options;
  readonly people: Map<string, Person>;
  readonly servers: Map<string, Server>;
  readonly channels: Map<string, Channel>;
  readonly messages: Map<string, Message>;
  readonly interactions: Map<string, Interaction>;
  readonly webhooks: Map<string, ChannelWebhook>;
  /** Registered commands by scope: "global" or a server's id. */
  readonly commands: Map<string, Record<string, unknown>[]>;
  /** The form that each person has open, by person id. */
  readonly modals: Map<string, OpenModal>;
  readonly attachments: Map<string, Attachment>;
  /** The nonces of the bot's newest messages, and the ids of those messages, which may have been deleted since. */
  readonly nonces: Map<string, { messageId: string; at: number }>;
  readonly log: LogEntry[];
  readonly violations: Violation[];
  readonly windows: Windows;
  /** The time until which each channel shows someone as typing, by channel and user id. */
  readonly typing: Map<string, Map<string, number>>;
  readonly gateway: GatewayState;
  now(): number;
  snowflake(): string;
  /** Sends a signed request to an endpoint URL; `signature` replaces the true one. */
  callEndpoint(url: string, body: string, signature?: string): Promise<Response>;
  changed(): void;
  /** Notifies the Gateway's sessions, and then everyone who watches for changes. */
  happened(happening: Happening): void;
}

/** Fixed ids of the first servers and channels. */
export const PLACES = {
  guild: "1180000000000000001",
  general: "1180000000000000010",
  thread: "1180000000000000011",
  dmOfMira: "1180000000000000012",
  dmOfTheo: "1180000000000000013",
  staff: "1180000000000000014",
  dmOfJuno: "1180000000000000015",
  dmOfWren: "1180000000000000016",
  secondGuild: "1180000000000000004",
  lobby: "1180000000000000017",
  groupDm: "1180000000000000018",
} as const;

/**
 * Mira moderates the first server, and Theo is a plain member of both. Juno owns the application and the first server. Wren owns
 * the second server, is not a member of the first, and installed the application for herself.
 */
export const PEOPLE = {
  mira: "1180000000000000021",
  theo: "1180000000000000022",
  juno: "1180000000000000023",
  wren: "1180000000000000024",
} as const;

/** Finds the person with this id. An unknown id becomes a new ordinary member of the server, so that a test can have many people. */
export function findPerson(world: World, id: string, serverId: string = PLACES.guild): Person {
  const known = world.people.get(id);
  if (known) return known;
  const person = { id, name: `Guest ${id.slice(-4)}`, installed: false };
  world.people.set(id, person);
  world.servers.get(serverId)?.members.set(id, []);
  return person;
}

/** Finds the channel with this id. An unknown id becomes a new text channel of the first server. */
export function findChannel(world: World, id: string): Channel {
  const known = world.channels.get(id);
  if (known) return known;
  const channel: Channel = { id, name: `channel-${id.slice(-4)}`, type: 0, serverId: PLACES.guild };
  world.channels.set(id, channel);
  world.happened({ kind: "channel-created", channel });
  return channel;
}
