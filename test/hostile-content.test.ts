// Gives each parser of outside content the worst input known for it, once and at four times the length, and counts the characters that it
// looks at. The work must grow linearly with the length, not quadratically. Steps are counted instead of time, so no machine is too slow.
import { describe, expect, it } from "vitest";
import { MAX_CHANNEL_INSTRUCTIONS, withTrigger } from "../src/core/deliberate/channel-triggers.ts";
import { MAX_MATCH_WORK, type TriggerSet, toolsAskedFor, triggerSet } from "../src/core/deliberate/tool-matches.ts";
import type { CustomTrigger } from "../src/core/deliberate/trigger-phrases.ts";
import { withoutOpenSpoiler } from "../src/core/markdown/spoiler.ts";
import { addressesIn } from "../src/core/taint/addresses.ts";
import { createReasoningTagParser } from "../src/core/transcript/reasoning-tags.ts";
import { ReplyContent } from "../src/discord/delivery/reply-content.ts";
import { eventData } from "../src/mcp/event-stream.ts";
import { referenceFault } from "../src/toolkit/define/schema-references.ts";
import { shippedTriggers } from "../src/toolkit/define/trigger-list.ts";
import { createScrubber } from "../src/toolkit/run/scrub.ts";
import { readToolAnswer } from "../src/toolkit/run/tool-outcome.ts";
import { createLeakFilter } from "../src/toolkit/text-calls/leaks.ts";
import { tools } from "../src/tools/index.ts";
import { readHtml } from "../src/tools/web/html-text.ts";

/** A little more than four, because some parts are looked at once whatever the length. */
const MOST_GROWTH = 4.5;
const HERE = new URL("https://example.com/");

/** Returns the number of steps of one run. */
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
      "open elements, and closing tags that match none of them",
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
    ["styles with comments that are never closed", (n: number) => `<p style="${repeated("/*", n)}">`],
    ["comments that are never closed", (n: number) => repeated("<!--", n)],
    ["scripts that are never closed", (n: number) => repeated("<script></scrip", n)],
    ["less-than signs", (n: number) => repeated("<", n)],
  ])("of %s takes linear work", (_what, inputOf) => expectLinear(count, inputOf, 40_000));
});

it.each([
  ["code in one line", "`a` "],
  ["code that the end of a paragraph cuts off", "`a\n\n``b\n\n"],
  ["spoilers with code", "||`a`||\n"],
])("an answer of %s takes linear work to search for an open spoiler", (_what, piece) => {
  const count: Count = (text) => {
    const { looked, steps } = counter();
    withoutOpenSpoiler(`${text}||`, looked);
    return steps();
  };
  return expectLinear(count, (n) => repeated(piece, 2 * n), 20_000);
});

it("a text full of beginnings of addresses, without a blank, takes linear work to search for addresses", () => {
  const count: Count = (text) => {
    const { looked, steps } = counter();
    addressesIn(text, looked);
    // Each scheme is followed by a long address; parsing all of them would take a thousand times as long as a page's own links.
    expect(steps()).toBeLessThanOrEqual(4 * text.length + 2048);
    return steps();
  };
  return expectLinear(count, (n) => repeated("http://", n), 40_000);
});

/** How the text arrives: all at once, or one character at a time. */
const ARRIVALS = [
  ["at once", (text: string) => [text]],
  ["in pieces of one character", (text: string) => [...text]],
] as const;

describe.each(ARRIVALS)("an answer that arrives %s", (_how, piecesOf) => {
  it.each([
    ["closed reasoning", (n: number) => repeated("<think>x</think>", n)],
    ["closed details", (n: number) => repeated("<details><summary></details>", n)],
    ["fences", (n: number) => repeated("```", n)],
    ["half a tag", (n: number) => repeated("<thin", n)],
  ])("and is %s takes linear work in the parser of reasoning tags", (_what, inputOf) => {
    const count: Count = (text) => {
      const { looked, steps } = counter();
      const parser = createReasoningTagParser(looked);
      for (const piece of piecesOf(text)) parser.push(piece);
      parser.end();
      return steps();
    };
    return expectLinear(count, inputOf, 40_000);
  });

  const CALL = '{"tool":"roll_dice","parameters":{"a":"';
  it.each([
    ["a call in JSON that never ends", (n: number) => CALL + "x".repeat(n)],
    ["a fenced call", (n: number) => `\`\`\`json\n${CALL}${"x".repeat(n)}"}}\n`],
    ["a call in tags that never ends", (n: number) => `<tool_call>${CALL}${"<".repeat(n)}`],
    ["a brace and blanks", (n: number) => `{${" ".repeat(n)}`],
    ["a fence without an end of its line", (n: number) => `\`\`\`${"j".repeat(n)}`],
    ["a tag and blanks", (n: number) => `<tool_call>${" ".repeat(n)}`],
    ["openings without calls", (n: number) => repeated("<tool_call>", n)],
    ["beginnings of objects", (n: number) => repeated("\n{ ", n)],
    ["short calls", (n: number) => repeated('\n{"tool":"roll_dice"}', n)],
  ])("and is %s takes linear work in the filter of text tool calls", async (_what, inputOf) => {
    for (const json of ["at_start", "on_any_line"] as const) {
      const count: Count = (text) => {
        const { looked, steps } = counter();
        const filter = createLeakFilter(["roll_dice"], json, looked);
        for (const piece of piecesOf(text)) filter.push(piece);
        filter.end();
        return steps();
      };
      await expectLinear(count, inputOf, 10_000);
    }
  });
});

