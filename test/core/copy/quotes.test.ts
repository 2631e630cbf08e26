// How much of other people's words a question quotes.
import { expect, it } from "vitest";
import { forwardedText, repliedToText } from "../../../src/core/copy/quotes.ts";

const quote = (length: number, author = "Mira") => ({ author, text: "x".repeat(length) });

it("a message of 2,000 characters is quoted in full, and a longer one up to that length", () => {
  expect(forwardedText(quote(2000).text)).toMatch(/\n> x{2000}$/);
  expect(forwardedText(quote(2001).text)).toMatch(/\n> x{2000} …$/);
});

it("from a chain of replies, the newest 6,000 characters are quoted, oldest first", () => {
  expect(repliedToText([quote(2000, "new"), quote(2000, "old"), quote(2000, "oldest")])).toMatch(
    /^\[quoted: the messages .*\]\noldest wrote:\n.*\nold wrote:\n.*\nnew wrote:\n> x+$/,
  );
  expect(repliedToText([quote(2000), quote(2000), quote(2000), quote(1, "too old")])).not.toContain("too old");
});

it("a chain of one is described as one message, and nothing is said about an empty one", () => {
  expect(repliedToText([quote(1)])).toMatch(/^\[quoted: the message that this replies to;/);
  expect(repliedToText([])).toBe("");
});
