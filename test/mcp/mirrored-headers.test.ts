// Arguments that are repeated as headers: which marks are refused, and how a value is written.
import { describe, expect, it } from "vitest";
import { headerText, mirroredHeaders, mirrorFault } from "../../src/mcp/mirrored-headers.ts";

const object = (properties: object, over: object = {}) => ({ type: "object", properties, ...over });
const marked = (header: unknown, type = "string") => ({ type, "x-mcp-header": header });

describe("a mark", () => {
  it.each([
    ["on a text", object({ a: marked("A") }), null],
    ["on a parameter inside another", object({ a: object({ b: marked("B", "integer") }) }), null],
    ["is not a mark as a parameter's name", object({ "x-mcp-header": { type: "string" } }), null],
    ["without a name", object({ a: marked("") }), "it gives an invalid header name"],
    ["with a blank in its name", object({ a: marked("A B") }), "it gives an invalid header name"],
    ["that is not text", object({ a: marked(7) }), "it gives an invalid header name"],
    ["on a number", object({ a: marked("A", "number") }), expect.stringContaining("not a text")],
    ["on an object", object({ a: marked("A", "object") }), expect.stringContaining("not a text")],
    ["used twice", object({ a: marked("A"), b: marked("a") }), "it repeats two parameters in the same header"],
    ["in a list", object({ a: { type: "array", items: marked("A") } }), expect.stringContaining("not always there")],
    ["in a choice", object({ a: { anyOf: [marked("A")] } }), expect.stringContaining("not always there")],
    ["within a reference", object({}, { $defs: { a: marked("A") } }), expect.stringContaining("not always there")],
  ])("%s is followed or refused", (_what, schema, fault) => {
    expect(mirrorFault(schema)).toEqual(fault);
  });
});

describe("a value", () => {
  it.each([
    ["us-west 1", "us-west 1"],
    ["", ""],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["世", "=?base64?5LiW?="],
    ["=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
  ])("%j is written so that it arrives unchanged", (text, written) => {
    expect(headerText(text)).toBe(written);
  });

  it("has a header only if it was given", () => {
    const schema = object({
      a: marked("A"),
      b: marked("B", "boolean"),
      c: marked("C"),
      in: object({ d: marked("D") }),
    });
    expect(mirroredHeaders(schema, { a: "x", b: false, c: null, in: { d: "y" } })).toEqual({
      "mcp-param-A": "x",
      "mcp-param-B": "false",
      "mcp-param-D": "y",
    });
  });
});
