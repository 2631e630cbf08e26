// Lock, queue, follow-ups and stops under random interleavings, compared with a reference that is simple to read: one running turn, a list
// of waiting ones, and how each ended. A crash must change nothing but the count of takeovers.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TurnStatus } from "../../../src/core/state/record.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const USERS = ["10", "11", "12", "13", "14"];
const MODERATOR = "99";
const LIMITS = { maxQueueLength: 5, maxQueuedPerUser: 2, maxFollowUpInterrupts: 2 };
const SILENCE_MS = 300_000;
/** A reply's first edit is a sign of life too, and comes within this time after the turn begins. */
const FIRST_EDIT_MS = 6000;
const MAX_LIVES_WITHOUT_PROGRESS = 3;

interface Expected {
  id: string;
  user: string;
  followUp: boolean;
  lives: number;
  /** The turn has been silent since this time, or since a time at most `unsureMs` later. */
  silentSince: number;
  unsureMs: number;
}

/** The reference: what a reader of the rules would expect. */
class Reference {
  running: Expected | null = null;
  queue: Expected[] = [];
  ended: Record<string, TurnStatus | "refused"> = {};
  interrupts: { user: string; count: number } | null = null;

  submit(id: string, user: string, now: number): void {
    const turn: Expected = { id, user, followUp: false, lives: 1, silentSince: now, unsureMs: FIRST_EDIT_MS };
    if (!this.running) this.start(turn, now);
    else if (this.running.user === user && this.interruptsOf(user) < LIMITS.maxFollowUpInterrupts) {
      for (const older of this.queue) if (older.followUp && older.user === user) this.ended[older.id] = "superseded";
      this.queue = [{ ...turn, followUp: true }, ...this.queue.filter((older) => !(older.id in this.ended))];
      this.end("follow_up_interrupt", now);
    } else if (this.queue.length >= LIMITS.maxQueueLength) this.ended[id] = "refused";
    else if (this.queue.filter((waiting) => waiting.user === user).length >= LIMITS.maxQueuedPerUser)
      this.ended[id] = "refused";
    else this.queue.push(turn);
  }

  stop(kind: "stop" | "kill", user: string, turnId: string | null, now: number): void {
    const mayEnd = (turn: Expected) => user === MODERATOR || turn.user === user;
    const target = turnId ? [this.running, ...this.queue].find((turn) => turn?.id === turnId) : this.running;
    if (turnId ? !target : !target && kind === "stop") return;
    if (target && !mayEnd(target)) return;
    if (kind === "kill") {
      for (const waiting of this.queue) if (mayEnd(waiting) && waiting !== target) this.ended[waiting.id] = "cleared";
      this.queue = this.queue.filter(({ id }) => !(id in this.ended));
    }
    if (target && target === this.running) this.end("stopped_by_user", now);
    else if (target) {
      this.ended[target.id] = "stopped_by_user";
      this.queue = this.queue.filter((turn) => turn !== target);
    }
  }

  end(status: TurnStatus, now: number): void {
    const { running } = this;
    if (!running) return;
    this.ended[running.id] = status;
    const count = this.interruptsOf(running.user);
    this.interrupts = status === "follow_up_interrupt" ? { user: running.user, count: count + 1 } : null;
    this.running = null;
    const next = this.queue.shift();
    if (next) this.start(next, now);
  }

  crash(now: number): void {
    if (!this.running) return;
    this.running.lives++;
    this.running.silentSince = now;
    this.running.unsureMs = FIRST_EDIT_MS;
    if (this.running.lives > MAX_LIVES_WITHOUT_PROGRESS) this.end("error", now);
  }

  /** The first time, from `at` on, at which it is certain whether the running turn has been silent for too long. */
  surelyFrom(at: number): number {
    if (!this.running) return at;
    const { silentSince, unsureMs } = this.running;
    const silentMs = at - silentSince;
    return silentMs >= SILENCE_MS && silentMs < SILENCE_MS + unsureMs ? silentSince + SILENCE_MS + unsureMs : at;
  }

  /** Only call it at a time at which that is certain. */
  pass(now: number): void {
    const { running } = this;
    if (!running || now - running.silentSince < SILENCE_MS) return;
    this.end("timeout", running.silentSince + SILENCE_MS);
    if (this.running) this.running.unsureMs += running.unsureMs;
  }

  private interruptsOf(user: string): number {
    return this.interrupts?.user === user ? this.interrupts.count : 0;
  }

  private start(turn: Expected, now: number): void {
    this.running = { ...turn, silentSince: now, unsureMs: FIRST_EDIT_MS };
    if (this.interrupts?.user !== turn.user) this.interrupts = null;
  }
}

