// Each parser of content from outside gets the worst input that is known for it, once and four times as long, and reports how many
// characters it looked at: the work must grow with the length, not with its square. Steps and not times, so that no machine is too slow.
import { describe, expect, it } from "vitest";
import { readHtml } from "../src/tools/web/html-text.ts";

/** A little more than four, for what is looked at once whatever the length. */
const MOST_GROWTH = 4.5;
const HERE = new URL("https://example.com/");

/** The steps of one run. */
type Count = (input: string) => number | Promise<number>;

/** Adds up what a parser reports. */
function counter() {
  let steps = 0;
  return {
    looked: (chars: number) => {
      steps += chars;
    },
    steps: () => steps,
  };
}

const repeated = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length));

async function expectLinear(count: Count, inputOf: (length: number) => string, length: number) {
  const once = await count(inputOf(length));
  const fourTimes = await count(inputOf(4 * length));
  // Without this, a parser that forgets to count would pass.
  expect(fourTimes).toBeGreaterThanOrEqual(length);
  expect(fourTimes / once).toBeLessThanOrEqual(MOST_GROWTH);
}

describe("a page of HTML", () => {
  const count: Count = (html) => {
    const { looked, steps } = counter();
    readHtml(html, HERE, looked);
    return steps();
  };
  it.each([
    [
      "open elements and closing tags that close none of them",
      (n: number) => repeated("<b>", n / 2) + repeated("</i>", n / 2),
    ],
    ["elements within elements", (n: number) => repeated("<div>", n)],
    ["elements that close and open others", (n: number) => repeated("<p><b><i></p>", n)],
    ["links within links around one long text", (n: number) => repeated("<a href=x>", n / 2) + "x".repeat(n / 2)],
    ["a main part at every depth", (n: number) => repeated("<main><nav>", n)],
    ["main parts in what is not read", (n: number) => `${"<div>".repeat(511)}<svg>${repeated("<main>", n)}`],
    ["quotes that are never closed", (n: number) => repeated('<a b="', n)],
    ["attributes without values", (n: number) => `<a${repeated(" b", n)}`],
    ["blanks after an attribute", (n: number) => repeated(`<a b${" ".repeat(500)}c`, n)],
    ["comments that are never closed", (n: number) => repeated("<!--", n)],
    ["scripts that are never closed", (n: number) => repeated("<script></scrip", n)],
    ["less-than signs", (n: number) => repeated("<", n)],
  ])("of %s costs its length", (_what, inputOf) => expectLinear(count, inputOf, 40_000));
});
