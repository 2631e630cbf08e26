// Identify and Resume (docs: events/gateway-events, "Identify", "Resume"): the required shape of each, what Discord refuses and how, and the
// resulting session.
import {
  array,
  boolean,
  int,
  looseObject,
  maximum,
  minimum,
  nullish,
  optional,
  safeParse,
  string,
  unknown,
} from "zod/mini";
import type { World } from "../discord/world.ts";
import { greet } from "./greeting.ts";
import { IDENTIFY_GAP_MS, IDENTIFY_WINDOW_MS, INTENTS, KNOWN_INTENTS, MAX_IDENTIFIES } from "./protocol.ts";
import { canReplay, endSession, findSession, hangUp, replay } from "./sessions.ts";
import type { Connection, GatewayState, Refusal, Session } from "./state.ts";

/** The result of a frame: done, or how it is refused. */
export type Verdict = "done" | Refusal;

const IDENTIFY = looseObject({
  token: string(),
  properties: looseObject({}),
  intents: optional(unknown()),
  compress: optional(boolean()),
  large_threshold: optional(int().check(minimum(50), maximum(250))),
  shard: optional(unknown()),
  presence: nullish(looseObject({})),
});
/** No intent is above these bits, and JavaScript's bit operators would drop the upper bits of a larger number. */
const BITS = int().check(minimum(0), maximum(KNOWN_INTENTS));
const SHARD = array(int().check(minimum(0)));
const RESUME = looseObject({ token: string(), session_id: string(), seq: int() });

/** Starts a session. With the right token, every try counts against the day's identifies. */
export function identify(world: World, connection: Connection, d: unknown): Verdict {
  const { gateway } = world;
  if (connection.session) return 4005;
  const { data: given } = safeParse(IDENTIFY, d);
  if (!given) return 4002;
  if (bare(given.token) !== world.botToken) return 4004;
  if (!isWithinDay(world)) return 4004;
  const shard = readShard(given.shard);
  const isTooSoon = countIdentify(gateway, (shard?.[0] ?? 0) % gateway.switches.maxConcurrency);
  if (gateway.switches.refuseIdentify !== null) return gateway.switches.refuseIdentify;
  if (!shard) return 4010;
  const { data: intents } = safeParse(BITS, given.intents);
  if (intents === undefined || intents & ~KNOWN_INTENTS) return 4013;
  if (intents & disallowed(world)) return 4014;
  if (isTooSoon) return "invalid";
  const session = newSession(world, connection, intents, shard);
  greet(world, session, given.shard !== undefined);
  return "done";
}

/** Continues a session on a new socket. Does not count against any limit. */
export function resume(world: World, connection: Connection, d: unknown): Verdict {
  const { gateway } = world;
  if (connection.session) return 4005;
  const { data: given } = safeParse(RESUME, d);
  if (!given) return 4002;
  if (bare(given.token) !== world.botToken) return 4004;
  if (gateway.switches.refuseResume !== null) return gateway.switches.refuseResume;
  const session = findSession(gateway, given.session_id);
  if (!session) return "invalid";
  if (given.seq < 1 || given.seq > session.seq) {
    endSession(gateway, session);
    return 4007;
  }
  if (!canReplay(session, given.seq)) return "invalid";
  const old = session.connection;
  if (old) {
    // The session moves; closing the old socket must not end it.
    old.session = null;
    hangUp(gateway, old, 4000);
  }
  replay(gateway, session, connection, given.seq);
  return "done";
}

/** Removes the scheme from a token, because libraries send it with or without one. */
const bare = (token: string): string => token.replace(/^Bot /, "");

/** Whether the day's identifies are not used up. One too many ends every session and resets the token (docs: "Identifying"). */
function isWithinDay(world: World): boolean {
  const { gateway } = world;
  const now = gateway.now();
  gateway.identifies = gateway.identifies.filter(({ at }) => now - at < IDENTIFY_WINDOW_MS);
  if (gateway.identifies.length < MAX_IDENTIFIES) return true;
  world.botToken = `reset.${world.snowflake()}`;
  for (const session of [...gateway.sessions.values()]) {
    const { connection } = session;
    endSession(gateway, session);
    if (connection) hangUp(gateway, connection, 4004);
  }
  return false;
}

/** Reads `shard`; null: it is invalid. Without it, there is one shard. */
function readShard(shard: unknown): readonly [number, number] | null {
  if (shard === undefined) return [0, 1];
  const { data: [id, count, ...more] = [] } = safeParse(SHARD, shard);
  return id === undefined || count === undefined || more.length > 0 || id >= count ? null : [id, count];
}

/** The privileged intents that are off in the application's settings. Only Message Content can be switched on here. */
const disallowed = ({ options }: World): number =>
  INTENTS.guildMembers | INTENTS.guildPresences | (options.messageContentIntent ? 0 : INTENTS.messageContent);

/** Counts a try, even one that will be refused. Returns whether it came too soon after the last one in its bucket. */
function countIdentify(gateway: GatewayState, bucket: number): boolean {
  const now = gateway.now();
  const last = gateway.identifies.findLast((one) => one.bucket === bucket);
  gateway.identifies.push({ at: now, bucket });
  return last !== undefined && now - last.at < IDENTIFY_GAP_MS;
}

function newSession(world: World, connection: Connection, intents: number, shard: readonly [number, number]): Session {
  const id = BigInt(world.snowflake()).toString(16).padStart(32, "0");
  const session: Session = {
    id,
    intents,
    shard,
    seq: 0,
    sentSeq: 0,
    events: [],
    forgottenSeq: 0,
    connection,
    lostAt: 0,
  };
  connection.session = session;
  world.gateway.sessions.set(id, session);
  return session;
}
