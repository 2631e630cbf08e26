// The list of personas: how much of a prompt it shows, that it always has all of them, and what it says if there is none.
import { expect, it } from "vitest";
import { MAX_PERSONAS } from "../../../src/channel/change-personas.ts";
import { personasText } from "../../../src/core/copy/persona-list.ts";
import { unknownPersona } from "../../../src/core/copy/unknown-persona.ts";

it("a prompt of fifty characters is shown in full, and a longer one says that it continues", () => {
  const [fifty] = personasText([{ name: "Ada", prompt: "x".repeat(50), avatarUrl: null }], null).split("\n");
  const [longer] = personasText([{ name: "Ada", prompt: "x".repeat(51), avatarUrl: null }], null).split("\n");
  expect([fifty, longer]).toEqual([`- **Ada**: ${"x".repeat(50)}`, `- **Ada**: ${"x".repeat(50)}…`]);
});

it("the longest list names everyone in one message, with less of each prompt", () => {
  const names = Array.from({ length: MAX_PERSONAS }, (_, index) => `${"漢".repeat(58)}${index}`);
  const personas = names.map((name) => ({ name, prompt: "x".repeat(4000), avatarUrl: null }));
  for (const inUse of [null, names[7] ?? ""]) {
    const text = personasText(personas, inUse);
    expect([...text].length).toBeLessThanOrEqual(2000);
    expect(names.filter((name) => !text.includes(`- **${name}**`))).toEqual([]);
  }
});

it("says who can create one if there is none: anyone may ask for a persona, but few see that command", () => {
  const told = unknownPersona({ name: "Ada", known: [] });
  expect(told).toMatch(/If someone manages it, they can use `\/persona create` to make one\.$/);
});
