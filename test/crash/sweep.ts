// The crash sweep: plays a scenario, ends the object's life at a chosen point (and at a second one while it recovers), lets it
// recover by its alarm alone, sends a second message and checks what the receivers saw.

import { vi } from "vitest";
import { APPROVAL_LIFE_MS } from "../../src/core/decisions/approval.ts";
import { isAtRest } from "../../src/core/decisions/compaction.ts";
import { type FaultPlan, planDeaths } from "../support/faults.ts";
import { BOT } from "../support/gateway-door.ts";
import { MIRA, type WorkerdHarness } from "../support/workerd-harness.ts";
import { inside, runAlarm, world } from "../workers/arrange.ts";
import { answerTo } from "./answers.ts";
import { type Asked, brokenInvariants, canBeStopped } from "./invariants.ts";
import type { ScopeScenario, ScopeStage } from "./scenario.ts";
import { scopeActions, settleScopes } from "./scope-stage.ts";

/** Pauses of seconds pass in milliseconds, in proportion. */
const FACTOR = 250;
/** No scenario tests a timeout or a deadline, so a busy machine must not cause one. */
const PATIENT = { firstTokenTimeoutMs: 1e9, streamTimeoutMs: 1e9, toolTimeoutMs: 1e9, turnDeadlineMs: 1e9 };
const REST_LIMIT_MS = 120_000;
/** The time between two looks at a channel. Each look is an event of the object, which has other work to do. */
const LOOK_MS = 3;
const SOON_MS = 5 * 60_000;

/** One run: how often lives ended, the points passed after the last death, and the broken rules. */
export interface Run {
  died: number;
  passed: string[];
  broken: string[];
}

/** The result of sweeping one scenario. */
export interface SweepResult {
  scenario: string;
  points: number;
  writes: number;
  runs: number;
  deaths: number;
  broken: string[];
}

/** Plays every single death of a scenario, then (with `pairs`) each death during the recovery from it. */
export async function sweep(scenario: ScopeScenario, pairs: boolean): Promise<SweepResult> {
  const whole = await play(scenario, planDeaths());
  const result: SweepResult = {
    scenario: scenario.name,
    points: whole.passed.length,
    writes: whole.passed.filter((name) => name === "write").length,
    runs: 1,
    deaths: 0,
    broken: whole.broken.map((fault) => `no death: ${fault}`),
  };
  // The scenario itself or the program without any death is wrong, and each death would only repeat it.
  if (whole.broken.length > 0) return result;
  const one = async (...deaths: number[]): Promise<Run> => {
    const run = await play(scenario, planDeaths(...deaths));
    result.runs++;
    result.deaths += run.died;
    result.broken.push(...run.broken.map((fault) => `death at ${deaths.join(", then ")}: ${fault}`));
    return run;
  };
  for (let first = 1; ; first++) {
    const single = await one(first);
    if (single.died === 0) return result;
    if (!pairs) continue;
    for (let second = 1; second <= single.passed.length; second++) if ((await one(first, second)).died < 2) break;
  }
}

/** Plays a scenario once. */
export async function play(scenario: ScopeScenario, faults: FaultPlan): Promise<Run> {
  const w = world({
    factor: scenario.factor ?? FACTOR,
    faults,
    answerTo: scenario.answerTo,
    ...(scenario.models && { models: scenario.models }),
    config: { ...PATIENT, ...scenario.config },
    ...(scenario.variables && { variables: scenario.variables }),
    ...(scenario.scopes && { scopes: scenario.scopes }),
  });
  const asked: Asked[] = [];
  const stage = stageOf(w, asked);
  await scenario.play(stage);
  await stage.seen(() => false);
  await settleScopes(w);
  const passed = [...faults.passed];
  const { died } = faults;
  // From here on nothing dies. The next message and the check after it show what the deaths left behind.
  w.faults.deaths = [];
  await stage.say(MIRA, "after that");
  await stage.seen(() => false);
  await settleScopes(w);
  return { died, passed, broken: await brokenInvariants(w, scenario, asked) };
}

