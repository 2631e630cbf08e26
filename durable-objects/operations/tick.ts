// Does everything that is due. The alarm and every request call it; repeating a step is harmless.

import { type Due, dueAt } from "../../src/core/decisions/agenda.ts";
import type { TurnAbort } from "../../src/turn/ports.ts";
import type { Channel } from "../live-channel.ts";
import { readCalendar } from "../schedule/rearm.ts";
import { sendReports } from "../scope-calls/usage-reports.ts";
import { prune } from "../upkeep/housekeeping.ts";
import { deleteOld } from "../upkeep/retention.ts";
import { finishReply } from "./finish-reply.ts";
import { fireReminders } from "./fire-reminders.ts";
import { startNext } from "./launch.ts";
import { expireApprovals, showRequest } from "./parking.ts";
import { warnIfSlow } from "./soft-warning.ts";
import { takeAway, takeOver } from "./take-over.ts";
import { prepareTokenEnds } from "./token-end.ts";

/** Does everything that is due now, in the agenda's order, then fires the timers that are overdue. */
export function tick(channel: Channel): void {
  const { ports } = channel;
  const now = ports.clock();
  const state = ports.store.state();
  // If this life has the lock but not its turn in memory, the turn was lost, too.
  const { lock } = state;
  const isHeld = channel.live?.turnId === lock.turnId && channel.live?.epoch === lock.epoch;
  const alive = isHeld ? ports.instance : "";
  for (const due of dueAt(state, readCalendar(channel, state), alive, now)) carryOut(channel, due);
  // Tool deadlines and idle timeouts end by their own timers, which run here if the runtime has not fired them.
  ports.timers.runDue(now);
}

function carryOut(channel: Channel, due: Due): void {
  const { ports, live } = channel;
  switch (due.kind) {
    case "takeover":
      takeOver(channel);
      break;
    case "overdue_turn":
      takeAway(channel);
      break;
    case "turn_deadline":
      live?.controller.abort({ kind: "deadline" } satisfies TurnAbort);
      break;
    case "soft_warn":
      warnIfSlow(channel);
      break;
    case "start":
      startNext(channel);
      break;
    case "close": {
      const turn = ports.store.turn(due.turnId);
      if (turn) void finishReply(channel, turn);
      break;
    }
    case "ask": {
      const turn = ports.store.turn(due.turnId);
      if (turn) showRequest(channel, turn);
      break;
    }
    case "approval_expiry":
      expireApprovals(channel);
      startNext(channel);
      break;
    case "housekeeping":
      prune(channel);
      break;
    case "report":
      sendReports(channel);
      break;
    case "retention":
      deleteOld(channel);
      break;
    case "compaction":
      // No turn needs this code, so a cold start doesn't load it.
      channel.ports.keepAlive(import("../upkeep/compact.ts").then(({ compact }) => compact(channel)));
      break;
    case "reminder":
      fireReminders(channel);
      break;
    case "token_renewal":
      prepareTokenEnds(channel);
      break;
  }
}

/** Runs an operation that can start or end something, then does what is due. Returns the operation's answer. */
export function runThenTick<Answer>(channel: Channel, operation: (channel: Channel) => Answer): Answer {
  const answer = operation(channel);
  tick(channel);
  return answer;
}
