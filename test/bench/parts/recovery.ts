// Seconds from `kill -9` of the whole runtime in the middle of a tool to the turn's next model call: by itself, when the runtime
// is back and nobody asks for anything, and when somebody asks something first. The deaths are spread over a heartbeat.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HEARTBEAT_MS } from "../../../src/core/limits.ts";
import { type Effort, type Figure, median, range } from "../figures.ts";
import { now } from "../world/clock.ts";
import { chat } from "../world/interaction.ts";
import type { Runtime } from "../world/processes.ts";
import { type Surroundings, startParley, startSurroundings } from "../world/subjects.ts";

const CHANNEL = 60_000;
const MS = 1000;
/** By then everything that the tool's call needs is stored. */
const SETTLED_MS = 300;

/** A Worker that can die: how it is started on its stored state, how a turn begins, and who asks after its return, if anybody does. */
export interface Mortal {
  start(state: string): Promise<Runtime>;
  begin(runtime: Runtime): Promise<void>;
  ask?(runtime: Runtime): Promise<void>;
}

/** Seconds from the runtime's return to the next model call, if it was killed this long after its tool began. */
export async function recoveryS(
  { model }: Surroundings,
  { start, begin, ask }: Mortal,
  pauseMs: number,
): Promise<number> {
  const state = mkdtempSync(join(tmpdir(), "parley-state-"));
  try {
    const first = await start(state);
    await model.plan({ kind: "calls", calls: 1, tool: "wait" });
    await begin(first);
    await model.asked(1);
    await sleep(pauseMs);
    await first.killNine();
    const second = await start(state);
    const backAt = now();
    try {
      await ask?.(second);
      const asked = await model.asked(2);
      return ((asked[1]?.at ?? Number.NaN) - backAt) / MS;
    } finally {
      await second.killNine();
    }
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** The figures of this part. */
export async function recovery({ runs }: Effort): Promise<Figure[]> {
  const around = await startSurroundings();
  const asking = (person: number) => async (parley: Runtime) =>
    void (await (await chat(parley.url, { channel: CHANNEL, person, message: "go" })).send());
  const alone: Mortal = { start: (state) => startParley(around, state), begin: asking(1) };
  const asked: Mortal = { ...alone, ask: asking(2) };
  try {
    const taken = { alone: [] as number[], asked: [] as number[] };
    for (let run = 0; run < runs; run++) {
      const pauseMs = SETTLED_MS + (HEARTBEAT_MS * run) / runs;
      taken.alone.push(await recoveryS(around, alone, pauseMs));
      taken.asked.push(await recoveryS(around, asked, pauseMs));
    }
    const what = "kill -9 in a tool: from the runtime's return to the next call of the model";
    return [
      {
        ...{ id: "recovery", what, unit: "s", parley: median(taken.alone), floor: null },
        ...{ target: "≤ 7 s", note: range(taken.alone) },
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
