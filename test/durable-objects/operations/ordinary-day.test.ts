// Thirty questions of an ordinary day with the calls that they lead to. Most need no button, whatever has been read: if people were asked all
// the time, they would soon click without reading.
import { describe, expect, it } from "vitest";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { notedTools } from "../../support/real-tools.ts";
import { testRequest } from "../../support/store-contract.ts";
import { isForTurn } from "../../support/summaries.ts";
import { end, text } from "../../support/turn-script.ts";

const HITS = ["https://cakes.example/best", "https://bakers.example/2030/rye?lang=en", "https://flour.example/a_(b)"];
const ANSWERS = {
  web_search: { results: HITS.map((url) => ({ title: "A page", url, snippet: "…" })) },
  fetch_url: {
    url: "https://cakes.example/best",
    title: "The best cake",
    text: "It is a cheesecake, says https://flour.example/study.pdf.",
    links: [{ text: "next", url: "https://cakes.example/best?page=2" }],
  },
  read_recent_messages: { messages: [{ id: "1", from: "Theo", text: "The picnic is on Friday at 17:00." }] },
  recall: { found: [{ number: 1, text: "Mira is allergic to nuts.", toldBy: "<@10>" }], inMemory: 1 },
};

type Call = readonly [string, object];

/** The person's words, and the calls that they lead to. */
const DAY: readonly (readonly [string, ...Call[]])[] = [
  ["good morning! what day is it?", ["get_current_time", {}]],
  ["what's the weather usually like in Lisbon in May?"],
  ["search the web for the best cheesecake recipe", ["web_search", { query: "best cheesecake" }]],
  [
    "look up how to keep rye bread fresh and tell me what the second result says",
    ["web_search", { query: "rye bread fresh" }],
    ["fetch_url", { url: HITS[1] }],
  ],
  ["remember that I am allergic to nuts", ["remember", { text: "Mira is allergic to nuts." }]],
  ["what do you remember about me?", ["recall", { query: "Mira" }]],
  ["remind me in 20 minutes to take the cake out", ["set_reminder", { text: "Cake", when: "in 20 minutes" }]],
  ["roll 3d6", ["roll_dice", { notation: "3d6" }]],
  ["how many cups are 250 ml?", ["convert_units", { value: 250, from: "ml", to: "cup" }]],
  ["summarise https://cakes.example/best for me", ["fetch_url", { url: "https://cakes.example/best" }]],
  ["what does cakes.example say about sugar?", ["fetch_url", { url: "https://cakes.example/" }]],
  [
    "read https://cakes.example/best and remember its title",
    ["fetch_url", { url: "https://cakes.example/best" }],
    ["remember", { text: "The page is called: The best cake." }],
  ],
  ["what did I miss here?", ["read_recent_messages", {}]],
  ["thanks! and who was it that said Friday?"],
  ["make a poll: pizza or sushi?", ["create_poll", { question: "What?", answers: ["pizza", "sushi"] }]],
  ["translate 'good night' to Finnish"],
  ["what time is it in Tokyo now?", ["get_current_time", { timezone: "Asia/Tokyo" }]],
  ["which reminders do I have?", ["list_reminders", {}]],
  ["write a haiku about fog"],
  ["what is 17 % of 240?"],
  ["look at my screenshot: what is on it?", ["view_image", { image: "latest" }]],
  [
    "search online for the study about flour and read the pdf that it links to",
    ["web_search", { query: "flour study" }],
    ["fetch_url", { url: HITS[0] }],
    ["fetch_url", { url: "https://flour.example/study.pdf" }],
  ],
  ["what is new in TypeScript? look it up", ["web_search", { query: "TypeScript news" }]],
  ["explain that in two sentences"],
  ["google the opening hours of the bakery", ["web_search", { query: "bakery opening hours" }]],
  ["who won the game yesterday? search for it online", ["web_search", { query: "game yesterday" }]],
  ["is a tomato a fruit?"],
  ["flip a coin", ["roll_dice", { notation: "1d2" }]],
  ["help me to word an email to my landlord"],
  ["good night!"],
];

/** Asks each question on a day of its own. Returns those that needed a button. */
async function askedFor(more: Partial<TurnRequest>, isOneChannel: boolean): Promise<string[]> {
  const needed: string[] = [];
  let { c, noted } = begin();
  let calls = 0;
  for (const [index, [words, ...steps]] of DAY.entries()) {
    if (!isOneChannel) ({ c, noted } = begin());
    const id = String(index + 1);
    c.submit({ trigger: { ...testRequest(id), receivedAt: c.clock.now(), text: words, ...more } });
    await c.clock.advance(5000);
    for (const step of steps) {
      calls++;
      c.answer([end([[step[0], step[1]]])], isForTurn);
      await c.clock.advance(5000);
      if (c.store.turn(id)?.state !== "parked") continue;
      needed.push(words);
      const press = { applicationId: "1", token: `p-${id}`, messageId: "m" };
      const who = { userId: "10", userName: "x", moderator: false };
      c.approve({ interactionId: `click ${id}`, turnId: id, approved: true, ...who, press });
      await c.clock.advance(5000);
    }
    c.answer([text("Done."), end()], isForTurn);
    await c.clock.advance(60_000);
    expect(c.store.turn(id)?.state).toBe("finished");
    if (!isOneChannel) expect(noted.ran).toEqual(steps.map(([name]) => name));
  }
  expect(calls).toBe(DAY.flatMap(([, ...steps]) => steps).length);
  return needed;
}

function begin() {
  const noted = notedTools(ANSWERS, false);
  return { c: createChannelHarness({ tools: noted.tools }), noted };
}

describe("of thirty ordinary questions", () => {
  it("each in a fresh channel, one needs a button", async () => {
    expect(DAY).toHaveLength(30);
    expect(await askedFor({}, false)).toEqual(["read https://cakes.example/best and remember its title"]);
  });

  it("each with overheard words, no other one needs a button", async () => {
    expect(await askedFor({ taint: "weak" }, false)).toEqual([
      "read https://cakes.example/best and remember its title",
    ]);
  });

  it("all in a row in one channel, three more need one, because they follow within three turns of a page or a search", async () => {
    expect(await askedFor({}, true)).toEqual([
      "remember that I am allergic to nuts",
      "remind me in 20 minutes to take the cake out",
      "read https://cakes.example/best and remember its title",
      "make a poll: pizza or sushi?",
    ]);
  });
});
