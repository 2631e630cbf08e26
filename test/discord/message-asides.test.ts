// The words of a message, and the extras that come with it.
import { describe, expect, it } from "vitest";
import { looseObject } from "zod/mini";
import { asidesShape, readAsides, wordsIn } from "../../src/discord/message-asides.ts";

const asidesOf = (json: object) => looseObject(asidesShape()).parse(json);

it("finds no extras in a plain message", () => {
  expect([
    readAsides({}),
    readAsides({ attachments: [], embeds: [], sticker_items: [], message_snapshots: [] }),
  ]).toEqual([{}, {}]);
});

it("reads files, stickers, forwarded words and a poll", () => {
  expect(
    readAsides({
      attachments: [{ filename: "a.txt", content_type: "text/plain", size: 5 }, { filename: "b" }],
      sticker_items: [{ name: "Wave" }],
      poll: {
        question: { text: "Which?" },
        answers: [{ poll_media: { text: "Tea" } }, { poll_media: { text: "Milk" } }],
      },
      message_snapshots: [{ message: { content: "look" } }],
    }),
  ).toEqual({
    files: [
      { filename: "a.txt", contentType: "text/plain", size: 5 },
      { filename: "b", contentType: null, size: 0 },
    ],
    stickers: ["Wave"],
    poll: "Which? (Tea / Milk)",
    forwarded: "look",
  });
});

it("reads a file under the name that its sender gave it", () => {
  const attachments = [{ filename: "c953b519a8c28c42.pdf", title: "план" }];
  expect(readAsides(asidesOf({ attachments }))).toMatchObject({ files: [{ filename: "план.pdf" }] });
});

describe("a poll", () => {
  const question = { text: "Which?" };
  const answers = ["Tea", "Milk"].map((text, n) => ({ answer_id: n + 1, poll_media: { text } }));

  it("has the votes of each answer, or none if Discord has no count", () => {
    const results = { is_finalized: false, answer_counts: [{ id: 1, count: 3, me_voted: false }] };
    expect(readAsides(asidesOf({ poll: { question, answers, results } }))).toEqual({
      poll: "Which? (Tea: 3 votes / Milk: 0 votes)",
    });
  });

  it.each([undefined, null, {}, { answer_counts: [{}] }, 5])(
    "has no votes if Discord has not counted them: %j",
    (results) => {
      const poll = { question, answers, ...(results !== undefined && { results }) };
      expect(readAsides(asidesOf({ poll }))).toEqual({ poll: "Which? (Tea / Milk)" });
    },
  );
});

it("reads each file and embed of a forwarded message if the message has none of its own", () => {
  const forwarded = { content: "", attachments: [{ filename: "cat.png" }], embeds: [{ title: "Blue" }] };
  expect(readAsides({ attachments: [], embeds: [], message_snapshots: [{ message: forwarded }] })).toEqual({
    files: [{ filename: "cat.png", contentType: null, size: 0 }],
    embeds: ["Blue"],
    forwarded: "",
  });
});

it("reads a poll and a forward without words if Discord hides these", () => {
  expect(
    readAsides({ poll: { question: {}, answers: [{ poll_media: {} }] }, message_snapshots: [{ message: {} }] }),
  ).toEqual({
    poll: "",
    forwarded: "",
  });
});

it("reads an embed's title, else its description, but no link preview", () => {
  const embeds = [
    { title: "Blue", description: "the sky" },
    { type: "rich", description: "the sea" },
    { type: "rich" },
    { type: "link", title: "A page" },
  ];
  expect(readAsides({ embeds })).toEqual({ embeds: ["Blue", "the sea", ""] });
  expect(readAsides({ embeds: embeds.slice(3) })).toEqual({});
});

describe("the words of a message", () => {
  const words = (content: string) => ({ type: 10, content });
  const built = [words("Release 3"), { type: 17, components: [{ type: 9, components: [words("is out")] }] }];

  it("are its content, or those of the components that it consists of", () => {
    expect([wordsIn({ content: "hi", components: built }), wordsIn({ content: "", components: built })]).toEqual([
      "hi",
      "Release 3\nis out",
    ]);
    expect(readAsides({ message_snapshots: [{ message: { content: "", components: built } }] })).toEqual({
      forwarded: "Release 3\nis out",
    });
  });

  it.each([
    ["buttons", [{ type: 1, components: [{ type: 2, label: "Press" }] }]],
    ["what has another form", [null, 5, { type: 10, content: 5 }, { components: 5 }]],
    ["something other than a list", { type: 10, content: "no" }],
    ["what is nested deeper than Discord allows", [{ components: [{ components: [{ components: [words("no")] }] }] }]],
  ])("are not in %s", (_what, components) => {
    expect(wordsIn({ components })).toBe("");
  });
});
