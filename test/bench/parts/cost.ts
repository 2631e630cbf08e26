// What a turn uses of what Cloudflare bills, counted in a one-minute turn: rows, requests to objects and seconds; and the cost of 1,000 of
// them in dollars at the prices of Workers Paid, without what the plan includes.
import { type Effort, type Figure, rounded } from "../figures.ts";
import type { Billed } from "../workers/billed.ts";
import { now } from "../world/clock.ts";
import { chat } from "../world/interaction.ts";
import { endsAnswer } from "../world/model-plan.ts";
import { until } from "../world/processes.ts";
import { startParley, startSurroundings } from "../world/subjects.ts";

/** Workers Paid, in US dollars for one (developers.cloudflare.com, pricing, autumn 2026). */
const PRICE = { workerRequest: 0.3e-6, objectRequest: 0.15e-6, rowWritten: 1e-6, gigabyteSecond: 12.5e-6 };
/** An object is billed for 128 MB while it is in memory: during its turn, and until it has been idle long enough. */
const OBJECT_GB = 0.128;
const UNTIL_ASLEEP_S = 10;
const CHANNEL = 90_000;
const FIRST_CHANNEL_ID = 1_180_000_000_000_100_000n;
/** 600 pieces of five characters in a minute. */
const PIECES = 600;
const TURN_MS = 60_000;
const QUICK_TURN_MS = 8000;
const LIMIT_MS = 90_000;
const S = 1000;
const TURNS = 1000;

/** The figures of this part. */
export async function cost({ isQuick }: Effort): Promise<Figure[]> {
  const turnMs = isQuick ? QUICK_TURN_MS : TURN_MS;
  const around = await startSurroundings();
  const parley = await startParley(around);
  try {
    const channelId = String(FIRST_CHANNEL_ID + BigInt(CHANNEL));
    const billed = async () =>
      (await (await fetch(`${parley.url}/bench/billed?channel=${channelId}`)).json()) as Billed;
    const turn = async (message: string) => {
      const before = await billed();
      await around.discord.forget();
      const begunAt = now();
      const { token, send } = await chat(parley.url, { channel: CHANNEL, person: 1, message });
      await send();
      const isOver = async () =>
        (await around.discord.heard()).some(({ path, text }) => path.includes(token) && endsAnswer(text));
      await until("the whole answer", isOver, LIMIT_MS);
      const seconds = (now() - begunAt) / S;
      // The usage is reported after the answer.
      await until("the report", async () => (await billed()).objectRequests >= before.objectRequests + 2);
      const after = await billed();
      const requests = (await around.discord.heard()).length;
      const grown = (key: keyof Billed) => after[key] - before[key];
      return { seconds, requests, rows: grown("rows") + grown("alarmRows"), asked: grown("objectRequests") };
    };
    await around.model.plan({ kind: "pieces", pieces: 20, everyMs: 5 });
    await turn("warm");
    const plain = await turn("go");
    await around.model.plan({ kind: "pieces", pieces: PIECES, everyMs: turnMs / PIECES });
    const long = await turn("go on");
    const dollars =
      PRICE.workerRequest +
      long.asked * PRICE.objectRequest +
      long.rows * PRICE.rowWritten +
      (long.seconds + UNTIL_ASLEEP_S) * OBJECT_GB * PRICE.gigabyteSecond;
    const about = { floor: null };
    const length = `a turn of ${rounded(turnMs / S)} s`;
    return [
      {
        ...{ id: "rows-plain", what: "rows written by a plain turn", unit: "", parley: plain.rows, ...about },
        ...{ target: "≤ 13", note: `${plain.requests} requests to Discord` },
      },
      {
        ...{ id: "requests-long", what: `requests to Discord of ${length}`, unit: "", parley: long.requests, ...about },
        ...{ target: "≤ 55", note: `${long.rows} rows, ${long.asked} requests to objects` },
      },
      {
        ...{
          id: "cost",
          what: `${TURNS} times ${length} on Workers Paid`,
          unit: "$",
          parley: dollars * TURNS,
          ...about,
        },
        ...{
          target: "–",
          note: `counted rows, requests and ${rounded(long.seconds)} + ${UNTIL_ASLEEP_S} s of 128 MB; the model apart`,
        },
      },
    ];
  } finally {
    await parley.close();
    around.close();
  }
}
