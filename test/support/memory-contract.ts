// The contract of the channel's long-term memory. It runs over SQLite in Node and over SQLite in the runtime, because either may
// have no full-text search or another version of it.
import type { Memories, Memory } from "../../src/toolkit/define/tool-services.ts";

/** One rule: its name, and a run over an empty memory that returns the actual and the expected value. */
export interface MemoryCase {
  name: string;
  run: (memories: Memories) => [seen: unknown, wanted: unknown];
}

const fact = (text: string, at = 0): Omit<Memory, "number"> => ({ text, userId: "7", at });
const texts = (found: Memory[]) => found.map(({ text }) => text);
const FACTS = [
  "Mira is allergic to nuts and likes hiking",
  "Theo's birthday is on 3 May",
  "Das Café an der Straße öffnet um neun",
  "日本語のテストは火曜日です",
  "The deploy needs Theo's approval",
];

const finding = (query: string, wanted: string[]): MemoryCase => ({
  name: `finds by ${JSON.stringify(query)}`,
  run(memories) {
    for (const [index, text] of FACTS.entries()) memories.add(fact(text, index));
    return [texts(memories.find(query, 10)), wanted];
  },
});

/** Every rule. */
export const memoryContract: MemoryCase[] = [
  {
    name: "keeps a fact under a number, with its time and the person it came from",
    run: (memories) => [
      [memories.add(fact("one", 5)), memories.count(), memories.find("one", 10)],
      [1, 1, [{ number: 1, text: "one", userId: "7", at: 5 }]],
    ],
  },
  {
    name: "keeps the same text once, with the person who said it first",
    run: (memories) => [
      [memories.add(fact("one", 5)), memories.add({ ...fact("one", 9), userId: "8" }), memories.find("", 10)],
      [1, 1, [{ number: 1, text: "one", userId: "7", at: 5 }]],
    ],
  },
  {
    name: "turns a fact that strangers proposed into a person's once a person states it, and never the other way round",
    run(memories) {
      const [proposed, stated] = [{ ...fact("one"), origin: "untrusted" } as const, fact("one")];
      const origins = [proposed, proposed, stated, proposed].map((told) => {
        memories.add(told);
        return memories.find("one", 10).map(({ origin }) => origin);
      });
      return [origins, [["untrusted"], ["untrusted"], [undefined], [undefined]]];
    },
  },
  {
    name: "never reuses the number of a forgotten fact",
    run: (memories) => [
      [memories.add(fact("one")), memories.remove(1), memories.remove(1), memories.add(fact("two")), memories.count()],
      [1, true, false, 2, 1],
    ],
  },
  {
    name: "does not find what was forgotten",
    run(memories) {
      memories.remove(memories.add(fact("one")));
      return [
        [memories.find("one", 10), memories.find("", 10)],
        [[], []],
      ];
    },
  },
  {
    name: "gives the newest facts if no words are searched for, and no more than were asked for",
    run(memories) {
      for (const text of FACTS) memories.add(fact(text));
      return [
        [texts(memories.find("", 2)), texts(memories.find(" ?! ", 1)), memories.find("theo", 1).length],
        [[FACTS[4], FACTS[3]], [FACTS[4]], 1],
      ];
    },
  },
  finding("what is Mira allergic to?", [FACTS[0] ?? "", FACTS[1] ?? ""]),
  finding("hike", [FACTS[0] ?? ""]),
  finding("BIRTHDAY", [FACTS[1] ?? ""]),
  finding("cafe strasse offnet", [FACTS[2] ?? ""]),
  finding("火曜", [FACTS[3] ?? ""]),
  finding("approv", [FACTS[4] ?? ""]),
  finding("theo birthday", [FACTS[1] ?? "", FACTS[4] ?? ""]),
  finding('" OR 1) NEAR(', []),
  finding("words: * NOT OR", []),
  finding("bicycle", []),
];
