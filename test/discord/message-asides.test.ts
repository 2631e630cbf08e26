// What comes with a message besides its words.
import { expect, it } from "vitest";
import { readAsides } from "../../src/discord/message-asides.ts";

it("is nothing with a plain message", () => {
  expect([
    readAsides({}),
    readAsides({ attachments: [], embeds: [], sticker_items: [], message_snapshots: [] }),
  ]).toEqual([{}, {}]);
});

it("is each of its files, stickers and forwarded words, and its poll", () => {
  expect(
    readAsides({
      attachments: [{ filename: "a.txt", content_type: "text/plain", size: 5 }, { filename: "b" }],
      sticker_items: [{ name: "Wave" }],
      poll: { question: { text: "Tea?" } },
      message_snapshots: [{ message: { content: "look" } }],
    }),
  ).toEqual({
    files: [
      { filename: "a.txt", contentType: "text/plain", size: 5 },
      { filename: "b", contentType: null, size: 0 },
    ],
    stickers: ["Wave"],
    poll: "Tea?",
    forwarded: "look",
  });
});

it("is there without words, where Discord hides them", () => {
  expect(readAsides({ poll: { question: {} }, message_snapshots: [{ message: {} }] })).toEqual({
    poll: "",
    forwarded: "",
  });
});

it("is an embed's title, or else its description, and no preview of a link", () => {
  const embeds = [
    { title: "Blue", description: "the sky" },
    { type: "rich", description: "the sea" },
    { type: "rich" },
    { type: "link", title: "A page" },
  ];
  expect(readAsides({ embeds })).toEqual({ embeds: ["Blue", "the sea", ""] });
  expect(readAsides({ embeds: embeds.slice(3) })).toEqual({});
});
