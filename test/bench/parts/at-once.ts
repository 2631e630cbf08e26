// 1,000 channels on one machine, with one turn each at once: every answer must come, complete and once; and the time from the click to the
// first text on Discord.
import { type Effort, type Figure, median, rounded, share } from "../figures.ts";
import { now } from "../world/clock.ts";
import { chat } from "../world/interaction.ts";
import { until } from "../world/processes.ts";
import { startParley, startSurroundings } from "../world/subjects.ts";

const CHANNELS = 1000;
const QUICK_CHANNELS = 50;
const FIRST_CHANNEL = 80_000;
const LIMIT_MS = 180_000;
const S = 1000;

/** The figures of this part. */
export async function atOnce({ isQuick }: Effort): Promise<Figure[]> {
  const channels = isQuick ? QUICK_CHANNELS : CHANNELS;
  const around = await startSurroundings();
  const parley = await startParley(around);
  try {
    await around.model.plan({ kind: "echo" });
    const answerOf = (index: number) => `This is what was asked for in channel ${index}, said in full.`;
    const ready = await Promise.all(
      Array.from({ length: channels }, (_, index) =>
        chat(parley.url, { channel: FIRST_CHANNEL + index, person: index, message: `say:${answerOf(index)}` }),
      ),
    );
    const begunAt = now();
    const acknowledged = await Promise.all(ready.map(({ send }) => send()));
    const isWhole = async () =>
      new Set((await around.discord.heard()).filter(({ text }) => text.endsWith("in full.")).map(({ path }) => path))
        .size >= channels;
    await until("all answers", isWhole, LIMIT_MS).catch(() => {});
    const heard = await around.discord.heard();
    const first = ready.map(({ token }) => heard.find(({ path, text }) => path.includes(token) && text !== ""));
    const isRight = ({ token }: { token: string }, index: number) => {
      const messages = heard.filter(({ path, text }) => path.includes(token) && text !== "");
      const made = messages.filter(({ method }) => method === "POST").length;
      return made === 0 && messages.at(-1)?.text.includes(answerOf(index)) === true;
    };
    const lost = ready.filter((one, index) => !isRight(one, index)).length;
    const times = first.map((one) => ((one?.at ?? Number.NaN) - begunAt) / S).filter((s) => !Number.isNaN(s));
    const late = `the last acknowledgement after ${rounded(share(acknowledged, 1) / S)} s`;
    const about = { floor: null };
    return [
      {
        ...{
          id: "at-once-lost",
          what: `${channels} channels with a turn each at once: answers lost or doubled`,
          ...about,
        },
        ...{ unit: "", parley: lost, target: "0", note: late },
      },
      {
        ...{ id: "at-once-p99", what: `${channels} channels at once: click → first text on Discord, p99`, ...about },
        ...{ unit: "s", parley: share(times, 0.99), target: "–", note: `p50 ${rounded(median(times))} s` },
      },
    ];
  } finally {
    await parley.close();
    around.close();
  }
}
