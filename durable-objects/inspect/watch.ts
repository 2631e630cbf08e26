// Streams to the inspector's page, while somebody watches it, when to look again: at most one line a second, none while nothing changes.
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { openInspectedTurns } from "../store/inspected-turns.ts";

const GAP_MS = 1000;
/** The longest stream, after which the page connects again. An object that is watched stays in memory and costs money. */
const LONGEST_MS = 10 * 60_000;

const CHANGED = "data: changed\n\n";
const ENDED = "data: ended\n\n";
/** A comment line, by which a client that is gone is noticed. */
const STILL_HERE = ": waiting\n\n";
const QUIET_LOOKS = 15;

/**
 * Streams server-sent events about one turn, or about the channel if `turnId` is null. Ends with the turn, or after ten minutes. `onEnd` is
 * called once: then, or when nobody reads the stream any more.
 */
export function watchChannel(
  { store, database, timers, clock }: Pick<ChannelPorts, "store" | "database" | "timers" | "clock">,
  turnId: string | null,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const inspectedTurns = openInspectedTurns(database);
  const encoder = new TextEncoder();
  const endsAt = clock() + LONGEST_MS;
  let cancel = () => {};
  let seen = "";
  let quiet = 0;
  const look = (): { state: string; isOver: boolean } => {
    if (turnId === null) {
      const { running, queue } = store.state();
      return { state: `${inspectedTurns.newestAt()} ${queue.length} ${running ? clock() : ""}`, isOver: false };
    }
    const turn = store.turn(turnId);
    return { state: stateOf(turn, clock()), isOver: !turn || turn.state === "finished" };
  };
  return new ReadableStream({
    type: "bytes",
    start(controller) {
      const send = (line: string) => controller.enqueue(encoder.encode(line));
      const step = () => {
        const { state, isOver } = look();
        if (state !== seen) {
          send(CHANGED);
          quiet = 0;
        } else if (++quiet % QUIET_LOOKS === 0) send(STILL_HERE);
        seen = state;
        if (isOver) send(ENDED);
        if (!isOver && clock() < endsAt) cancel = timers.after(GAP_MS, step);
        else {
          controller.close();
          onEnd();
        }
      };
      seen = look().state;
      cancel = timers.after(GAP_MS, step);
    },
    cancel() {
      cancel();
      onEnd();
    },
  });
}

/** Returns a text that changes whenever the page would look different. While a turn runs, its bars grow. */
function stateOf(turn: TurnRecord | null, now: number): string {
  if (!turn) return "";
  const { state, phase, events, iteration, requests } = turn;
  return [state, phase, events.length, iteration, requests?.kept.length, state === "running" ? now : ""].join(" ");
}
