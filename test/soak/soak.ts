// `npm run soak`: many turns in many channels for a while, with `kill -9` of the whole runtime, faults of Discord and of the model, and
// stops, all given by a seed. Nothing may be lost or doubled, and the program's heap must stay flat while nobody kills it. Ends with a
// summary; the exit code is 1 if a rule is broken.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { leave, mistake, readFlags } from "../../src/scripts/arguments.ts";
import { type Runtime, startRuntime } from "../bench/world/processes.ts";
import { seededRandom } from "../faults/plan.ts";
import { COMPATIBILITY_FLAGS } from "../support/production.ts";
import { questionOf } from "./plan.ts";
import { bytesPerTurn, judge, type MemorySample } from "./verdict.ts";

const USAGE = `Usage: npm run soak [-- flags]

Runs many turns with deaths, faults and stops, and checks that nothing is lost or doubled and that memory stays flat.

  --minutes <n>   how long questions are asked (30)
  --turns <n>     how many questions (10000)
  --channels <n>  in how many channels (100)
  --seed <n>      another seed is another soak (1); with an even one the deployment has the bot's token
  --at-once <n>   instead: so many channels with one turn each at once, without deaths and faults
  -h, --help      print this`;

const MINUTE_MS = 60_000;
const SAMPLE_MS = 2000;
const TICK_MS = 20;
/** Deaths come during the first two thirds of the time; in the last third memory is measured. */
const DEADLY_SHARE = 2 / 3;
const MEAN_LIFE_MS = 25_000;
/** The first turns of a life warm the program up, which takes memory once. */
const WARM_UP_SHARE = 0.25;
const SETTLE_LIMIT_MS = 240_000;
/** More than this per turn would fill an isolate's 128 MB within 30,000 turns. */
const MAX_BYTES_PER_TURN = 4096;
/** With fewer turns, most of the growth is the program's warm-up. */
const TURNS_TO_JUDGE = 1000;
const MIB = 1_048_576;
const SHOWN = 20;
const LEAST_ACKNOWLEDGED = 0.9;

const flag = { type: "string" } as const;
const values = readFlags(USAGE, {
  minutes: flag,
  turns: flag,
  channels: flag,
  seed: flag,
  "at-once": flag,
});
const asNumber = (name: keyof typeof values, usual: number): number => {
  const text = values[name];
  const number = text === undefined ? usual : Number(text);
  if (!(number > 0)) leave(mistake(`--${name} must be a number above 0, not "${text}".`, USAGE));
  return number;
};
const crowd = values["at-once"] === undefined ? null : asNumber("at-once", 1000);
const seed = asNumber("seed", 1);
const turns = crowd ?? asNumber("turns", 10_000);
const channels = crowd ?? asNumber("channels", 100);
const askingMs = crowd === null ? asNumber("minutes", 30) * MINUTE_MS : 0;

// Loaded only now, because printing the usage needs none of it.
const { builtFrom, forgetBuilt } = await import("../bench/world/subjects.ts");
const { createSoakWorld, soakVariables } = await import("./world.ts");
const world = await createSoakWorld(seed, channels);
const folder = mkdtempSync(join(tmpdir(), "parley-soak-"));
/** Deployments with and without the bot's token are both common. */
const hasToken = seed % 2 === 0;
const samples: MemorySample[] = [];
const random = seededRandom(seed + 1);
let life = 0;
let turnsInLife = 0;
let runtime: Runtime | null = null;

async function begin(): Promise<void> {
  const plan = {
    folder: await builtFrom("test/support/e2e-worker.ts"),
    objects: { CHANNEL: "ChannelObject", SCOPE: "ScopeObject", GATEWAY: "GatewayObject" },
    bindings: soakVariables(world.url, hasToken),
    flags: COMPATIBILITY_FLAGS,
    state: join(folder, "state"),
    isInspected: true,
  };
  runtime = await startRuntime(plan, join(folder, "log"));
  life++;
  turnsInLife = 0;
  world.connect(runtime.url);
}

/** Asks all questions, evenly over the time. Without a time, each channel gets one at once. */
async function askAll(startedAt: number): Promise<void> {
  const underWay: Promise<void>[] = [];
  for (let number = 0; number < turns; ) {
    const due = askingMs === 0 ? turns : ((Date.now() - startedAt) / askingMs) * turns;
    for (; number < Math.min(turns, due); number++) {
      const drawn = questionOf(seed, number, channels);
      const question = crowd === null ? drawn : { ...drawn, channel: number, stopAfterMs: null };
      underWay.push(world.ask(question));
      turnsInLife++;
      if (question.stopAfterMs !== null)
        underWay.push(sleep(question.stopAfterMs).then(() => world.stop(question.channel)));
    }
    await sleep(TICK_MS);
  }
  await Promise.all(underWay);
}