type Command =
  | { do: "submit"; user: string }
  | { do: "stop" | "kill"; user: string; target: number | null }
  | { do: "answer" | "crash" | "repeat" }
  | { do: "wait"; ms: number };

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("submit" as const), user: fc.constantFrom(...USERS) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("stop" as const, "kill" as const),
      user: fc.constantFrom(...USERS, MODERATOR),
      target: fc.option(fc.nat(20)),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("answer" as const, "crash" as const, "repeat" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 90_000 }) }) },
);

/** More questions than one person may usually ask in a minute. */
const SIX_BY_ONE = ["submit", "submit", "submit", "submit", "stop", "submit", "submit"].map((what): Command => {
  return what === "stop" ? { do: what, user: "11", target: null } : { do: "submit", user: "11" };
});

/** The limit of silence to the millisecond, after a turn that was waiting: its reply must remove a line first. */
const JUST_SILENT: readonly Command[] = [
  { do: "submit", user: "10" },
  { do: "submit", user: "13" },
  { do: "answer" },
  { do: "wait", ms: SILENCE_MS },
];

/** The channel and the reference side by side, and the ids used so far. */
interface Pair {
  channel: ChannelHarness;
  reference: Reference;
  ids: string[];
  controls: number;
}

async function run(pair: Pair, command: Command): Promise<void> {
  const { channel, reference, ids } = pair;
  const now = channel.clock.now();
  switch (command.do) {
    case "submit": {
      const id = String(1000 + ids.length);
      ids.push(id);
      channel.submit({ trigger: { ...testRequest(id, command.user), receivedAt: now } });
      reference.submit(id, command.user, now);
      break;
    }
    case "repeat": {
      const last = ids.at(-1);
      if (last) channel.submit({ trigger: testRequest(last) });
      break;
    }
    case "stop":
    case "kill": {
      const turnId = command.target === null ? null : (ids[command.target] ?? null);
      const moderator = command.user === MODERATOR;
      const interactionId = `control ${pair.controls++}`;
      channel.stop({ interactionId, kind: command.do, turnId, userId: command.user, userName: "x", moderator });
      reference.stop(command.do, command.user, turnId, now);
      break;
    }
    case "answer": {
      const isRunning = reference.running !== null;
      const answered = channel.answer([
        { kind: "text", text: "words" },
        { kind: "end", finishReason: "stop", calls: [], usage: null },
      ]);
      expect(answered).toBe(isRunning);
      reference.end("completed", now);
      break;
    }
    case "crash":
      channel.crash();
      channel.runAlarm();
      reference.crash(now);
      break;
    case "wait":
      await channel.clock.advance(reference.surelyFrom(now + command.ms) - now);
      reference.pass(channel.clock.now());
  }
}

function compare({ channel, reference, ids }: Pair): void {
  const { lock, running, queue } = channel.store.state();
  const endings = ids.map((id) => [id, channel.store.turn(id)] as const);
  expect({
    running: running?.id ?? null,
    lock: lock.turnId,
    queue: queue.map(({ id }) => id),
    ended: Object.fromEntries(
      endings.flatMap(([id, turn]) => (turn?.refusal ? [[id, "refused"]] : turn?.status ? [[id, turn.status]] : [])),
    ),
    streams: channel.streams(),
    isAwake: channel.alarmAt() !== null || (running === null && queue.length === 0),
  }).toEqual({
    running: reference.running?.id ?? null,
    lock: reference.running?.id ?? null,
    queue: reference.queue.map(({ id }) => id),
    ended: reference.ended,
    streams: reference.running ? 1 : 0,
    isAwake: true,
  });
}

describe("lock, queue, follow-ups and stops", () => {
  it("match the reference under any interleaving of messages, stops, kills, ends, crashes and time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 12, maxLength: 36, size: "max" }), async (commands) => {
        const pair: Pair = {
          channel: createChannelHarness({ config: LIMITS }),
          reference: new Reference(),
          ids: [],
          controls: 0,
        };
        // The limit of questions per person has its own tests.
        pair.channel.store.putSetting("turns_per_minute", "0");
        for (const one of commands) {
          await run(pair, one);
          await pair.channel.drain();
          await pair.channel.drain();
          compare(pair);
        }
        // Whatever happened, once everyone is answered, the lock is free and nothing is planned.
        while (pair.reference.running) {
          await run(pair, { do: "answer" });
          await pair.channel.drain();
        }
        await pair.channel.clock.advance(60_000);
        expect(pair.channel.store.state().closing).toEqual([]);
        expect([pair.channel.alarmAt(), pair.channel.clock.pending()]).toEqual([null, 0]);
      }),
      { numRuns: 250, examples: [[SIX_BY_ONE], [[...JUST_SILENT]]] },
    );
  });
});
