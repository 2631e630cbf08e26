// What must be true after a soak, judged by what Discord and the tools' receiver got, never by our own tables; also whether memory stayed
// flat. Pure.
import { answerTo, beginOf, endOf, type Question } from "./plan.ts";

/** What is known about one question at the end. */
export interface Asked {
  question: Question;
  /** Discord got an acknowledgement in time, so the person waits for an answer. */
  isAccepted: boolean;
  /** Nobody stopped it, and the model answered all its requests properly, so its whole answer must be there. */
  isWhole: boolean;
}

/** A message of the bot at the end. */
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

/** Finds every violation. `replies` has the reply to each question by number, if Discord knows one. */
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
    // Between the messages of a cut answer white space is gone, and there may be other messages.
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

/** One sample of the memory: in which life of workerd, after how many turns of this life, and how many bytes of the heap were in use. */
export interface MemorySample {
  life: number;
  turns: number;
  bytes: number;
  /** Bytes of workerd's whole memory: the heap, and the databases' caches outside it. */
  resident?: number;
}

/**
 * Returns the bytes by which memory grows with each turn: the slope of the least-squares line through the samples within each life, over all
 * lives together, because each starts from scratch. Zero if there are too few samples.
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
