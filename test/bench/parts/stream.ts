// Milliseconds of processor time that workerd uses for one streamed answer, read from the system. A piece comes every 2 ms, each in
// a separate write. The floor reads the same stream by hand and edits one message as often.
import { type Effort, type Figure, inTurns, median, range, rounded } from "../figures.ts";
import { chat } from "../world/interaction.ts";
import { endsAnswer } from "../world/model-plan.ts";
import { type Runtime, until } from "../world/processes.ts";
import { type Surroundings, startFloor, startParley, startSurroundings } from "../world/subjects.ts";

export const SIZES = [400, 1500, 6000] as const;
const QUICK_SIZE = 100;
const EVERY_MS = 2;
const FIRST_CHANNEL = 20_000;
const FLOOR_TURN = "/turn?way=stream";

let channel = FIRST_CHANNEL;

/** Workerd's time for one streamed answer, from the question to the last edit of its message. */
export async function streamCpuMs(
  { model, discord }: Surroundings,
  worker: Runtime,
  pieces: number,
  turn: () => Promise<void>,
): Promise<number> {
  await model.plan({ kind: "pieces", pieces, everyMs: EVERY_MS });
  await discord.forget();
  const before = worker.cpuMs();
  await turn();
  return worker.cpuMs() - before;
}

async function parleyTurn(parley: Runtime, { discord }: Surroundings): Promise<void> {
  channel++;
  const { token, send } = await chat(parley.url, { channel, person: channel, message: "go" });
  await send();
  const isOver = async () => (await discord.heard()).some(({ path, text }) => path.includes(token) && endsAnswer(text));
  await until("the whole answer", isOver);
}

/** One turn of a Worker that has `GET /turn` for it. */
export async function turnAt(url: string): Promise<void> {
  const response = await fetch(url);
  const said = await response.text();
  if (!response.ok || !endsAnswer(said)) throw new Error(said.slice(0, 300));
}

/** The figures of this part. */
export async function stream({ runs, isQuick }: Effort): Promise<Figure[]> {
  const around = await startSurroundings();
  const [parley, floor] = await Promise.all([startParley(around), startFloor(around)]);
  try {
    const figures: Figure[] = [];
    for (const pieces of isQuick ? [QUICK_SIZE] : SIZES) {
      const taken = await inTurns(runs, {
        parley: () => streamCpuMs(around, parley, pieces, () => parleyTurn(parley, around)),
        floor: () => streamCpuMs(around, floor, pieces, () => turnAt(floor.url + FLOOR_TURN)),
      });
      figures.push({
        id: `stream-${pieces}`,
        what: `workerd's CPU for a streamed answer of ${pieces} pieces`,
        unit: "ms",
        parley: median(taken.parley),
        floor: median(taken.floor),
        target: "≤ 1.3 × the floor, and linear",
        note: `${range(taken.parley)}; ${rounded((median(taken.parley) * 1000) / pieces)} µs for each piece`,
      });
    }
    return figures;
  } finally {
    await Promise.all([parley.close(), floor.close()]);
    around.close();
  }
}
