// Milliseconds from a signed interaction to its acknowledgement in 50 warm channels, over a bare Worker that verifies the signature and
// answers the same; the difference of the two is what the product adds. One after the other, and all at once: there one thread also runs
// the 50 turns that begin, which in Cloudflare's network are 50 objects in many places.
import { setTimeout as sleep } from "node:timers/promises";
import { type Effort, type Figure, median, rounded, share } from "../figures.ts";
import { chat } from "../world/interaction.ts";
import { type Runtime, until } from "../world/processes.ts";
import { type Surroundings, startFloor, startParley, startSurroundings } from "../world/subjects.ts";

const CHANNELS = 50;
const QUICK_CHANNELS = 5;
const FIRST_CHANNEL = 40_000;
const FIRST_PERSON = 50_000;
/** What a pass leaves behind, such as an alarm, is over by then. */
const REST_MS = 500;
const PAUSE_MS = 40;

/** Milliseconds of both. */
interface Taken {
  parley: number[];
  floor: number[];
}

/** The interactions of one pass, each by somebody else than before, because a person may not ask that often. */
const signed = (worker: Runtime, channels: number, nth: number) =>
  Promise.all(
    Array.from({ length: channels }, (_, index) =>
      chat(worker.url, {
        channel: FIRST_CHANNEL + index,
        person: FIRST_PERSON + nth * channels + index,
        message: `say:Answer ${nth} of ${index}.`,
      }),
    ),
  );

/** Asks in all channels at once. */
async function allAtOnce(worker: Runtime, channels: number, nth: number): Promise<number[]> {
  const ready = await signed(worker, channels, nth);
  return Promise.all(ready.map(({ send }) => send()));
}

/** Asks in one channel after the other, of both Workers in turns. The pauses are long enough for a short turn. */
async function oneByOne(parley: Runtime, floor: Runtime, channels: number, nth: number): Promise<Taken> {
  const [asParley, asFloor] = await Promise.all([signed(parley, channels, nth), signed(floor, channels, nth)]);
  const taken: Taken = { parley: [], floor: [] };
  for (const [index, one] of asParley.entries()) {
    const other = asFloor[index];
    if (index % 2 === 0) taken.parley.push(await one.send());
    if (other) taken.floor.push(await other.send());
    if (index % 2 === 1) taken.parley.push(await one.send());
    await sleep(PAUSE_MS);
  }
  return taken;
}

async function rest({ discord }: Surroundings, channels: number): Promise<void> {
  const isAnswered = async () => {
    const whole = (await discord.heard()).filter(({ text }) => /Answer \d+ of \d+\.$/.test(text));
    return new Set(whole.map(({ path }) => path)).size >= channels;
  };
  await until("all answers", isAnswered);
  await discord.forget();
  await sleep(REST_MS);
}

/** The figures of this part. */
export async function acknowledge({ runs, isQuick }: Effort): Promise<Figure[]> {
  const channels = isQuick ? QUICK_CHANNELS : CHANNELS;
  const around = await startSurroundings();
  const [parley, floor] = await Promise.all([startParley(around), startFloor(around)]);
  try {
    await around.model.plan({ kind: "echo" });
    const fresh = (await oneByOne(parley, floor, channels, 0)).parley;
    await rest(around, channels);
    const calm: Taken = { parley: [], floor: [] };
    const crowded: Taken = { parley: [], floor: [] };
    for (let nth = 1; nth <= runs; nth++) {
      const { parley: own, floor: bare } = await oneByOne(parley, floor, channels, nth);
      calm.parley.push(...own);
      calm.floor.push(...bare);
      await rest(around, channels);
    }
    for (let nth = runs + 1; nth <= 2 * runs; nth++) {
      crowded.floor.push(...(await allAtOnce(floor, channels, nth)));
      crowded.parley.push(...(await allAtOnce(parley, channels, nth)));
      await rest(around, channels);
    }
    const late = `in fresh channels p50 ${rounded(median(fresh))}, most ${rounded(share(fresh, 1))}`;
    return [
      ...rows("", `${channels} warm channels`, calm, late),
      ...rows("-at-once", `${channels} warm channels at once`, crowded, "one thread runs all their turns"),
    ];
  } finally {
    await Promise.all([parley.close(), floor.close()]);
    around.close();
  }
}

function rows(suffix: string, where: string, taken: Taken, note: string): Figure[] {
  const row = (name: string, part: number, target: string): Figure => ({
    id: `acknowledge${suffix}-${name}`,
    what: `interaction → acknowledgement, ${where}, ${name}`,
    unit: "ms",
    parley: share(taken.parley, part),
    floor: share(taken.floor, part),
    target: `the bare Worker + ${target}`,
    note: `${taken.parley.length} of each; ${note}`,
  });
  return [row("p50", 0.5, "3 ms"), row("p99", 0.99, "10 ms")];
}
