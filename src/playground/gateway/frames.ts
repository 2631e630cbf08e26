// One socket of the local Gateway: opens with Hello, reads what the application sends, and closes as Discord does if that is wrong (docs:
// events/gateway). Has no timer: `sweep` ends what has expired.
import { int, looseObject, minimum, nullable, optional, safeParse, string, unknown } from "zod/mini";
import { expire } from "../discord/interact.ts";
import type { World } from "../discord/world.ts";
import { identify, resume, type Verdict } from "./handshake.ts";
import { membersChunk } from "./payloads.ts";
import { MAX_FRAME_BYTES, MAX_SENDS, OP, SEND_WINDOW_MS, SILENT_INTERVALS } from "./protocol.ts";
import { dispatch, forgetSessions, hangUp, isFault, leave, note, sendFrame } from "./sessions.ts";
import type { Connection, Line } from "./state.ts";

/** One socket, for the code that owns the real one. */
export interface OpenSocket {
  /** Call this when a frame arrives. */
  receive(data: string | ArrayBuffer): void;
  /** Call this when the socket is gone, with the code of its close, or 1006 if there was none. */
  closed(code: number): void;
}

const FRAME = looseObject({ op: int(), d: optional(unknown()) });
const SEQ = nullable(int().check(minimum(0)));
const PRESENCE = looseObject({ status: string() });
const MEMBERS = looseObject({ guild_id: string() });

/** Accepts a new socket, which was opened with `url`. */
export function openSocket(world: World, line: Line, url: string): OpenSocket {
  const { gateway } = world;
  const { pathname, searchParams: query } = new URL(url);
  const connection: Connection = {
    id: gateway.nextConnection++,
    line,
    isResumeUrl: /\/resume\/?$/.test(pathname),
    heartbeatMs: gateway.switches.heartbeatIntervalMs,
    heardAt: gateway.now(),
    sends: [],
    session: null,
  };
  gateway.connections.add(connection);
  note(gateway, { connection: connection.id, kind: "open", resumeUrl: connection.isResumeUrl });
  const refusal = queryRefusal(query);
  if (refusal !== null) hangUp(gateway, connection, refusal);
  else if (gateway.switches.hello)
    sendFrame(gateway, connection, OP.hello, { heartbeat_interval: connection.heartbeatMs, _trace: [] });
  return {
    receive: (data) => receive(world, connection, data),
    closed: (code) => void leave(gateway, connection, code, "application"),
  };
}

/** Returns the close code for a query that can't be served. This Discord speaks only version 10 and plain JSON, and refuses everything else. */
function queryRefusal(query: URLSearchParams): number | null {
  if (query.get("v") !== "10") return 4012;
  return (query.get("encoding") ?? "json") !== "json" || query.has("compress") ? 4002 : null;
}

function receive(world: World, connection: Connection, data: string | ArrayBuffer): void {
  const { gateway } = world;
  if (!gateway.connections.has(connection)) return;
  const verdict = isTooOften(world, connection) ? 4008 : read(world, connection, data);
  if (verdict === "done") return;
  if (typeof verdict === "number") {
    if (isFault(verdict))
      world.violations.push({
        at: world.now(),
        where: `gateway, connection ${connection.id}`,
        refusal: { status: verdict },
        body: typeof data === "string" ? data.slice(0, MAX_FRAME_BYTES).replaceAll(world.botToken, "…") : null,
      });
    hangUp(gateway, connection, verdict);
    return;
  }
  sendFrame(gateway, connection, OP.invalidSession, verdict === "resumable");
}

function isTooOften({ gateway }: World, connection: Connection): boolean {
  const now = gateway.now();
  connection.sends = [...connection.sends.filter((at) => now - at < SEND_WINDOW_MS), now];
  return connection.sends.length > MAX_SENDS;
}

function read(world: World, connection: Connection, data: string | ArrayBuffer): Verdict {
  // A binary frame would be ETF, which this Discord doesn't speak.
  if (typeof data !== "string" || new TextEncoder().encode(data).length > MAX_FRAME_BYTES) return 4002;
  const { data: frame } = safeParse(FRAME, parse(data));
  if (!frame) return 4002;
  const { token: _, ...d } = typeof frame.d === "object" && frame.d ? (frame.d as { token?: unknown }) : {};
  const isSimple = typeof frame.d !== "object" || frame.d === null;
  note(world.gateway, { connection: connection.id, kind: "in", op: frame.op, d: isSimple ? frame.d : d });
  return act(world, connection, frame.op, frame.d);
}

function act(world: World, connection: Connection, op: number, d: unknown): Verdict {
  switch (op) {
    case OP.heartbeat:
      return heartbeat(world, connection, d);
    case OP.identify:
      return identify(world, connection, d);
    case OP.resume:
      return resume(world, connection, d);
    case OP.presence:
      if (!connection.session) return 4003;
      return safeParse(PRESENCE, d).success ? "done" : 4002;
    case OP.members:
      return requestMembers(world, connection, d);
    case OP.voice:
    case OP.soundboard:
      // There are no voice channels and no sounds here.
      return connection.session ? "done" : 4003;
    default:
      return 4001;
  }
}

/** Answers a heartbeat, which needs no session. A sequence number that no event had is a violation, although Discord ignores it. */
function heartbeat({ gateway, violations, now }: World, connection: Connection, d: unknown): Verdict {
  const { success, data: seq } = safeParse(SEQ, d);
  if (!success) return 4002;
  if (connection.session && (seq ?? 0) > connection.session.seq)
    violations.push({
      at: now(),
      where: `gateway, connection ${connection.id}`,
      refusal: { status: 0, body: { message: "A heartbeat has the number of an event that was never sent." } },
      body: d,
    });
  connection.heardAt = gateway.now();
  if (gateway.switches.acks) sendFrame(gateway, connection, OP.ack);
  return "done";
}

function requestMembers(world: World, { session }: Connection, d: unknown): Verdict {
  if (!session) return 4003;
  const { data: request } = safeParse(MEMBERS, d);
  if (!request) return 4002;
  dispatch(world.gateway, session, "GUILD_MEMBERS_CHUNK", membersChunk(world, session, request));
  return "done";
}

/**
 * Ends what has taken too long: sockets without heartbeats (their client can resume), sessions that nobody resumed, interactions that nobody
 * answered.
 */
export function sweep(world: World): void {
  const { gateway } = world;
  for (const connection of [...gateway.connections])
    if (gateway.now() - connection.heardAt > connection.heartbeatMs * SILENT_INTERVALS)
      hangUp(gateway, connection, 4000);
  forgetSessions(gateway);
  expire(world);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