/** Kills the runtime without notice, again and again, and restarts it on its stored state. */
async function killNow(until: number): Promise<void> {
  while (Date.now() < until) {
    await sleep(-Math.log(1 - random()) * MEAN_LIFE_MS);
    if (Date.now() >= until) return;
    await runtime?.killNine();
    await begin();
  }
}

const endRuntime = async () => void (await runtime?.killNine());

async function settle(): Promise<void> {
  world.calm();
  for (const until = Date.now() + SETTLE_LIMIT_MS; world.open() > 0 && Date.now() < until; ) await sleep(SAMPLE_MS);
}

/** The samples that show only growth: those of the last life, after its warm-up. */
const steady = (all: readonly MemorySample[]) => {
  const own = all.filter((one) => one.life === life);
  const most = Math.max(...own.map((one) => one.turns));
  return own.filter((one) => one.turns >= most * WARM_UP_SHARE && one.turns > 0);
};

let isSound = false;
const startedAt = Date.now();
await begin();
if (crowd !== null) world.calm();
const look = async () => {
  const [nth, turns] = [life, turnsInLife];
  try {
    if (runtime) samples.push({ life: nth, turns, bytes: await runtime.heapBytes(), resident: runtime.memory() });
  } catch {
    // It was killed a moment ago.
  }
};
const sampling = setInterval(() => void look(), SAMPLE_MS);
try {
  const askedAll = askAll(Date.now());
  if (crowd === null) await killNow(Date.now() + askingMs * DEADLY_SHARE);
  await askedAll;
  const asked = (Date.now() - startedAt) / 1000;
  clearInterval(sampling);
  await look();
  await settle();
  const calm = steady(samples);
  const slope = bytesPerTurn(calm);
  const isLongEnough = (calm.at(-1)?.turns ?? 0) - (calm[0]?.turns ?? 0) >= TURNS_TO_JUDGE;
  const isGrowing = crowd === null && isLongEnough && slope > MAX_BYTES_PER_TURN;
  const all = world.asked();
  const accepted = all.filter(({ isAccepted }) => isAccepted).length;
  // A death loses what is on its way, but without deaths there is no such excuse. Unacknowledged questions are not judged further.
  const isUnheard = accepted < all.length * (crowd === null ? LEAST_ACKNOWLEDGED : 1);
  const violations = [
    ...(isUnheard ? [`unheard: ${all.length - accepted} questions were not acknowledged within Discord's 3 s`] : []),
    ...judge(world.asked(), world.said(), world.replies(), world.effects),
    ...world.violations().map((one) => `Discord would refuse: ${one}`),
    ...(isGrowing ? [`the heap grows by ${Math.round(slope)} bytes with each turn`] : []),
  ];
  const whole = all.filter((one) => one.isAccepted && one.isWhole).length;
  for (const [what, many] of [...world.counts].sort()) console.log(`${what}: ${many}`);
  for (const one of violations.slice(0, SHOWN)) console.log(one);
  writeFileSync(join(folder, "violations"), violations.join("\n"));
  const counted = (word: string) => violations.filter((one) => one.startsWith(word)).length;
  const last = samples.at(-1);
  const inMib = (bytes = Number.NaN) => (bytes / MIB).toFixed(0);
  console.log(
    `seed ${seed}: ${all.length} questions in ${channels} channels in ${asked.toFixed(0)} s, ${accepted} acknowledged, ${whole} of them with nothing in their way; ${life - 1} deaths\n` +
      `${counted("lost")} lost, ${counted("doubled")} doubled, ${counted("unfinished")} unfinished, ${violations.length} violations in all\n` +
      `heap ${inMib(last?.bytes)} MB, ${slope.toFixed(0)} bytes more with each turn of its last life${isLongEnough ? "" : " (too short to judge)"}; memory of workerd ${inMib(last?.resident)} MB, with the caches of ${channels} databases`,
  );
  isSound = violations.length === 0;
  process.exitCode = isSound ? 0 : 1;
} finally {
  clearInterval(sampling);
  await endRuntime();
  await world.close();
  forgetBuilt();
  if (isSound) rmSync(folder, { recursive: true, force: true });
  else console.log(`The databases, the log and all violations are kept in ${folder}`);
}
