// The happenings in the world that the application may learn about. Types only; the Gateway decides who receives which.
import type { Channel } from "./servers.ts";
import type { Message } from "./world.ts";

/** One thing that has just happened. */
export type Happening =
  | { kind: "message-created" | "message-edited" | "message-deleted"; message: Message }
  | { kind: "reaction-added" | "reaction-removed"; message: Message; emoji: string; by: string }
  | { kind: "channel-created" | "channel-deleted"; channel: Channel }
  | { kind: "pins-changed"; channelId: string }
  | { kind: "typing"; channelId: string; by: string }
  /** The application was added to its servers, or removed from them. */
  | { kind: "membership"; isMember: boolean }
  /** An interaction of an application without an endpoint URL. */
  | { kind: "interaction"; channelId: string; interaction: Record<string, unknown> }
  /** Any event, as a test wrote it. Every session gets it. */
  | { kind: "event"; t: string; d: unknown };
