// Memory that workerd uses: for each idle channel that has had a turn, for each channel whose answer is on its way, and in total
// next to a floor with as many busy objects.
import { setTimeout as sleep } from "node:timers/promises";
import { type Effort, type Figure, rounded } from "../figures.ts";
import { chat } from "../world/interaction.ts";
import { type Runtime, until } from "../world/processes.ts";
import { type Surroundings, startFloor, startParley, startSurroundings } from "../world/subjects.ts";

const CHANNELS = 200;
const QUICK_CHANNELS = 10;
const AT_A_TIME = 10;
const FIRST_CHANNEL = 70_000;
const WARM_UPS = 20;
/** Workerd returns what memory it can while nothing happens. */
const REST_MS = 3000;
const KIB = 1024;
const MIB = KIB * KIB;

async function ask(parley: Runtime, channels: number, person: number, message: string): Promise<void> {
  for (let from = 0; from < channels; from += AT_A_TIME)
    await Promise.all(
      Array.from({ length: Math.min(AT_A_TIME, channels - from) }, async (_, index) => {
        const channel = FIRST_CHANNEL + from + index;
        await (await chat(parley.url, { channel, person: person + channel, message })).send();
      }),
    );
}

async function answered({ discord }: Surroundings, count: number): Promise<void> {
  const isSo = async () => {
    const whole = (await discord.heard()).filter(({ text }) => text.endsWith("Fine."));
    return new Set(whole.map(({ path }) => path)).size >= count;
  };
  await until("all answers", isSo);
}

async function parleyMemory(around: Surroundings, channels: number) {
  const parley = await startParley(around);
  try {
    await around.model.plan({ kind: "echo" });
    await ask(parley, WARM_UPS, 0, "say:Fine.");
    await answered(around, WARM_UPS);
    await sleep(REST_MS);
    const before = parley.memory();
    await ask(parley, channels, 1000, "say:Fine.");
    await answered(around, WARM_UPS + channels);
    await sleep(REST_MS);
    const idle = parley.memory();
    await around.model.plan({ kind: "silence" });
    await ask(parley, channels, 2000, "go");
    await around.model.asked(channels);
    await sleep(REST_MS);
    return { before, idle, busy: parley.memory() };
  } finally {
    await parley.killNine();
  }
}

async function floorMemory(around: Surroundings, channels: number): Promise<number> {
  const floor = await startFloor(around);
  try {
    await around.model.plan({ kind: "silence" });
    for (let n = 0; n < channels; n++) await (await fetch(`${floor.url}/begin?way=same+rows`)).text();
    await around.model.asked(channels);
    await sleep(REST_MS);
    return floor.memory();
  } finally {
    await floor.killNine();
  }
}

/** The figures of this part. */
export async function memory({ isQuick }: Effort): Promise<Figure[]> {
  const channels = isQuick ? QUICK_CHANNELS : CHANNELS;
  const around = await startSurroundings();
  try {
    const { before, idle, busy } = await parleyMemory(around, channels);
    await around.discord.forget();
    const floor = await floorMemory(around, channels);
    const about = { unit: "KB", floor: null, target: "–" };
    return [
      {
        ...{ id: "memory-idle", what: `memory of workerd for each of ${channels} idle channels`, ...about },
        ...{ parley: (idle - before) / channels / KIB, note: `${rounded(before / MIB)} MB before them` },
      },
      {
        ...{ id: "memory-busy", what: `more memory for each of ${channels} busy channels`, ...about },
        ...{ parley: (busy - idle) / channels / KIB, note: "each waits in the middle of an answer" },
      },
      {
        ...{ id: "memory", what: `memory of workerd with ${channels} busy channels`, unit: "MB" },
        ...{
          parley: busy / MIB,
          floor: floor / MIB,
          target: "≤ 1.1 × the floor",
          note: "one run of each; by hand with the product's tables and its rows of a turn",
        },
      },
    ];
  } finally {
    around.close();
  }
}
