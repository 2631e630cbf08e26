// The colors of code: what the library finds, as pieces of text that together are the code.
import { expect, it } from "vitest";
import { colorCode } from "../../../src/playground/page/code-colors.ts";

it("finds the class of each piece, by the language or one of its short names", () => {
  expect(colorCode("ts", 'const a = "b"; // c')).toEqual([
    { text: "const", className: "hljs-keyword" },
    { text: " a = " },
    { text: '"b"', className: "hljs-string" },
    { text: "; " },
    { text: "// c", className: "hljs-comment" },
  ]);
  expect(colorCode("py", "def f(): pass")[0]).toEqual({ text: "def", className: "hljs-keyword" });
});

it.each([
  ["ts", "if (a < b && c > d) return `<b>&amp;</b>`; // <script>'x'</script>"],
  ["html", '<p class="a">&lt;b&gt; &amp; "c"</p>'],
  ["json", '{"a": [1, null, "<"]}'],
  ["bash", "echo \"$HOME\" | grep '<x>' && exit 1"],
])("keeps every character of %s", (language, code) => {
  const pieces = colorCode(language, code);
  expect(pieces.map(({ text }) => text).join("")).toBe(code);
  expect(pieces.length).toBeGreaterThan(1);
});

it("leaves an unknown language, no language and very long code as they are", () => {
  expect(colorCode("klingon", "const a")).toEqual([{ text: "const a" }]);
  expect(colorCode("", "const a")).toEqual([{ text: "const a" }]);
  const long = "const a;\n".repeat(3_000);
  expect(colorCode("ts", long)).toEqual([{ text: long }]);
});
