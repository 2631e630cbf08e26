// What the model and the history read of a tool's result.
import { describe, expect, it } from "vitest";
import { agedMessageText, buildResponse } from "../../src/turn/function-response.ts";

describe("a result", () => {
  it.each<[readonly string[] | undefined, object]>([
    [undefined, { a: 1 }],
    [[], { a: 1 }],
    [["b: was ignored"], { a: 1, warnings: ["b: was ignored"] }],
  ])("with the warnings %j has those next to its data, if there are some", (warnings, result) => {
    const given = { ok: true, status: "ok", data: { a: 1 }, ...(warnings && { warnings }) } as const;
    expect(buildResponse("look", given)).toEqual(result);
  });

  it.each([
    [299, false],
    [300, false],
    [301, true],
  ])("of an older turn with %i characters is cut: %s", (chars, isCut) => {
    // Two characters are its quotes.
    const text = agedMessageText("look", { ok: true, status: "ok", data: "x".repeat(chars - 2) }, false);
    expect(JSON.parse(text)).toEqual(
      isCut ? { beginning: `"${"x".repeat(299)}`, cut_characters: 1 } : "x".repeat(chars - 2),
    );
  });
});
