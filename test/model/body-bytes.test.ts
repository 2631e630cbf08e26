// A request's body is JSON text in UTF-8, and a part that was sent before is not written again.
import {
  array,
  assert,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  property,
  string,
} from "fast-check";
import { expect, it } from "vitest";
import type { Message } from "../../src/core/transcript/transcript.ts";
import { bodyBytes } from "../../src/model/body-bytes.ts";
import type { Quirks } from "../../src/model/quirks.ts";
import { requestBody } from "../../src/model/request-body.ts";

const textOf = (body: Record<string, unknown>) => new TextDecoder().decode(bodyBytes(body));

it("is the text that JSON.stringify gives, the second time too", () => {
  const value = oneof(jsonValue(), constant(undefined), array(oneof(jsonValue(), constant(undefined))));
  assert(
    property(dictionary(string(), value), (body) => {
      expect([textOf(body), textOf(body)]).toEqual([JSON.stringify(body), JSON.stringify(body)]);
    }),
  );
});

/** Any characters, including lone surrogates. */
const anyText = array(integer({ min: 0, max: 0x10ffff })).map((codes) => String.fromCodePoint(...codes));

it("has no half of a surrogate pair, for which a provider would refuse the whole request", () => {
  const halves = ["\ud83d", "a\udc00b", "\ude00\ud83d", "\\\ud83d", "\n\ud83d"];
  assert(
    property(array(oneof(anyText, constantFrom(...halves))), (texts) => {
      const body = { model: "m", stop: texts, messages: [{ role: "user", content: texts.join("") }] };
      const clean = texts.map((text) => text.toWellFormed());
      expect(JSON.parse(textOf(body))).toEqual({
        model: "m",
        stop: clean,
        messages: [{ role: "user", content: texts.join("").toWellFormed() }],
      });
    }),
  );
  // A text that only mentions such an escape contains no lone surrogate.
  const words = "\\ud83d and \\\\ud83d";
  expect(JSON.parse(textOf({ messages: [{ content: words }] }))).toEqual({ messages: [{ content: words }] });
});

it("sends a call's arguments without lone surrogates, and those with complete pairs as they were written", () => {
  const sent = (text: string) => {
    const messages: Message[] = [{ role: "assistant", text: "", calls: [{ id: "c", name: "look", arguments: text }] }];
    const [message] = requestBody("m", { system: "", messages, tools: [] }).messages;
    return message?.tool_calls?.[0]?.function.arguments;
  };
  expect(sent('{"a":"\\ud83d","b":"\\udE00x"}')).toBe('{"a":"\ufffd","b":"\ufffdx"}');
  for (const text of ['{"a":"\\ud83d\\ude00"}', '{"a":"\\\\ud83d"}', '{"a":"\\n😀"}']) expect(sent(text)).toBe(text);
});

it("writes a message once, however many requests carry it, so that a long turn doesn't write its conversation again for each", () => {
  let written = 0;
  const counting = (content: string) => ({
    toJSON: () => {
      written++;
      return { role: "tool", content };
    },
  });
  const messages = [counting("first")];
  for (let request = 0; request < 5; request++) {
    bodyBytes({ model: "m", messages });
    messages.push(counting("next"));
  }
  expect(written).toBe(5);
});

it("gets the same objects from one request of a turn to the next, unless the provider wants other ids", () => {
  const tools = [{ name: "look", description: "Looks.", parameters: {} }];
  const call = { id: "call_1", name: "look", arguments: "{}" };
  const messages: Message[] = [
    { role: "user", text: "go" },
    { role: "assistant", text: "", calls: [call] },
    { role: "tool", callId: "call_1", text: "found" },
  ];
  const parts = (quirks: Quirks) => {
    const { messages: sent, tools: offered = [] } = requestBody("m", { system: "s", messages, tools }, { quirks });
    return [...sent.slice(2), ...offered];
  };
  const [first, second] = [parts({}), parts({})];
  expect(second.map((part, at) => part === first[at])).toEqual([true, true, true]);
  const strict = parts({ callId: /^[a-z0-9]{9}$/ });
  expect(strict.map((part, at) => part === first[at])).toEqual([false, false, true]);
  expect(parts({})).toEqual(first);
});
