// The one connection to Discord: when it is begun, how it is given up, and what is left of the session then. Sources: Discord's docs,
// events/gateway ("Connection Lifecycle"), where no other is named.
import type { GatewayRefusal } from "../core/state/gateway-status.ts";
import { readCloseCode } from "./close-codes.ts";
import { receivedSeq, storeForwards } from "./forwarding.ts";
import type { Connection, Socket } from "./gateway-state.ts";
import { identifyWait } from "./identify-budget.ts";
import type { GatewayInput } from "./inputs-and-actions.ts";
import { channelsToRead } from "./recollection.ts";
import { act, chance, log, type Step, save, setLive } from "./step.ts";
import {
  BACKOFF_MS,
  HEALTHY_AFTER_MS,
  INVALID_SPREAD_MS,
  INVALID_WAIT_MS,
  MAX_BACKOFF_MS,
  MAX_RESUME_TRIES,
  OPENING_LIMIT_MS,
  RESERVED_IDENTIFIES,
  RESUME_URL_ATTEMPTS,
  SPENT_BUDGET_WAIT_MS,
} from "./timings.ts";

/** Why a connection ends, how it is closed by us (null: it is closed already), and what follows. */
export interface Loss {
  line: string;
  detail?: Record<string, string | number | null>;
  /** Missing: 4000, which keeps the session. */
  code?: 1000 | 4000 | null;
  /** Missing: resume. */
  next?: "resume" | "identify";
  waitMs?: number;
}

const FEW_LEFT = "few gateway sessions are left today: not connecting";

/** This program may connect: no other has replaced it, and Discord has not refused its configuration. */
export function mayConnect({ program, saved, live }: Step): boolean {
  const isRetired = saved.retired !== null && isSameProgram(saved.retired, program);
  return program.on && !isRetired && !live.isEnded && saved.refused?.configHash !== program.configHash;
}

/** The same version with the same configuration. */
export const isSameProgram = (one: { version: string; configHash: string }, other: typeof one): boolean =>
  one.version === other.version && one.configHash === other.configHash;

/** Begins a connection, if there is none and its time has come. Every attempt is counted before it is made. */
export function reach(step: Step): void {
  if (step.live.connection.stage !== "idle" || !mayConnect(step)) return;
  const { nextAttemptAt, waitMs } = step.saved;
  // Further away than was meant: the clock was set back.
  if (nextAttemptAt > step.now + waitMs) waitFor(step, waitMs);
  if (step.saved.nextAttemptAt > step.now) return;
  if (step.saved.resumeTries >= MAX_RESUME_TRIES) forgetSession(step);
  const { session } = step.saved;
  const wait = session ? 0 : identifyWait(step);
  if (wait >= SPENT_BUDGET_WAIT_MS) log(step, "error", FEW_LEFT, { remaining: 0 });
  if (wait > 0) {
    waitFor(step, wait);
    return;
  }
  const attempts = step.saved.attempts + 1;
  save(step, { attempts, refused: null });
  // A life that dies while it connects has waited too.
  waitFor(step, backoff(step, attempts));
  const generation = step.live.generation + 1;
  setLive(step, { generation });
  // A session's own address may be gone with its host; the general one can resume too, but less often.
  if (session && attempts <= RESUME_URL_ATTEMPTS) {
    open(step, session.resumeUrl);
    return;
  }
  setConnection(step, { stage: "looking_up", generation, deadlineAt: step.now + OPENING_LIMIT_MS });
  act(step, { kind: "look_up", generation });
}

/** `GET /gateway/bot` has answered. */
export function onFound(step: Step, found: Extract<GatewayInput, { kind: "found" }>): void {
  if (!isLookingUp(step, found.generation)) return;
  const { session } = step.saved;
  if (!session) save(step, { readsContent: found.readsContent });
  if (session || found.remaining >= RESERVED_IDENTIFIES) {
    open(step, found.url);
    return;
  }
  setConnection(step, { stage: "idle" });
  log(step, "error", FEW_LEFT, { remaining: found.remaining });
  // Not for a whole day: meanwhile the owner may have put in the token of another application.
  const waitMs = Math.min(found.resetAfterMs, SPENT_BUDGET_WAIT_MS);
  waitFor(step, Math.max(waitMs, backoff(step, step.saved.attempts)));
}

/** `GET /gateway/bot` has failed. 401: Discord does not know the token. */
export function onNotFound(
  step: Step,
  { generation, status, retryAfterMs }: Extract<GatewayInput, { kind: "not_found" }>,
): void {
  if (!isLookingUp(step, generation)) return;
  if (status === 401) {
    refuse(step, "bad_token");
    return;
  }
  const waitMs = retryAfterMs ?? 0;
  lose(step, { line: "the gateway's address is unknown", detail: { status }, waitMs });
}

