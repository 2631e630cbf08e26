// The Gateway's numbers (docs: topics/opcodes-and-status-codes, events/gateway): opcodes, close codes, intents, limits. Decides nothing.

/** Opcodes. */
export const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  voice: 4,
  resume: 6,
  reconnect: 7,
  members: 8,
  invalidSession: 9,
  hello: 10,
  ack: 11,
  soundboard: 31,
} as const;

/** The close codes that Discord sends, with their reasons. */
export const CLOSES = {
  4000: "Unknown error.",
  4001: "Unknown opcode.",
  4002: "Error while decoding payload.",
  4003: "Not authenticated.",
  4004: "Authentication failed.",
  4005: "Already authenticated.",
  4007: "Invalid seq.",
  4008: "Rate limited.",
  4009: "Session timed out.",
  4010: "Invalid shard.",
  4011: "Sharding required.",
  4012: "Invalid API version.",
  4013: "Invalid intent(s).",
  4014: "Disallowed intent(s).",
} as const;

/** One of Discord's own close codes. */
export type CloseCode = keyof typeof CLOSES;

/** Closes after which a session can be resumed; after any other one, Discord has forgotten it. */
export const RESUMABLE = new Set([1001, 1005, 1006, 4000, 4001, 4002]);

/** Closes caused by a client's frames, not by the time or the settings. */
export const FAULTS = new Set<number>([4001, 4002, 4003, 4005, 4007, 4008, 4010, 4012, 4013]);

/** Bits of `intents`. */
export const INTENTS = {
  guilds: 1 << 0,
  guildMembers: 1 << 1,
  guildPresences: 1 << 8,
  guildMessages: 1 << 9,
  guildReactions: 1 << 10,
  guildTyping: 1 << 11,
  directMessages: 1 << 12,
  directReactions: 1 << 13,
  directTyping: 1 << 14,
  messageContent: 1 << 15,
} as const;

/** Every bit that is an intent: 0 to 16, 20, 21, 24, 25. */
export const KNOWN_INTENTS = 0x1_ffff | (1 << 20) | (1 << 21) | (1 << 24) | (1 << 25);

/** The largest frame that an application may send, in bytes. */
export const MAX_FRAME_BYTES = 4096;
/** How many frames an application may send on one connection in `SEND_WINDOW_MS`. */
export const MAX_SENDS = 120;
/** The window of `MAX_SENDS`. */
export const SEND_WINDOW_MS = 60_000;
/** How many identifies are allowed in `IDENTIFY_WINDOW_MS`, over all shards. One more ends every session and resets the token. */
export const MAX_IDENTIFIES = 1000;
/** The window of `MAX_IDENTIFIES`. */
export const IDENTIFY_WINDOW_MS = 24 * 3_600_000;
/** The minimum time between two identifies in one concurrency bucket. */
export const IDENTIFY_GAP_MS = 5000;
/** The interval that Discord was observed to send in Hello. */
export const HEARTBEAT_MS = 41_250;
/** How many intervals a connection may be silent. Discord tolerates some delay, but doesn't say how much. */
export const SILENT_INTERVALS = 1.5;
/** How long a lost session can be resumed. Discord says "a few minutes". */
export const RESUME_WINDOW_MS = 5 * 60_000;
/** How many events a session keeps for a replay. Discord gives no number. */
export const MAX_REPLAY = 2048;
