// What a stop and a kill end: every situation against every kind of asker, by command and by button.
import { describe, expect, it } from "vitest";
import { decideStop, type KillPolicy } from "../../../src/core/decisions/stop.ts";
import type { ChannelState } from "../../../src/core/state/record.ts";
import type { StopRequest } from "../../../src/core/state/rpc.ts";
import { testRequest } from "../../support/store-contract.ts";
import { channel, flag, runningTurn, turn } from "./turns.ts";

const OWNER = "10";
const STRANGER = "30";
const NOW = 5000;

const request = (more: Partial<StopRequest>): StopRequest => ({
  interactionId: "i",
  kind: "stop",
  turnId: null,
  userId: OWNER,
  userName: "x",
  moderator: false,
  ...more,
});

/** Who asks: the owner of the running turn, a moderator, or a stranger. */
const askers: [who: string, asker: Partial<StopRequest>][] = [
  ["owner", { userId: OWNER }],
  ["moderator", { userId: "99", moderator: true }],
  ["stranger", { userId: STRANGER }],
];

/** The answer, the flagged turn and the ended turns, in one line. */
function told(state: ChannelState, asked: Partial<StopRequest>, policy: KillPolicy = "owner_or_moderator"): string {
  const { answer, flag: flagged, end } = decideStop(state, request(asked), policy, NOW);
  const what = answer.result === "stopped" ? `${answer.what}, cleared ${answer.cleared}` : "";
  const cleared = answer.result === "cleared_queue" ? String(answer.cleared) : "";
  const ended = end.map(({ turnId, as }) => `${turnId} ${as}`).join(", ");
  return [answer.result, what, cleared, flagged ? `flag ${flagged.turnId} ${flagged.flag.kind}` : "", ended]
    .filter(Boolean)
    .join("; ");
}

const running = runningTurn(OWNER);
const queue = [turn("2", STRANGER), turn("3", OWNER), turn("4", "40")];
const parked = [turn("5", OWNER, { state: "parked" }), turn("6", STRANGER, { state: "parked" })];

const opening = [
  turn("7", OWNER, { state: "closing", threadSince: 1 }),
  turn("8", OWNER, { state: "closing", threadSince: 1, threadId: "80" }),
  turn("9", OWNER, { state: "closing" }),
];

const situations: [situation: string, state: ChannelState, stop: string[], kill: string[]][] = [
  [
    "nothing runs",
    channel(),
    ["nothing_to_stop", "nothing_to_stop", "nothing_to_stop"],
    ["nothing_to_stop", "nothing_to_stop", "nothing_to_stop"],
  ],
  [
    "a thread is opened for one question, and the thread of the next may have it already",
    channel({ closing: opening }),
    ["stopped; running, cleared 0; 7 stopped_by_user", "stopped; running, cleared 0; 7 stopped_by_user", "not_allowed"],
    ["stopped; running, cleared 0; 7 stopped_by_user", "stopped; running, cleared 0; 7 stopped_by_user", "not_allowed"],
  ],
  [
    "a turn runs and a thread is opened for a question",
    channel({ running, closing: opening }),
    ["stopped; running, cleared 0; flag 1 stop", "stopped; running, cleared 0; flag 1 stop", "not_allowed"],
    [
      "stopped; running, cleared 1; flag 1 kill; 7 cleared",
      "stopped; running, cleared 1; flag 1 kill; 7 cleared",
      "not_allowed",
    ],
  ],
  [
    "a turn runs and no one waits",
    channel({ running }),
    ["stopped; running, cleared 0; flag 1 stop", "stopped; running, cleared 0; flag 1 stop", "not_allowed"],
    ["stopped; running, cleared 0; flag 1 kill", "stopped; running, cleared 0; flag 1 kill", "not_allowed"],
  ],
  [
    "a turn runs and three wait",
    channel({ running, queue }),
    ["stopped; running, cleared 0; flag 1 stop", "stopped; running, cleared 0; flag 1 stop", "not_allowed"],
    [
      "stopped; running, cleared 1; flag 1 kill; 3 cleared",
      "stopped; running, cleared 3; flag 1 kill; 2 cleared, 3 cleared, 4 cleared",
      "not_allowed",
    ],
  ],
  [
    "nothing runs and two are parked",
    channel({ parked }),
    [
      "stopped; parked, cleared 0; 5 stopped_by_user",
      "stopped; parked, cleared 0; 5 stopped_by_user, 6 stopped_by_user",
      "stopped; parked, cleared 0; 6 stopped_by_user",
    ],
    [
      "stopped; parked, cleared 0; 5 stopped_by_user",
      "stopped; parked, cleared 0; 5 stopped_by_user, 6 stopped_by_user",
      "stopped; parked, cleared 0; 6 stopped_by_user",
    ],
  ],
  [
    "a stop is already pending",
    channel({ running: { ...running, stop: flag("stop") } }),
    ["stopped; running, cleared 0; flag 1 stop", "stopped; running, cleared 0; flag 1 stop", "not_allowed"],
    ["stopped; running, cleared 0; flag 1 kill", "stopped; running, cleared 0; flag 1 kill", "not_allowed"],
  ],
];

