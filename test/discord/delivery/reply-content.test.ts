// Which views of a reply change something that is shown.
import { expect, it } from "vitest";
import type { Posted } from "../../../src/discord/delivery/part-body.ts";
import { ReplyContent } from "../../../src/discord/delivery/reply-content.ts";

const view = (text: string) => ({ text, line: null });
const route = { frozen: 0, isDeferred: true };

it("an answer that begins with a quote is separated from the question above it", () => {
  const content = new ReplyContent({ maxMessages: 5, waits: false, questionLine: () => "-# Why?\n" });
  content.show(view("> As they say"));
  expect(content.view?.text).toBe("-# Why?\n\n> As they say");
  content.show(view("Because"));
  expect(content.view?.text).toBe("-# Why?\nBecause");
});

it("an answer that begins with a quote follows a bare link to the question without an empty line", () => {
  const link = "https://discord.com/channels/1/2/3";
  const content = new ReplyContent({ maxMessages: 5, waits: false, questionLink: `${link}\n` });
  content.show(view("> As they say"));
  expect(content.view?.text).toBe(`${link}\n> As they say`);
});

it("a persona's name comes before the first line, or above it if the line's markup works only at its beginning", () => {
  const content = new ReplyContent({ maxMessages: 5, waits: false, speakerLabel: "**Ada:** " });
  const shown = (text: string) => {
    content.show(view(text));
    return content.view?.text;
  };
  for (const text of ["Yes.", "**No.**", "-1 is less", "#general", "`a` or b", "2.5 km", "a | b", "\n- milk"])
    expect(shown(text)).toBe(`**Ada:** ${text}`);
  const blocks = [
    "- milk",
    "* milk",
    "1. milk",
    "# Milk",
    "-# milk",
    "> milk",
    "```js\nmilk\n```",
    "| a | b |",
    "a | b\n--|--",
  ];
  for (const text of blocks) expect(shown(text)).toBe(`**Ada:**\n${text}`);
});

it("the whole answer in a file contains neither the question nor a persona's name", () => {
  const lead = { questionLine: () => "> Why?\n", speakerLabel: "**Ada:** " };
  for (const text of ["Because. ".repeat(300), `- milk\n${"- tea\n".repeat(400)}`]) {
    const content = new ReplyContent({ maxMessages: 1, waits: false, ...lead });
    content.finish(view(text), []);
    expect(content.next({ all: [], lost: false }, route)).toMatchObject({ part: { file: text } });
  }
});

it("a spoiler is shown once it is complete, and the last words as they are", () => {
  const content = new ReplyContent({
    maxMessages: 1,
    waits: false,
    questionLine: () => "-# Who ||did|| it, or ||why?\n",
  });
  const shown = (text: string, line: string | null = null) => {
    content.show({ text, line });
    return content.next({ all: [], lost: false }, route);
  };
  expect(shown("||The but")).toBeNull();
  expect(shown("||The but", "-# Using: look")).toMatchObject({ part: { content: "-# Using: look" } });
  expect(shown("It was ||the but")).toMatchObject({ part: { content: "-# Who ||did|| it, or ||why?\nIt was " } });
  // Text that is held back does not mean that the message is full.
  expect(content.show(view("It was ||the butler"))).toBe(true);
  expect(shown("It was ||the butler||.")).toMatchObject({
    part: { content: "-# Who ||did|| it, or ||why?\nIt was ||the butler||." },
  });
  content.finish(view("It was ||the"), []);
  expect(content.next({ all: [], lost: false }, route)).toMatchObject({
    part: { content: "-# Who ||did|| it, or ||why?\nIt was ||the" },
  });
});

it("once its messages are full, a growing answer changes nothing until it gets shorter or has another line", () => {
  const content = new ReplyContent({ maxMessages: 1, waits: false });
  const full = "word ".repeat(500);
  expect(content.show(view(full))).toBe(true);
  content.next({ all: [], lost: false }, route);
  expect(content.show(view(full))).toBe(false);
  expect(content.show(view(`${full}more`))).toBe(false);
  expect(content.show({ text: full, line: "-# …" })).toBe(true);
  expect(content.show(view(`${full}more`))).toBe(true);
  expect(content.show(view("word"))).toBe(true);
  expect(content.show(view("word word"))).toBe(true);
});

it("a message is not full if all it lacks is the second half of a surrogate pair", () => {
  const content = new ReplyContent({ maxMessages: 1, waits: false });
  const [half = ""] = "😀".split("");
  content.show(view(`Hello ${half}`));
  content.next({ all: [], lost: false }, route);
  expect(content.show(view("Hello 😀"))).toBe(true);
});

it("an answer after a lost message is not full while none of it is left out", () => {
  const content = new ReplyContent({ maxMessages: 5, waits: false });
  content.show(view("Short"));
  const old = { content: null, endsAt: 5, buttons: null, file: null };
  content.next({ all: [old, old], lost: true }, { frozen: 2, isDeferred: false });
  expect(content.show(view("Short and more"))).toBe(true);
});

it("a growing answer changes nothing while a click is asked for", () => {
  const content = new ReplyContent({ maxMessages: 5, waits: false });
  content.show(view("One"));
  content.wait();
  expect(content.show(view("One two"))).toBe(false);
  content.resume();
  expect(content.show(view("One two three"))).toBe(true);
});

it("a view changes something if an earlier life waited for a click, until the click is asked for again", () => {
  const content = new ReplyContent({ maxMessages: 5, waits: true });
  expect(content.show(view("One"))).toBe(true);
  content.next({ all: [], lost: false }, route);
  expect(content.show(view("One two"))).toBe(false);
});

it("the whole answer comes as a file of one more message if those that can't be changed are full and show all their words", () => {
  const content = new ReplyContent({ maxMessages: 2, waits: false });
  // Two paragraphs fill a message and leave room for the note.
  const answer = "abcdef".replace(/./g, (letter) => `${letter.repeat(900)}\n\n`);
  const posted: Posted[] = [];
  const send = (frozen: number) => {
    const next = content.next({ all: posted, lost: false }, { frozen, isDeferred: false });
    if (next && next.kind !== "delete") posted[next.index] = next.part;
    return next !== null;
  };
  content.show(view(answer));
  while (send(0));
  expect(posted.map(({ endsAt, file }) => [endsAt, file])).toEqual([
    [1804, null],
    [3608, null],
  ]);
  content.finish(view(answer), []);
  while (send(2));
  expect(posted.map(({ file }) => file)).toEqual([null, null, answer]);
});

it("a growing answer that is refused waits for its last words, which come as a file if they are refused too", () => {
  const content = new ReplyContent({ maxMessages: 5, waits: false });
  content.show(view("Some"));
  expect([content.refuse(), content.refuse()]).toEqual([true, false]);
  expect(content.next({ all: [], lost: false }, route)).toBeNull();
  content.finish(view("Some words."), []);
  expect(content.next({ all: [], lost: false }, route)).toMatchObject({ part: { content: "Some words.", file: null } });
  expect(content.refuse()).toBe(true);
  expect(content.next({ all: [], lost: false }, route)).toMatchObject({ part: { file: "Some words." } });
  expect(content.refuse()).toBe(false);
});