function stageOf(w: WorkerdHarness, asked: Asked[]): ScopeStage {
  const find = (text: string) => asked.find((one) => one.text === text);
  const replyTo = (text: string) => {
    const one = find(text);
    return (one && answerTo(w.discord.messages(w.channelId, MIRA), one)?.id) ?? "";
  };
  const pass = async (ms: number) => {
    w.time.jump(ms);
    await runAlarm(w).catch(() => {
      w.faults.isDead = true;
    });
  };
  /** Runs the alarm. If a life ends in it, another alarm follows, as on the platform. */
  const ring = async () => {
    w.faults.isDead = false;
    await runAlarm(w).catch(() => {
      w.faults.isDead = true;
    });
  };
  return {
    world: w,
    async say(as, text, file) {
      const { messageId, token } = await w.say(as, text, file);
      asked.push({ text, by: as, messageId: messageId ?? "", token });
    },
    async write(as, text, file) {
      const words = { as, channel: w.channelId, content: `${BOT} ${text}` };
      const questionId = w.discord.speak({ ...words, ...(file && { file }) });
      asked.push({ text, by: as, messageId: "", token: "", questionId });
    },
    async edit(as, ofText, text) {
      const one = find(ofText);
      w.discord.touch({ kind: "edit", as, messageId: one?.questionId ?? "", content: `${BOT} ${text}` });
      if (one) one.text = text;
    },
    async remove(as, ofText) {
      const one = find(ofText);
      if (one) asked.splice(asked.indexOf(one), 1);
      w.discord.touch({ kind: "delete", as, messageId: one?.questionId ?? "" });
    },
    async use(as, command) {
      await w.use(as, command);
    },
    async clickStop(as, ofText) {
      await w.click(as, replyTo(ofText), "Stop");
    },
    async decide(as, ofText, label) {
      await w.click(as, replyTo(ofText), label);
    },
    async change(as, ofText, label) {
      const isThere = ({ components }: { components: unknown[] }) => JSON.stringify(components).includes(`"${label}"`);
      const message = w.discord.messages(w.channelId, as).findLast(isThere);
      const { messageId = "", token } = await w.click(as, message?.id ?? "", label);
      const one = find(ofText);
      if (one && label === "Delete") asked.splice(asked.indexOf(one), 1);
      else if (one) asked.splice(asked.indexOf(one), 1, { text: one.text, by: one.by, messageId, token });
      return true;
    },
    expire: () => pass(APPROVAL_LIFE_MS),
    pass,
    ...scopeActions(w),
    async seen(condition) {
      const isOver = async () => {
        if (w.faults.isDead) await ring();
        const isQuiet = w.door.open() === 0 && isSettled(w, asked);
        const { plannedAt, isIdle } = await look(w);
        // Only what is planned is left, so there is nothing else to wait for.
        if (isQuiet && isIdle && plannedAt !== null && plannedAt > w.time.now()) w.time.jump(plannedAt - w.time.now());
        if (plannedAt !== null && plannedAt <= w.time.now()) await ring();
        return condition() || (isQuiet && isIdle && plannedAt === null && !w.faults.isDead);
      };
      await vi.waitUntil(isOver, { interval: LOOK_MS, timeout: REST_LIMIT_MS }).catch(() => {
        throw new Error(`the channel never came to rest: ${JSON.stringify(w.answers())} ${w.faults.passed.slice(-5)}`);
      });
    },
  };
}

/** Whether Discord shows no reply that is still waiting, thinking or running. */
function isSettled(w: WorkerdHarness, asked: Asked[]): boolean {
  const shown = w.discord.messages(w.channelId, MIRA);
  return asked.every((one) => {
    const message = answerTo(shown, one);
    return !message || (!message.loading && !canBeStopped(message));
  });
}

/** Whether anything is under way, and when the object's alarm is due in the world's time: the platform's own alarm follows real time. */
const look = (w: WorkerdHarness): Promise<{ plannedAt: number | null; isIdle: boolean }> =>
  inside(w, ({ channel }) => {
    const state = channel.ports.store.state();
    const { running, queue, closing, lock } = state;
    const mayCompact = channel.compacting === null && isAtRest(state);
    const dueAt = channel.ports.reminders.nextDueAt();
    const plans = [
      // If it comes much later, the scenario itself waits for it.
      dueAt !== null && dueAt < w.time.now() + SOON_MS ? dueAt : null,
      mayCompact ? (lock.compaction?.at ?? null) : null,
    ].filter((at) => at !== null);
    const isCompacting = channel.compacting !== null || (lock.compaction?.at != null && !mayCompact);
    // A private sentence on its way only shows as a timer.
    const left = queue.length + closing.length + channel.finishing.size + channel.ports.timers.pending;
    return {
      plannedAt: plans.length > 0 ? Math.min(...plans) : null,
      isIdle: channel.live === null && running === null && left === 0 && !isCompacting,
    };
  }).catch(() => ({ plannedAt: null, isIdle: false }));
