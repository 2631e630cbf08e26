// The gateway's session: takes one input and decides what follows from it. Pure; a life begins with `beginGateway`.
// Discord's docs (events/gateway) are the source unless another one is named.
import { plan } from "./agenda.ts";
import {
  isSameProgram,
  lose,
  noBackoff,
  onClosed,
  onFound,
  onNotFound,
  reach,
  setConnection,
  socketOf,
} from "./connection.ts";
import { confirm, dismiss, fail, failRole, rebaseForwards, tickForwards } from "./forwarding.ts";
import { onFrame } from "./frames.ts";
import type { GatewayState } from "./gateway-state.ts";
import { tickConnection } from "./heartbeats.ts";
import type { GatewayAction, GatewayInput } from "./inputs-and-actions.ts";
import { onRead, onReadFailed, onRole, rebaseReading, tickReading } from "./reading.ts";
import { act, beginStep, type Step, save, setLive } from "./step.ts";
import { HELLO_LIMIT_MS, MAX_SET_BACK_MS } from "./timings.ts";

/** Returns the next state and what to do, in this order. Never throws. Also does whatever is due at `now`, unless the input is a frame. */
export function stepGateway(
  state: GatewayState,
  input: GatewayInput,
  now: number,
): { state: GatewayState; actions: GatewayAction[] } {
  const step = beginStep(state, now);
  if (now < state.live.now - MAX_SET_BACK_MS) onClockSetBack(step);
  setLive(step, { now });
  take(step, input);
  if (!step.isRestarting && input.kind !== "frame") tick(step);
  plan(step, input);
  if (step.isRestarting) act(step, { kind: "restart" });
  const { program, saved, live, known } = step;
  return { state: { program, saved, live, known }, actions: step.actions };
}

function take(step: Step, input: GatewayInput): void {
  switch (input.kind) {
    case "wake":
      onWake(step, input);
      break;
    case "alarm":
      setLive(step, { alarmAt: null });
      break;
    case "timer":
      setLive(step, { timerAt: null });
      break;
    case "found":
      onFound(step, input);
      break;
    case "not_found":
      onNotFound(step, input);
      break;
    case "opened":
    case "frame":
    case "closed":
    case "failed":
      takeFromSocket(step, input);
      break;
    case "forwarded":
      confirm(step, input.key, input.answerTo);
      break;
    case "forward_failed":
      fail(step, input.key);
      break;
    case "refused":
      dismiss(step, input.key);
      break;
    case "role":
      onRole(step, input.guildId, input.roleId);
      break;
    case "role_failed":
      failRole(step, input.guildId);
      break;
    case "read":
      onRead(step, input);
      break;
    case "read_failed":
      onReadFailed(step, input);
      break;
    case "end":
      lose(step, { line: "the program ends", code: 1000, next: "identify" });
      setLive(step, { isEnded: true });
      break;
  }
}

/** Handles what the current socket reports, and ignores older sockets. */
function takeFromSocket(
  step: Step,
  input: Extract<GatewayInput, { kind: "opened" | "frame" | "closed" | "failed" }>,
): void {
  const socket = socketOf(step, input.generation);
  if (!socket) return;
  if (input.kind === "frame") onFrame(step, socket, input.frame);
  else if (input.kind === "closed") onClosed(step, input.code);
  else if (input.kind === "failed")
    lose(step, { line: "the gateway's connection broke", detail: { status: input.status } });
  else if (socket.stage === "opening")
    setConnection(step, { ...socket, stage: "greeting", deadlineAt: step.now + HELLO_LIMIT_MS });
}

/**
 * A person who starts the program may have fixed what was refused or failed before, so there is no backoff. Identifies keep their gap.
 * The Worker that calls may be newer than this life, or older after a rollback. Either way its version should run: this one is retired,
 * and neither stays connected nor connects again, even if Cloudflare starts it again. A third version may connect.
 */
function onWake(step: Step, { caller, isStart }: Extract<GatewayInput, { kind: "wake" }>): void {
  const { program, saved } = step;
  if (isStart && step.live.connection.stage === "idle") save(step, { refused: null, ...noBackoff });
  if (!caller) return;
  if (isSameProgram(program, caller)) {
    if (saved.retired && isSameProgram(saved.retired, program)) save(step, { retired: null });
    return;
  }
  save(step, { retired: program });
  lose(step, { line: "another version takes over", detail: { version: caller.version } });
  step.isRestarting = true;
}

/** Starts over after the clock was set back: all times in memory are then in the future, and no heartbeat would be due until they are reached. */
function onClockSetBack(step: Step): void {
  lose(step, { line: "the clock was set back" });
  rebaseForwards(step);
  rebaseReading(step);
  setLive(step, { alarmAt: null });
}

function tick(step: Step): void {
  tickConnection(step);
  if (step.program.on) tickForwards(step);
  tickReading(step);
  reach(step);
}
