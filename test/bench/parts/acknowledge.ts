// Milliseconds from a signed interaction to its acknowledgement in 50 warm channels, next to a bare Worker that verifies the signature and
// answers the same; the difference is what the product adds. One after the other, and all at once: there, one thread also runs
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
/** By then what a pass leaves behind, such as an alarm, is over. */
const REST_MS = 500;
const PAUSE_MS = 40;

/** Milliseconds of both, and of the floor that stores a row before it answers. */
interface Taken {
  parley: number[];
  floor: number[];
  stored: number[];
}

/** The interactions of one pass, each by a new person, because one person may not ask that often. */
const signed = ({ url }: Pick<Runtime, "url">, channels: number, nth: number) =>
  Promise.all(
    Array.from({ length: channels }, (_, index) =>
      chat(url, {
        channel: FIRST_CHANNEL + index,
        person: FIRST_PERSON + nth * channels + index,
        message: `say:Answer ${nth} of ${index}.`,
      }),
    ),
  );

/** Asks in all channels at once. */
async function allAtOnce(worker: Pick<Runtime, "url">, channels: number, nth: number): Promise<number[]> {
  const ready = await signed(worker, channels, nth);
  return Promise.all(ready.map(({ send }) => send()));
}

const storing = ({ url }: Runtime) => ({ url: `${url}/stored` });

/** Asks in one channel after the other, alternating between the Workers. The pauses are long enough for a short turn. */
async function oneByOne(parley: Runtime, floor: Runtime, channels: number, nth: number): Promise<Taken> {
  const subjects = { parley, floor, stored: storing(floor) };
  const ready = {
    parley: await signed(subjects.parley, channels, nth),
    floor: await signed(subjects.floor, channels, nth),
    stored: await signed(subjects.stored, channels, nth),
  };
  const taken: Taken = { parley: [], floor: [], stored: [] };
  const names = ["parley", "floor", "stored"] as const;
  for (let index = 0; index < channels; index++) {
    for (const name of index % 2 === 0 ? names : names.toReversed()) {
      const one = ready[name][index];
      if (one) taken[name].push(await one.send());
    }
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
    const calm: Taken = { parley: [], floor: [], stored: [] };
    const crowded: Taken = { parley: [], floor: [], stored: [] };
    for (let nth = 1; nth <= runs; nth++) {
      const taken = await oneByOne(parley, floor, channels, nth);
      calm.parley.push(...taken.parley);
      calm.floor.push(...taken.floor);
      calm.stored.push(...taken.stored);
      await rest(around, channels);
    }
    for (let nth = runs + 1; nth <= 2 * runs; nth++) {
      crowded.floor.push(...(await allAtOnce(floor, channels, nth)));
      crowded.stored.push(...(await allAtOnce(storing(floor), channels, nth)));
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
    note: `${taken.parley.length} of each; with one row and an alarm stored first by hand: ${rounded(share(taken.stored, part))}; ${note}`,
  });
  return [row("p50", 0.5, "3 ms"), row("p99", 0.99, "10 ms")];
}
