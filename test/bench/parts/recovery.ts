// Seconds from `kill -9` of the whole runtime in the middle of a tool to the turn's next call of the model: by itself, when the runtime
// is back and nobody asks for anything, and when somebody asks something first.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Effort, type Figure, median, range } from "../figures.ts";
import { now } from "../world/clock.ts";
import { chat } from "../world/interaction.ts";
import { type Surroundings, startParley, startSurroundings } from "../world/subjects.ts";

const FIRST_CHANNEL = 60_000;
const MS = 1000;
/** The time of death is spread over a heartbeat, because the answer depends on when the last one was. */
const SPREAD_MS = 7000;

/** Seconds from the runtime's return to the next call of the model. */
async function recoveryS(around: Surroundings, run: number, runs: number, isAsked: boolean): Promise<number> {
  const state = mkdtempSync(join(tmpdir(), "parley-state-"));
  const channel = FIRST_CHANNEL + run;
  try {
    const first = await startParley(around, state);
    await around.model.plan({ kind: "calls", calls: 1, tool: "wait" });
    await (await chat(first.url, { channel, person: channel, message: "go" })).send();
    await around.model.asked(1);
    await sleep(300 + (SPREAD_MS * run) / runs);
    await first.killNine();
    const second = await startParley(around, state);
    const backAt = now();
    if (isAsked) await (await chat(second.url, { channel, person: channel + 1, message: "and?" })).send();
    const asked = await around.model.asked(2);
    await second.close();
    return ((asked[1]?.at ?? Number.NaN) - backAt) / MS;
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** The figures of this part. */
export async function recovery({ runs }: Effort): Promise<Figure[]> {
  const around = await startSurroundings();
  try {
    const taken = { alone: [] as number[], asked: [] as number[] };
    for (let run = 0; run < runs; run++) {
      taken.alone.push(await recoveryS(around, run, runs, false));
      taken.asked.push(await recoveryS(around, run, runs, true));
    }
    const what = "kill -9 in a tool: from the runtime's return to the next call of the model";
    return [
      {
        id: "recovery",
        what,
        unit: "s",
        parley: median(taken.alone),
        floor: null,
        target: "≤ 7 s",
        note: range(taken.alone),
      },
      {
        ...{ id: "recovery-asked", what: `${what}, where somebody asks first`, unit: "s" },
        ...{ parley: median(taken.asked), floor: null, target: "≤ 1 s", note: range(taken.asked) },
      },
    ];
  } finally {
    around.close();
  }
}
