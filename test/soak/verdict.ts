// What must hold after a soak, read from what Discord and the tools' receiver got, never from our own tables; and whether memory stayed
// flat. Pure.
import { answerTo, beginOf, endOf, type Question } from "./plan.ts";

/** What is known of one question when all is over. */
export interface Asked {
  question: Question;
  /** Discord had an acknowledgement in time, so that the person waits for an answer. */
  isAccepted: boolean;
  /** Nobody stopped it, and the model answered all of its requests as it should: its answer must be there whole. */
  isWhole: boolean;
}

/** A message of the bot when all is over. */
export interface Said {
  channel: number;
  text: string;
  /** The texts of its files. */
  files: string[];
  /** Nothing says that more of it will come. */
  isOver: boolean;
}

/** One fault of the product, in words. */
export type Violation = string;

/** Everything that does not hold. `replies` has the reply to each question by number, as far as Discord knows one. */
export function judge(
  asked: readonly Asked[],
  said: readonly Said[],
  replies: ReadonlyMap<number, Said>,
  effects: readonly string[],
): Violation[] {
  const violations: Violation[] = [];
  const texts = said.map(({ text }) => text).join("\n\n");
  const files = said.flatMap((one) => one.files).join("\n\n");
  const begun = countMarks(texts, /Answer b(\d+)b begins\./g);
  const ended = countMarks(texts, /Answer e(\d+)e ends\./g);
  const inFiles = countMarks(files, /Answer e(\d+)e ends\./g);
  const isWholeThere = (question: Question) => {
    const [begin, end, whole] = [beginOf(question.number), endOf(question.number), answerTo(question)];
    if (inFiles.has(question.number)) return files.includes(whole);
    // Where the answer was cut into messages, white space is gone between them, and others may stand there.
    const isCut = !said.some(({ text }) => text.includes(begin) && text.includes(end));
    return begun.has(question.number) && ended.has(question.number) && (isCut || texts.includes(whole));
  };
  for (const { question, isAccepted, isWhole } of asked) {
    const { number } = question;
    if ((begun.get(number) ?? 0) > 1) violations.push(`doubled: "${beginOf(number)}" is in several messages`);
    if ((ended.get(number) ?? 0) > 1) violations.push(`doubled: "${endOf(number)}" is in several messages`);
    if (!isAccepted) continue;
    const reply = replies.get(number);
    if (!reply) violations.push(`lost: question ${number} has no reply`);
    else if (isWhole && !isWholeThere(question))
      violations.push(`lost: the answer to question ${number} is not whole; its reply ends: ${reply.text.slice(-200)}`);
  }
  for (const { channel, text, isOver } of said)
    if (!isOver) violations.push(`unfinished: a message in channel ${channel} says: ${text.slice(0, 200)}`);
  for (const [key, count] of countAll(effects.filter((one) => one.startsWith("count "))))
    if (count > 1) violations.push(`doubled: the effect ${key} came ${count} times`);
  return violations;
}

function countMarks(text: string, mark: RegExp): Map<number, number> {
  return countAll([...text.matchAll(mark)].map(([, number]) => Number(number)));
}

function countAll<Key>(keys: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** One look at the memory: in which life of workerd, after how many turns of this life, and how many bytes the heap had in use. */
export interface MemorySample {
  life: number;
  turns: number;
  bytes: number;
  /** Of all that workerd holds: the heap, and the databases' caches outside it. */
  resident?: number;
}

/**
 * Bytes by which memory grows with each turn: the slope of the line with the least squares through the samples of each life, all lives
 * together, because each begins anew. Zero where there is too little to say.
 */
export function bytesPerTurn(samples: readonly MemorySample[]): number {
  let above = 0;
  let below = 0;
  for (const life of new Set(samples.map((one) => one.life))) {
    const own = samples.filter((one) => one.life === life);
    const mean = (of: (one: MemorySample) => number) => own.reduce((sum, one) => sum + of(one), 0) / own.length;
    const [turns, bytes] = [mean((one) => one.turns), mean((one) => one.bytes)];
    for (const one of own) {
      above += (one.turns - turns) * (one.bytes - bytes);
      below += (one.turns - turns) ** 2;
    }
  }
  return below === 0 ? 0 : above / below;
}