describe("a stop by command", () => {
  it.each(situations)("when %s: by the owner, a moderator, a stranger", (_situation, state, stop, kill) => {
    expect(askers.map(([, asker]) => told(state, { ...asker, kind: "stop" }))).toEqual(stop);
    expect(askers.map(([, asker]) => told(state, { ...asker, kind: "kill" }))).toEqual(kill);
  });

  it("is allowed to anyone if the channel is set that way", () => {
    const state = channel({ running, queue });
    expect(told(state, { userId: STRANGER }, "anyone")).toBe("stopped; running, cleared 0; flag 1 stop");
    expect(told(state, { userId: STRANGER, kind: "kill" }, "anyone")).toBe(
      "stopped; running, cleared 3; flag 1 kill; 2 cleared, 3 cleared, 4 cleared",
    );
  });

  it("clears the queue that a lost turn left behind", () => {
    expect(told(channel({ queue }), { userId: "99", moderator: true, kind: "kill" })).toBe(
      "cleared_queue; 3; 2 cleared, 3 cleared, 4 cleared",
    );
  });
});

describe("a Stop button", () => {
  const state = channel({ running, queue, parked });

  it.each([
    [
      "the running turn",
      "1",
      ["stopped; running, cleared 0; flag 1 stop", "stopped; running, cleared 0; flag 1 stop", "not_allowed"],
    ],
    [
      "a stranger's waiting turn",
      "2",
      ["not_allowed", "stopped; queued, cleared 0; 2 stopped_by_user", "stopped; queued, cleared 0; 2 stopped_by_user"],
    ],
    [
      "a parked turn",
      "5",
      ["stopped; parked, cleared 0; 5 stopped_by_user", "stopped; parked, cleared 0; 5 stopped_by_user", "not_allowed"],
    ],
    ["a turn that has ended", "77", ["already_finished", "already_finished", "already_finished"]],
  ])("stops only its own turn: %s", (_which, turnId, wanted) => {
    expect(askers.map(([, asker]) => told(state, { ...asker, turnId }))).toEqual(wanted);
  });
});

describe("the stop flag", () => {
  it("names who stopped the turn, and an equal or weaker request keeps that name", () => {
    const first = decideStop(channel({ running }), request({ userName: "Theo" }), "anyone", NOW).flag?.flag;
    expect(first).toEqual({ kind: "stop", by: OWNER, byName: "Theo", at: NOW });
    const again = channel({ running: { ...running, stop: { kind: "kill", by: "99", byName: "Mira", at: 1 } } });
    expect(decideStop(again, request({}), "anyone", NOW).flag?.flag).toEqual({
      kind: "kill",
      by: "99",
      byName: "Mira",
      at: 1,
    });
    const same = channel({ running: { ...running, stop: { kind: "stop", by: "99", byName: "Mira", at: 1 } } });
    expect(decideStop(same, request({}), "anyone", NOW).flag?.flag.byName).toBe("Mira");
    const interrupted = channel({ running: { ...running, stop: flag("follow_up") } });
    expect(decideStop(interrupted, request({}), "anyone", NOW).flag?.flag.kind).toBe("stop");
  });

  it("is set only by the asker in a conversation between people, whatever an older Worker or a setting says", () => {
    const request = { ...testRequest("1", "10"), botIsHere: false };
    const state = channel({ running: runningTurn("10", { request }), queue: [turn("2", "10", { request })] });
    const of = (userId: string) => told(state, { userId, moderator: true, kind: "kill" }, "anyone");
    expect([of("99"), of("10")]).toEqual(["not_allowed", told(state, { userId: "10", kind: "kill" })]);
    expect(of("10")).toContain("stopped");
  });

  it("is set only by the person who brought the bot along, and a stranger's command doesn't reveal that person's turn", () => {
    const running = runningTurn(OWNER, { request: { ...testRequest("1", OWNER), botIsHere: false, privateTo: OWNER } });
    const clicks = askers.map(([, asker]) => told(channel({ running }), { ...asker, turnId: "1" }, "anyone"));
    expect(clicks).toEqual(["stopped; running, cleared 0; flag 1 stop", "not_allowed", "not_allowed"]);
    expect(told(channel({ running }), { userId: STRANGER }, "anyone")).toBe("nothing_to_stop");
  });
});
