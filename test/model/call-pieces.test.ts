// Pieces of calls as providers really send them, joined into whole calls.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../src/core/transcript/transcript.ts";
import { type CallPiece, joinCalls } from "../../src/model/call-pieces.ts";

const piece = (index: number | undefined, id: string | undefined, name?: string, args?: string): CallPiece => ({
  index,
  id,
  function: { name, arguments: args },
});

describe("pieces of calls", () => {
  it.each<[string, CallPiece[]]>([
    [
      "join when sent as OpenAI does: name and id first, then arguments by index",
      [
        piece(0, "a", "roll", ""),
        piece(0, undefined, undefined, '{"n"'),
        piece(1, "b", "time", ""),
        piece(0, undefined, undefined, ":1}"),
        piece(1, undefined, undefined, "{}"),
      ],
    ],
    ["join when each piece is a whole call", [piece(0, "a", "roll", '{"n":1}'), piece(1, "b", "time", "{}")]],
    [
      "join by their ids if they have no index",
      [
        piece(undefined, "a", "roll", '{"n":'),
        piece(undefined, "a", undefined, "1}"),
        piece(undefined, "b", "time", "{}"),
      ],
    ],
    [
      "join if they have no index and the arguments have no id",
      [
        piece(undefined, "a", "roll"),
        piece(undefined, undefined, undefined, '{"n":1}'),
        piece(undefined, "b", "time", "{}"),
      ],
    ],
    [
      "join when every piece has the whole name",
      [piece(0, "a", "roll", '{"n":'), piece(0, "a", "roll", "1}"), piece(1, "b", "time", "{}")],
    ],
    [
      "join when the name comes in two pieces",
      [piece(0, "a", "ro", ""), piece(0, undefined, "ll", '{"n":1}'), piece(1, "b", "time", "{}")],
    ],
    [
      "join when the name comes after arguments have begun",
      [
        piece(0, "a", undefined, '{"n"'),
        piece(0, undefined, "roll", ":1}"),
        piece(undefined, "b", undefined, "{"),
        piece(undefined, undefined, "time", "}"),
      ],
    ],
    [
      "join when the name comes after all arguments",
      [piece(0, "a", undefined, '{"n":1}'), piece(0, undefined, "roll"), piece(1, "b", "time", "{}")],
    ],
    [
      "join if the index grows while the arguments of a call come",
      [
        piece(0, "a", "roll", ""),
        piece(1, undefined, undefined, '{"n"'),
        piece(2, undefined, undefined, ":1}"),
        piece(3, "b", "time", ""),
        piece(4, undefined, undefined, "{}"),
      ],
    ],
    [
      "join if a call begins with another's index and continues with its own",
      [piece(0, "a", "roll", '{"n":1}'), piece(0, "b", "time", "{"), piece(1, "b", undefined, "}")],
    ],
    [
      "join if only what comes after a call's beginning has an index",
      [
        piece(undefined, "a", "roll", ""),
        piece(0, undefined, undefined, '{"n":1}'),
        piece(undefined, "b", "time", ""),
        piece(1, undefined, undefined, "{}"),
      ],
    ],
    ["join whatever the order of their indices", [piece(5, "a", "roll", '{"n":1}'), piece(2, "b", "time", "{}")]],
  ])("%s", (_, pieces) => {
    expect(joinCalls(pieces).calls).toEqual([
      { id: "a", name: "roll", arguments: '{"n":1}' },
      { id: "b", name: "time", arguments: "{}" },
    ]);
  });

  it.each([undefined, 0])(
    "begin a new call with another name after a complete call, with its id and index %s",
    (index) => {
      expect(joinCalls([piece(index, "a", "roll", '{"n":1}'), piece(index, "a", "time", "{}")]).calls).toEqual([
        { id: "a", name: "roll", arguments: '{"n":1}' },
        { id: "a-1", name: "time", arguments: "{}" },
      ]);
    },
  );

  it("begin a new call with each new name if they have neither index nor id", () => {
    const pieces = [piece(undefined, undefined, "roll", "{}"), piece(undefined, undefined, "roll", "{}")];
    expect(joinCalls(pieces).calls).toEqual([
      { id: "roll-0-0", name: "roll", arguments: "{}" },
      { id: "roll-0-1", name: "roll", arguments: "{}" },
    ]);
  });

  it("are two calls of one tool if only the index and the id are the same, but one if a call is repeated with different white space", () => {
    const pieces = [
      piece(0, "a", "roll", '{"n":1}'),
      piece(0, "a", "roll", '{"n": 1}'),
      piece(0, "a", "roll", '{"n":'),
      piece(0, "a", undefined, "2}"),
    ];
    expect(joinCalls(pieces).calls).toEqual([
      { id: "a", name: "roll", arguments: '{"n":1}' },
      { id: "a-1", name: "roll", arguments: '{"n":2}' },
    ]);
    const empty = [piece(0, "a", "roll", "{}"), piece(0, "a", "roll", '{"n":'), piece(0, "a", "roll", "1}")];
    expect(joinCalls(empty).calls).toEqual([{ id: "a", name: "roll", arguments: '{"n":1}' }]);
  });

  it("make a call that can be answered even if they carry nothing", () => {
    expect(joinCalls([{}]).calls).toEqual([{ id: "call-0-0", name: "", arguments: "" }]);
    expect(joinCalls([]).calls).toEqual([]);
  });
});

it("an id that the conversation already has, or a missing one, gets a new id", () => {
  const call = (id: string) => ({ id, name: "roll", arguments: "{}" });
  const answer = (...ids: string[]): Message => ({ role: "assistant", text: "", calls: ids.map(call) });
  const before: Message[] = [
    answer("call-0", "roll-0-1"),
    { role: "tool", callId: "call-0", text: "{}" },
    answer("call-0-0"),
  ];
  const pieces = [piece(0, "call-0", "roll", "{}"), piece(1, undefined, "roll", "{}"), piece(2, "new", "roll", "{}")];
  expect(joinCalls(pieces, before).calls).toEqual([call("call-0-1"), call("roll-2-1"), call("new")]);
});

it("the ids of one answer are never empty and never equal, whatever the provider sent", () => {
  const id = fc.constantFrom(undefined, "", "a", "a-1", "a-2", "a-1-1", "t-0-1", "t-0-0", "call-0-1");
  const pieces = fc.array(
    fc.record({ id, function: fc.record({ name: fc.constantFrom("t", "", undefined), arguments: fc.constant("{}") }) }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(pieces, (some) => {
      const ids = joinCalls(some.map((one, index) => ({ ...one, index }))).calls.map((call) => call.id);
      expect(ids).toHaveLength(some.length);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).not.toContain("");
    }),
    { numRuns: 1000 },
  );
});

it("arguments with too many levels to be written again stay as they came", () => {
  const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  const pieces = [piece(0, "a", "roll", deep.slice(0, 9)), piece(0, undefined, undefined, deep.slice(9))];
  expect(joinCalls(pieces).calls).toEqual([{ id: "a", name: "roll", arguments: deep }]);
});
