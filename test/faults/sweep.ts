// The fault sweep: plays a story once to count the calls that the object makes of its ports, then once for every fault of every call,
// and with randomly chosen pairs of faults. After each run it checks what people and receivers saw.
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { FaultHarness } from "../support/fault-harness.ts";
import { FAULTS_OF, type FaultKind, type FaultPlan, isLasting, listSingles, planFaults, seededRandom } from "./plan.ts";
import { isFinal, type Meanwhile, People, runningTurn, watchRejections } from "./stage.ts";
import type { Story } from "./stories.ts";
import { type Ends, findViolations } from "./violations.ts";

/** The result of sweeping one story. */
export interface SweepResult {
  story: string;
  calls: number;
  runs: number;
  faults: number;
  violations: string[];
}

/** How many pairs begin with each single fault. */
const PAIRS_PER_SINGLE = 2;
const SEED = 20_301;

type Chosen = readonly [call: number, kind: FaultKind];

/** How much of a story a sweep plays: every `every`th single fault, and with `pairs` some second faults after each. */
export interface Extent {
  every: number;
  pairs: boolean;
}

/** Sweeps one story. */
export async function sweep(story: Story, { every, pairs }: Extent): Promise<SweepResult> {
  const whole = await play(story, planFaults(), "wait", null);
  const result: SweepResult = {
    story: story.name,
    calls: whole.plan.calls.length,
    runs: 1,
    faults: 0,
    violations: whole.violations.map((what) => `no fault: ${what}`),
  };
  // The story itself or the program without any fault is wrong, and each fault would only repeat it.
  if (whole.violations.length > 0) return result;
  const one = async (meanwhile: Meanwhile, ...chosen: Chosen[]): Promise<FaultPlan> => {
    const { plan, violations } = await play(story, planFaults(...chosen), meanwhile, whole.ends);
    result.runs++;
    result.faults += plan.hit.length;
    const how = plan.hit.map(({ port, name, kind }) => `${port} ${kind} (${name})`).join(" + ");
    const numbers = chosen.map(([call]) => call).join(", ");
    result.violations.push(...violations.map((what) => `${numbers}: ${how}, ${meanwhile}: ${what}`));
    return plan;
  };
  const random = seededRandom(SEED);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const singles = listSingles(whole.plan.calls).filter((_, index) => index % every === 0);
  for (const single of singles) {
    const { calls } = await one("wait", single);
    if (isLasting(single[1])) for (const how of ["stop", "kill"] as const) await one(how, single);
    for (let pair = 0; pairs && pair < PAIRS_PER_SINGLE; pair++) {
      const call = 1 + Math.floor(random() * calls.length);
      const port = calls[call - 1]?.port;
      const kind = port && pick(FAULTS_OF[port].filter((one) => one !== "huge"));
      if (kind && call !== single[0]) await one("wait", single, [call, kind]);
    }
  }
  return result;
}

interface Played {
  plan: FaultPlan;
  ends: Ends;
  violations: string[];
}

/** Plays a story once. */
export async function play(story: Story, plan: FaultPlan, meanwhile: Meanwhile, clean: Ends | null): Promise<Played> {
  const world = new FaultHarness(story, plan, story.channelId);
  const people = new People(world, meanwhile);
  world.openDoor();
  const restore = watchRejections(world);
  try {
    await story.play(people.stage());
    await people.rest();
    // From here on the run shows what the faults left behind.
    plan.isOver = true;
    await people.say(PEOPLE.mira, "after that");
    const last = people.asked.at(-1);
    await people.seen(() => last !== undefined && isFinal(people.reply(last)));
    await people.rest();
    await world.settle();
    const { ends, violations } = findViolations(world, people, meanwhile, clean);
    return { plan, ends, violations: [...people.violations, ...violations] };
  } catch (error) {
    const broke = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { plan, ends: new Map(), violations: [`the run broke: ${broke}, running ${runningTurn(world)}`] };
  } finally {
    world.restart();
    restore();
  }
}
