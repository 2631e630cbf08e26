// Milliseconds of one iteration of model and tool: the time between two requests as the model receives them, because a Worker's own clock
// stops between its requests. The whole product, with everything stored and its edits on Discord; a fresh channel for each turn.
import { type Effort, type Figure, inTurns, median, range, rounded } from "../figures.ts";
import { chat } from "../world/interaction.ts";
import type { Runtime } from "../world/processes.ts";
import { type Surroundings, startFloor, startParley, startSurroundings } from "../world/subjects.ts";

const SIZES = [10, 199] as const;
const FIRST_CHANNEL = 10_000;
/** The bytes of a mebibyte. */
export const MIB = 1_048_576;

let channel = FIRST_CHANNEL;

/** Begins a turn of this Worker, and resolves when the model has nothing more to say to it. */
export type Turn = (model: Surroundings["model"], calls: number) => Promise<void>;

/** A turn of the product. */
export const parleyTurn =
  (parley: Runtime): Turn =>
  async (model, calls) => {
    channel++;
    await (await chat(parley.url, { channel, person: channel, message: "go" })).send();
    await model.asked(calls + 1);
  };

/** A turn of a Worker that has `GET /turn`. */
export const turnByHand =
  (worker: Runtime, way: string): Turn =>
  async () => {
    const response = await fetch(`${worker.url}/turn?${new URLSearchParams({ way })}`);
    const said = await response.text();
    if (said !== "Done.") throw new Error(`${way}: ${said.slice(0, 300)}`);
  };

/** Milliseconds for each iteration of one turn. */
export async function iterationMs({ model }: Surroundings, turn: Turn, calls: number): Promise<number> {
  await model.plan({ kind: "calls", calls, tool: "look_up" });
  await turn(model, calls);
  const asked = await model.asked();
  if (asked.length !== calls + 1) throw new Error(`${asked.length} requests for ${calls} calls`);
  return ((asked.at(-1)?.at ?? Number.NaN) - (asked[0]?.at ?? Number.NaN)) / calls;
}

/** The figures of this part. */
export async function iteration({ runs, isQuick }: Effort): Promise<Figure[]> {
  const around = await startSurroundings();
  const [parley, floor] = await Promise.all([startParley(around), startFloor(around)]);
  try {
    const figures: Figure[] = [];
    for (const calls of isQuick ? [10] : SIZES) {
      const taken = await inTurns(runs, {
        parley: () => iterationMs(around, parleyTurn(parley), calls),
        rows: () => iterationMs(around, turnByHand(floor, "same rows"), calls),
        two: () => iterationMs(around, turnByHand(floor, "two rows"), calls),
      });
      const twoRows = rounded(median(taken.two));
      figures.push({
        id: `iteration-${calls === 10 ? 10 : 200}`,
        what: `one iteration of model and tool, in a turn of ${calls === 10 ? 10 : 200}`,
        unit: "ms",
        parley: median(taken.parley),
        floor: median(taken.rows),
        target: "≤ 1.2 × the floor that writes the same rows; ≤ 2.0 ms",
        note: `${range(taken.parley)}; a floor that keeps two rows: ${twoRows}`,
      });
    }
    figures.push({
      ...{ id: "memory-turns", what: "memory of workerd after these turns", unit: "MB", target: "≤ 1.15 × the floor" },
      ...{ parley: parley.memory() / MIB, floor: floor.memory() / MIB, note: "the floor has had twice as many" },
    });
    return figures;
  } finally {
    await Promise.all([parley.close(), floor.close()]);
    around.close();
  }
}
