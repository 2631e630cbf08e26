// Milliseconds from the model's first token to its text on Discord, as two other processes see it: when the token left one, and when
// the request with it had completely arrived at the other. A fresh channel for each, so that no limit of Discord gets in the way.
import { type Effort, type Figure, median, rounded, share } from "../figures.ts";
import { chat } from "../world/interaction.ts";
import { type Runtime, until } from "../world/processes.ts";
import { type Surroundings, startParley, startSurroundings } from "../world/subjects.ts";

const REPLIES = 60;
const QUICK_REPLIES = 6;
const WARM_UPS = 5;
const FIRST_CHANNEL = 30_000;
const PIECES = 100;
const EVERY_MS = 20;

async function firstTextMs({ model, discord }: Surroundings, parley: Runtime, channel: number): Promise<number> {
  await model.plan({ kind: "pieces", pieces: PIECES, everyMs: EVERY_MS });
  await discord.forget();
  const { token, send } = await chat(parley.url, { channel, person: channel, message: "go" });
  await send();
  const shown = async () =>
    (await discord.heard()).find(({ path, text }) => path.includes(token) && text.includes("word"));
  await until("the first text", async () => (await shown()) !== undefined);
  const [asked] = await model.asked();
  return ((await shown())?.at ?? Number.NaN) - (asked?.saidAt ?? Number.NaN);
}

/** The figures of this part. */
export async function firstText({ isQuick }: Effort): Promise<Figure[]> {
  const around = await startSurroundings();
  const parley = await startParley(around);
  try {
    const taken: number[] = [];
    for (let n = -WARM_UPS; n < (isQuick ? QUICK_REPLIES : REPLIES); n++) {
      const ms = await firstTextMs(around, parley, FIRST_CHANNEL + WARM_UPS + n);
      if (n >= 0) taken.push(ms);
    }
    const about = { unit: "ms", floor: null, note: `${taken.length} replies, at most ${rounded(share(taken, 1))}` };
    const what = "the model's first token → its text on Discord";
    return [
      { id: "first-text-p50", what: `${what}, p50`, parley: median(taken), target: "≤ 60 ms", ...about },
      { id: "first-text-p95", what: `${what}, p95`, parley: share(taken, 0.95), target: "≤ 150 ms", ...about },
    ];
  } finally {
    await parley.close();
    around.close();
  }
}
