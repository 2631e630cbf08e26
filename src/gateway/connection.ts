// Owns the one connection to Discord: when it begins, how it is given up, and what is left of the session then. The source is Discord's docs,
// events/gateway ("Connection Lifecycle"), unless another one is named.
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

/** Why a connection ends, the code with which we close it (null: it is closed already), and what follows. */
export interface Loss {
  line: string;
  detail?: Record<string, string | number | null>;
  /** Default: 4000, which keeps the session. */
  code?: 1000 | 4000 | null;
  /** Default: resume. */
  next?: "resume" | "identify";
  waitMs?: number;
}

const FEW_LEFT = "few gateway sessions are left today: not connecting";

/** Whether this program may connect: no other has replaced it, and Discord has not refused its configuration. */
export function mayConnect({ program, saved, live }: Step): boolean {
  const isRetired = saved.retired !== null && isSameProgram(saved.retired, program);
  return program.on && !isRetired && !live.isEnded && saved.refused?.configHash !== program.configHash;
}

/** Whether both are the same version with the same configuration. */
export const isSameProgram = (one: { version: string; configHash: string }, other: typeof one): boolean =>
  one.version === other.version && one.configHash === other.configHash;

/** Begins a connection if there is none and it is time. Every attempt is counted before it is made. */
export function reach(step: Step): void {
  if (step.live.connection.stage !== "idle" || !mayConnect(step)) return;
  const { nextAttemptAt, waitMs } = step.saved;
  // The time is further away than planned, so the clock was set back.
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
  // Stored before the attempt, so that a life that dies while it connects waits too.
  waitFor(step, backoff(step, attempts));
  const generation = step.live.generation + 1;
  setLive(step, { generation });
  // A session's own address may be gone with its host. The general address can resume too, but less often.
  if (session && attempts <= RESUME_URL_ATTEMPTS) {
    open(step, session.resumeUrl);
    return;
  }
  setConnection(step, { stage: "looking_up", generation, deadlineAt: step.now + OPENING_LIMIT_MS });
  act(step, { kind: "look_up", generation });
}

/** Handles the answer of `GET /gateway/bot`. */
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
  // Not for a whole day, because the owner may set the token of another application meanwhile.
  const waitMs = Math.min(found.resetAfterMs, SPENT_BUDGET_WAIT_MS);
  waitFor(step, Math.max(waitMs, backoff(step, step.saved.attempts)));
}

/** Handles a failure of `GET /gateway/bot`. 401 means that Discord does not accept the token. */
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

/** Handles that Discord closed the socket. */
export function onClosed(step: Step, code: number): void {
  const meaning = readCloseCode(code);
  if (meaning.next === "refuse") {
    refuse(step, meaning.reason);
    return;
  }
  if (meaning.isOurFault) log(step, "error", "the gateway refused a frame of ours", { code });
  lose(step, { line: "the gateway closed the connection", detail: { code }, code: null, ...meaning });
}

/** Handles op 9. Discord asks for a wait of 1 to 5 s, and says whether the session can be resumed. */
export function onInvalidSession(step: Step, mayResume: boolean): void {
  const waitMs = INVALID_WAIT_MS + chance(step) * INVALID_SPREAD_MS;
  lose(step, { line: "the gateway's session is invalid", next: mayResume ? "resume" : "identify", waitMs });
}

/** Gives the connection up. The next one comes after the backoff. Codes 1000 and 1001 would end the session; 4000 keeps it. */
export function lose(step: Step, { line, detail, code = 4000, next = "resume", waitMs = 0 }: Loss): void {
  const { connection } = step.live;
  if (connection.stage === "idle") return;
  noteHealth(step);
  log(step, "info", line, detail);
  if (code !== null && connection.stage !== "looking_up")
    act(step, { kind: "close", generation: connection.generation, code });
  setConnection(step, { stage: "idle" });
  if (next === "identify") forgetSession(step);
  // A refused resume is an answer, not a failure, so its wait must not make the gap longer.
  const isAnswer = next === "identify" && connection.stage === "resuming";
  waitFor(step, Math.max(backoff(step, isAnswer ? 0 : step.saved.attempts), waitMs));
}

/** The fields of the row after a healthy connection: no wait, and no reason for one. */
export const noBackoff = { attempts: 0, lost: 0, nextAttemptAt: 0, waitMs: 0 };

/** Resets the backoff, but only after a minute of health, so that a connection that is lost at once doesn't count as progress. */
export function noteHealth(step: Step): void {
  const { connection } = step.live;
  const isHealthy = connection.stage === "ready" && step.now - connection.readyAt >= HEALTHY_AFTER_MS;
  if (isHealthy && step.saved.attempts > 0) step.saved = { ...step.saved, ...noBackoff };
}

/**
 * Notes that a connection is ready. Earlier failures no longer count: if it breaks at once, or its life ends, the long wait that they have built up
 * would outlast the questions that come meanwhile. Connections that became ready and were lost still count.
 */
export function noteReady(step: Step): void {
  const { saved, now } = step;
  const lost = saved.lost + 1;
  save(step, { resumeTries: 0, lost });
  if (saved.attempts <= lost) return;
  save(step, { attempts: lost });
  waitFor(step, Math.min(Math.max(saved.nextAttemptAt - now, 0), backoff(step, lost)));
}

/** Updates the number that is stored as received: everything up to it no longer depends on a replay. It never goes back. */
export function commitSeq(step: Step): void {
  const { session } = step.saved;
  const seq = receivedSeq(step);
  if (session && seq !== null && seq > session.seq) step.saved = { ...step.saved, session: { ...session, seq } };
}

/** Replaces the connection, mostly with its next stage. */
export const setConnection = (step: Step, connection: Connection): void => setLive(step, { connection });

/** Returns the socket of this generation if it is the current one. */
export function socketOf({ live }: Step, generation: number): Socket | null {
  const { connection } = live;
  const isSocket = connection.stage !== "idle" && connection.stage !== "looking_up";
  return isSocket && connection.generation === generation ? connection : null;
}

/** Drops the session and its seq: a new session with an old number would ask for a stream that doesn't exist (vellum-assistant#39266). */
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

/** Returns the wait, doubled with each attempt, ± 20 %, so that many bots don't come back together. */
function backoff(step: Step, attempts: number): number {
  return Math.min(BACKOFF_MS * 2 ** attempts * (0.8 + 0.4 * chance(step)), MAX_BACKOFF_MS);
}