/** Discord has closed the socket. */
export function onClosed(step: Step, code: number): void {
  const meaning = readCloseCode(code);
  if (meaning.next === "refuse") {
    refuse(step, meaning.reason);
    return;
  }
  if (meaning.isOurFault) log(step, "error", "the gateway refused a frame of ours", { code });
  lose(step, { line: "the gateway closed the connection", detail: { code }, code: null, ...meaning });
}

/** Op 9. Discord asks for a wait of 1 to 5 s, and says whether the session can be resumed. */
export function onInvalidSession(step: Step, mayResume: boolean): void {
  const waitMs = INVALID_WAIT_MS + chance(step) * INVALID_SPREAD_MS;
  lose(step, { line: "the gateway's session is invalid", next: mayResume ? "resume" : "identify", waitMs });
}

/** Gives the connection up. The next one comes after the backoff. 1000 and 1001 would end the session; 4000 keeps it. */
export function lose(step: Step, { line, detail, code = 4000, next = "resume", waitMs = 0 }: Loss): void {
  const { connection } = step.live;
  if (connection.stage === "idle") return;
  noteHealth(step);
  log(step, "info", line, detail);
  if (code !== null && connection.stage !== "looking_up")
    act(step, { kind: "close", generation: connection.generation, code });
  setConnection(step, { stage: "idle" });
  if (next === "identify") forgetSession(step);
  // A refused resume is an answer and no failure: the gap must not grow by the wait for one.
  const isAnswer = next === "identify" && connection.stage === "resuming";
  waitFor(step, Math.max(backoff(step, isAnswer ? 0 : step.saved.attempts), waitMs));
}

/** What the row says once a connection was healthy: no wait, and no reason for one. */
export const noBackoff = { attempts: 0, lost: 0, nextAttemptAt: 0, waitMs: 0 };

/** The backoff begins anew only after a minute of health, so that a connection that is lost at once is no progress. */
export function noteHealth(step: Step): void {
  const { connection } = step.live;
  const isHealthy = connection.stage === "ready" && step.now - connection.readyAt >= HEALTHY_AFTER_MS;
  if (isHealthy && step.saved.attempts > 0) step.saved = { ...step.saved, ...noBackoff };
}

/**
 * A connection is ready. What failed before it no longer counts: it may break at once, or its life end, and a wait as long as that outage would
 * outlast the questions that came meanwhile. Those that became ready and were lost go on counting.
 */
export function noteReady(step: Step): void {
  const { saved, now } = step;
  const lost = saved.lost + 1;
  save(step, { resumeTries: 0, lost });
  if (saved.attempts <= lost) return;
  save(step, { attempts: lost });
  waitFor(step, Math.min(Math.max(saved.nextAttemptAt - now, 0), backoff(step, lost)));
}

/** Writes down what is stored as received: everything that no longer depends on a replay. It never goes back. */
export function commitSeq(step: Step): void {
  const { session } = step.saved;
  const seq = receivedSeq(step);
  if (session && seq !== null && seq > session.seq) step.saved = { ...step.saved, session: { ...session, seq } };
}

/** Takes over a socket's next stage. */
export const setConnection = (step: Step, connection: Connection): void => setLive(step, { connection });

/** The socket of this generation, if it is the current one. */
export function socketOf({ live }: Step, generation: number): Socket | null {
  const { connection } = live;
  const isSocket = connection.stage !== "idle" && connection.stage !== "looking_up";
  return isSocket && connection.generation === generation ? connection : null;
}

/** The seq goes with the session: a new one with an old number would ask for a stream that isn't there (vellum-assistant#39266). */
function forgetSession(step: Step): void {
  if (step.saved.session === null) return;
  storeForwards(step);
  const unread = [...new Set([...step.saved.unread, ...channelsToRead(step.known, step.now)])];
  save(step, { session: null, resumeTries: 0, unread });
  setLive(step, { seq: null, reading: {} });
}

function refuse(step: Step, reason: GatewayRefusal): void {
  setConnection(step, { stage: "idle" });
  forgetSession(step);
  save(step, { refused: { reason, configHash: step.program.configHash } });
  log(step, "error", "Discord refuses the gateway's connection", { reason });
}

function open(step: Step, url: string): void {
  const { generation } = step.live;
  const times = { lastFrameAt: step.now, deadlineAt: step.now + OPENING_LIMIT_MS };
  setConnection(step, { stage: "opening", generation, heartbeats: null, ...times });
  act(step, { kind: "connect", generation, url });
}

function isLookingUp({ live }: Step, generation: number): boolean {
  return live.connection.stage === "looking_up" && live.connection.generation === generation;
}

function waitFor(step: Step, waitMs: number): void {
  save(step, { nextAttemptAt: step.now + waitMs, waitMs });
}

/** Doubled with each attempt, ± 20 %, so that many bots don't come back together. */
function backoff(step: Step, attempts: number): number {
  return Math.min(BACKOFF_MS * 2 ** attempts * (0.8 + 0.4 * chance(step)), MAX_BACKOFF_MS);
}
