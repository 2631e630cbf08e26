// A request's body is JSON's own text in UTF-8, and a part that was sent before is not written again.
import { array, assert, constant, dictionary, jsonValue, oneof, property, string } from "fast-check";
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

it("writes a message once, however many requests carry it: a long turn would write its conversation anew for each", () => {
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
