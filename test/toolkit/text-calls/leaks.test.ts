// Tool calls that a model writes into its text: removed in every dialect, however the text is cut into pieces, while words
// about tools stay.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLeakFilter, type JsonLeaks } from "../../../src/toolkit/text-calls/leaks.ts";

const NAMES = ["weather", "roll_dice"];
const leaks: [string, string][] = [
  ["Hermes", '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'],
  [
    "Anthropic",
    '<function_calls><invoke name="weather"><parameter name="city">Oslo</parameter></invoke></function_calls>',
  ],
  ["a lone invoke", '<invoke name="weather"><parameter name="city">Oslo</parameter></invoke>'],
  ["Llama's function tag", '<function=weather>{"city": "Oslo"}</function>'],
  ["Qwen's coder", "<tool_call>\n<function=weather>\n<parameter=city>Oslo</parameter>\n</function>\n</tool_call>"],
  [
    "Kimi",
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
  ],
  [
    "Kimi, without its section",
    "<|tool_call_begin|> functions.weather:0<|tool_call_argument_begin|>{}<|tool_call_end|>",
  ],
  ["GLM", "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>"],
  ["GLM, without a line break", "<tool_call>weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>"],
  ["GLM, without arguments", "<tool_call>roll_dice</tool_call>"],
  ["Gemma", '<|tool_call>call:weather{city:<|"|>Oslo<|"|>}<tool_call|>'],
  ["MiniMax", '<minimax:tool_call>\n<invoke name="weather"></invoke>\n</minimax:tool_call>'],
  ["gpt-oss", '<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{"city":"Oslo"}<|call|>'],
  [
    "DeepSeek",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n{"city":"Oslo"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
];
const openEnded: [string, string][] = [
  ["Mistral", '[TOOL_CALLS][{"name": "weather", "arguments": {"city": "Oslo"}}]'],
  ["Llama's code tag", '<|python_tag|>{"name": "weather", "parameters": {"city": "Oslo"}}'],
  [
    "DeepSeek from V3.2 on",
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="weather">\n<｜DSML｜parameter name="city">Oslo</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  ],
  ["DeepSeek, without its section", '<｜DSML｜invoke name="weather">\n</｜DSML｜invoke>'],
  ...["｜｜", "‖", "|"].map((bar): [string, string] => [
    `DeepSeek, with ${bar}`,
    `<${bar}DSML${bar}tool_calls>\n<${bar}DSML${bar}invoke name="weather">\n</${bar}DSML${bar}invoke>\n</${bar}DSML${bar}tool_calls>`,
  ]),
  [
    "DeepSeek from V4.1 on",
    '<｜｜DSML｜｜ calls>\n<｜｜DSML｜｜ invoke name="weather">\n</｜｜DSML｜｜ invoke>\n</｜｜DSML｜｜ calls>',
  ],
  [
    "Kimi from K3 on",
    '<|open|>tools<|sep|><|open|>call tool="weather" index="0"<|sep|><|open|>argument key="city" type="string"<|sep|>Oslo<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  ],
  ["Kimi, half undone", '<|open|>toolscall tool="weather" index="1"<|sep|>Oslo<|close|>call<|sep|>'],
  ["a made-up result", '[TOOL RESULT: weather]\n{"temp": 3}'],
  ["a tag that is never closed", '<tool_call>{"name": "weather", "arguments": {'],
];
const json: [string, string][] = [
  ["an object", '{"tool": "weather", "parameters": {"city": "}"}, "reasoning": "\\"so\\""}'],
  ["an object over lines", '{\n  "name": "weather",\n  "arguments": {"city": "Oslo"}\n}'],
  ["an object that begins with its type", '{"type": "function", "name": "weather", "parameters": {"city": "Oslo"}}'],
  ["an object within another", '{"type":"function", "function": {"name": "weather", "parameters": {}}}'],
  ["an object within a function", '{"function": {"name": "weather", "arguments": {}}}'],
  ["a fenced object that quotes a fence", '```json\n{"tool": "weather", "parameters": {"city": "```"}}\n```'],
  ["a fenced object", '```json\n{"tool": "weather", "parameters": {}}\n```'],
];

/** Filters a complete text; the space left around a leak doesn't count. */
function withoutLeaks(text: string, names: readonly string[]) {
  const filter = createLeakFilter(names);
  const shown = filter.push(text) + filter.end();
  return { text: filter.hasLeaked() ? shown.trim() : shown, leaked: filter.hasLeaked() };
}

/** Filters a text in pieces of these lengths, in rotation. */
function streamed(text: string, lengths: number[], mode: JsonLeaks = "at_start") {
  const filter = createLeakFilter(NAMES, mode);
  let shown = "";
  for (let at = 0, piece = 0; at < text.length; piece++) {
    const length = lengths[piece % lengths.length] ?? 1;
    shown += filter.push(text.slice(at, at + length));
    at += length;
  }
  return { shown: shown + filter.end(), leaked: filter.hasLeaked() };
}

describe("a leaked call", () => {
  it.each([...leaks, ...openEnded, ...json])("(%s) leaves nothing", (_, text) => {
    expect(withoutLeaks(text, NAMES)).toEqual({ text: "", leaked: true });
    expect(streamed(text, [1])).toEqual({ shown: "", leaked: true });
  });

  it.each(leaks)("(%s) leaves the words around it", (_, text) => {
    expect(withoutLeaks(`Let me look.\n${text}\nDone.`, NAMES)).toEqual({
      text: "Let me look.\n\nDone.",
      leaked: true,
    });
  });

  it.each(openEnded)("(%s) takes everything after it along", (_, text) => {
    expect(withoutLeaks(`Let me look.\n${text} and more`, NAMES)).toEqual({ text: "Let me look.", leaked: true });
  });

  it.each(json)("(%s) counts on any line only if calls are written as text", (_, text) => {
    const reply = `Let me look.\n${text}`;
    expect(withoutLeaks(reply, NAMES)).toEqual({ text: reply, leaked: false });
    expect(streamed(reply, [1], "on_any_line")).toEqual({ shown: "Let me look.\n", leaked: true });
  });

  it.each(json)("(%s) leaves the words after it", (_, text) => {
    expect(withoutLeaks(`${text}\nDone.`, NAMES)).toEqual({ text: "Done.", leaked: true });
  });

  it("is removed if the answer ends with its name", () => {
    expect(withoutLeaks("Let me look.\n<tool_call>weather", NAMES)).toEqual({ text: "Let me look.", leaked: true });
  });

  it("is removed again after another one", () => {
    const [[, hermes]] = leaks as [[string, string]];
    expect(withoutLeaks(`a ${hermes} b ${hermes} c`, NAMES).text).toBe("a  b  c");
  });
});

describe("words about tools", () => {
  it.each([
    "I could use the weather tool for that.",
    "A `<tool_call>` tag holds the call.",
    "Write <tool_call> and then the name weather.",
    "Write <tool_call>weather and then its arguments.",
    "<tool_call>weathercock</tool_call>",
    "<tool_call>weathercock",
    "<tool_call></tool_call> holds a call of a tool, such as weather.",
    'In JSON that is {"tool": "weather", "parameters": {}}.',
    '<tool_call>{"name": "some_other_tool"}</tool_call>',
    '{"tool": "hammer", "price": 3}',
    '{"name": "weather station", "id": 3}',
    '```json\n{"name": "Mira"}\n```',
    "a < b and [x] and {y} and `z`",
    "```js\nif (a) { b(); }\n```",
    "<invoke",
    "[TOOL",
    "<",
    "`",
    "{",
    '{"tool"',
    "",
  ])("stay as they are: %s", (text) => {
    expect(withoutLeaks(text, NAMES)).toEqual({ text, leaked: false });
    expect(streamed(text, [1])).toEqual({ shown: text, leaked: false });
  });

  it("stay within a line even if calls are written as text", () => {
    const text = 'See:\nin JSON that is {"tool": "weather", "parameters": {}}.';
    expect(streamed(text, [text.length], "on_any_line")).toEqual({ shown: text, leaked: false });
  });

  it("are shown as soon as they are certain to be words", () => {
    const filter = createLeakFilter(NAMES);
    expect(["If a ", "< b", " then <tool", "_call", "> is"].map((piece) => filter.push(piece))).toEqual([
      "If a ",
      "< b",
      " then ",
      "",
      "<tool_call> is",
    ]);
    expect(createLeakFilter(NAMES).push("<tool_call></tool_call> is")).toBe("<tool_call></tool_call> is");
  });
});

describe("a stream", () => {
  const parts = fc.array(
    fc.oneof(
      fc.constantFrom(...leaks.map(([, text]) => text), ...json.map(([, text]) => text)),
      fc.constantFrom(
        "Hello ",
        "\n",
        "<",
        "<tool_call> ",
        "<tool_call>weather",
        "`code`",
        '{"a":1}',
        "[1] ",
        "```\nx\n```\n",
      ),
      fc.string(),
    ),
    { maxLength: 6 },
  );

  it("shows the same text however it is cut into pieces", () => {
    fc.assert(
      fc.property(parts, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (texts, lengths) => {
        const text = texts.join("");
        for (const mode of ["at_start", "on_any_line"] as const)
          expect(streamed(text, lengths, mode)).toEqual(streamed(text, [Math.max(1, text.length)], mode));
      }),
      { numRuns: 1000 },
    );
  });

  it("without the beginning of a call passes unchanged and at once", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[^<[{`]*$/)), (pieces) => {
        const filter = createLeakFilter(NAMES);
        expect(pieces.map((piece) => filter.push(piece))).toEqual(pieces);
        expect([filter.end(), filter.hasLeaked()]).toEqual(["", false]);
      }),
      { numRuns: 1000 },
    );
  });
});