it("an answer of one-character pieces is read again for each piece only until its messages are full", () => {
  const read = (length: number) => {
    const content = new ReplyContent({ maxMessages: 5, waits: false, speakerLabel: "Ada: " });
    const posted = { all: [], lost: false };
    const route = { frozen: 0, isDeferred: false };
    let steps = 0;
    for (let text = "x"; text.length < length; text += text.length % 80 === 0 ? "\n" : "x") {
      if (!content.show({ text, line: null })) continue;
      steps += text.length;
      // Every so often, Discord is ready for a request.
      if (text.length % 500 === 0) content.next(posted, route);
    }
    return steps;
  };
  expect(read(80_000)).toBe(read(20_000));
});

describe("a stream of events", () => {
  const PIECE_BYTES = 256;
  const count: Count = async (text) => {
    const bytes = new TextEncoder().encode(text);
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.subarray(at, at + PIECE_BYTES));
        at += PIECE_BYTES;
      },
    });
    const { looked, steps } = counter();
    const events = eventData(new Response(body), 2 * text.length, undefined, looked);
    while (!(await events.next()).done);
    return steps();
  };
  it.each([
    ["one line", (n: number) => `data: ${"x".repeat(n)}\n\n`],
    ["a line that never ends", (n: number) => `data: ${"x".repeat(n)}`],
    ["one event of many lines", (n: number) => repeated("data: x\n", n)],
    ["returns", (n: number) => repeated("\r", n)],
  ])("in small pieces that is %s takes linear work", (_what, inputOf) => expectLinear(count, inputOf, 50_000));
});

describe("an answer of a tool", () => {
  const MEBI = 2 ** 20;
  /** The limit of a result, plus what the scrubber sees beyond it. */
  const MOST_SEARCHED = 20_000 + 4096;
  it.each([
    ["one text", (text: string) => ({ ok: true, data: text })],
    ["a list of texts", (text: string) => ({ ok: true, data: text.match(/.{1,1000}/g) })],
    ["keys", (text: string) => Object.fromEntries((text.match(/.{1,1000}/g) ?? []).map((key, at) => [at + key, 1]))],
    ["an error", (text: string) => ({ ok: false, error: text })],
  ])("of 4 MiB that is %s is cut before secrets are searched for", (_what, answerOf) => {
    for (const piece of ["eyJ-", "sk-", "xoxb-", "Bearer a"]) {
      const { looked, steps } = counter();
      readToolAnswer(answerOf(repeated(piece, 4 * MEBI)), {}, createScrubber([], looked));
      expect(steps()).toBeGreaterThan(0);
      expect(steps()).toBeLessThanOrEqual(MOST_SEARCHED);
    }
  });
});

it("a schema whose references double at every level is measured part by part, each part once", () => {
  const measure = (levels: number) => {
    const next = (level: number) => [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }];
    const defs = Array.from({ length: levels }, (_, level) => [`d${level}`, { anyOf: next(level) }]);
    const { looked, steps } = counter();
    const schema = { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs: Object.fromEntries(defs) };
    expect(referenceFault(schema, looked)).toBe(levels < 9 ? null : "its references make it too large");
    return steps();
  };
  const few = measure(8);
  expect(few).toBeGreaterThan(8);
  expect(measure(32)).toBeLessThanOrEqual(MOST_GROWTH * few);
});

describe("a channel's triggers, as many and as slow as the rules allow, against eight long messages", () => {
  const LONG = 6000;
  const builtIn = triggerSet("built-in", shippedTriggers(tools));
  /** As many triggers of this kind as a channel may have. */
  const full = (patternOf: (index: number) => string): TriggerSet => {
    let list: CustomTrigger[] = [];
    for (let index = 0; index < 160; index++) {
      const next = withTrigger(list, { tool: `tool_${index % 10}`, kind: "pattern", text: patternOf(index) });
      if (next.ok) list = next.triggers;
    }
    return [...triggerSet("custom", list), ...builtIn];
  };
  const asked = (set: TriggerSet, text: string, earlier: string) => {
    let work = 0;
    const message = {
      text,
      attachments: [],
      earlier: () => Array.from({ length: 8 }, () => ({ text: earlier, tools: [] })),
      retained: [],
    };
    const found = toolsAskedFor(set, message, (more) => {
      work += more;
    });
    return { work, names: found.map(({ toolName }) => toolName) };
  };

  it.each([
    ["a count", (index: number) => `x{80}${index}`, "x"],
    ["any characters", (index: number) => `.{1,95}!${index}`, "ab"],
    ["classes", (index: number) => `[\\w\\d\\S]{90}!${index}`, "ab"],
    ["ranges", (index: number) => `[^a-cd-fg-ij-lm-op-r\\d]{90}!${index}`, "\u4e00\u4e01"],
  ])("cost a fixed amount of work per message: %s", (_what, patternOf, piece) => {
    const set = full(patternOf);
    const long = piece.repeat(LONG / piece.length);
    // The last position may cost every instruction once, plus an answer that is not cached.
    const most = MAX_MATCH_WORK + 10 * (MAX_CHANNEL_INSTRUCTIONS + 15_000);
    for (const text of [long, "do that again"]) {
      const { work } = asked(set, text, long);
      expect(work).toBeGreaterThan(MAX_MATCH_WORK / 2);
      expect(work).toBeLessThanOrEqual(most);
    }
  });

  it("do not keep the words at the beginning of a message from exposing their tools", () => {
    const set = full((index) => `x{80}${index}`);
    expect(asked(set, `roll a d20 ${"x".repeat(LONG)}`, "").names).toEqual(["roll_dice"]);
  });

  it("leave an ordinary message of 6,000 characters far below that limit, and still match its last words", () => {
    const text = `${"Yesterday we walked along the river and talked about bread. ".repeat(98)} roll a d20`;
    const { work, names } = asked(builtIn, text, "");
    expect(names).toEqual(["roll_dice"]);
    expect(work).toBeLessThan(MAX_MATCH_WORK / 10);
  });
});
