// `@Name` in an answer becomes a mention if exactly one known person has that name, and otherwise stays text.
import { describe, expect, it } from "vitest";
import { mentionPeople } from "../../../src/core/markdown/mentions.ts";

const people = [
  { id: "1", name: "Mira" },
  { id: "1", name: "Mira Stone" },
  { id: "2", name: "Theo (he)" },
  { id: "3", name: "Sam" },
  { id: "4", name: "Sam" },
  { id: "5", name: "日本" },
  { id: "6", name: "$&" },
];
const mention = (text: string) => mentionPeople(text, people);

describe("a name", () => {
  it.each([
    ["@Mira, look", "<@1>, look"],
    ["ask @Mira Stone and @Theo (he)!", "ask <@1> and <@2>!"],
    ["(@Mira) **@Mira** @日本", "(<@1>) **<@1>** <@5>"],
    ["@$& is odd", "<@6> is odd"],
    ["> @Mira\n- @Mira", "> <@1>\n- <@1>"],
  ])("%j reads %j", (text, wanted) => expect(mention(text)).toBe(wanted));

  it.each([
    ["of two people", "@Sam"],
    ["of nobody", "@Ann"],
    ["inside a longer word", "@Mirabelle mira@Mira.example @Mira_2"],
    ["without the sign, or escaped", "Mira \\@Mira"],
    ["in code", "`@Mira` ``a ` @Mira`` `@Mira"],
    ["in a fence", "```ts\n@Mira\n```\n~~~\n@Mira\n~~~"],
    ["in the first line of a fence", "~~~ @Mira\nwords\n~~~"],
    ["in a link or an address", "[@Mira](https://a.example) https://a.example/@Mira"],
    ["in another case", "@mira"],
    ["after a backslash, as in a question that is shown", "> ask \\@Mira"],
  ])("%s stays as it is", (_what, text) => expect(mention(text)).toBe(text));

  it("is a mention again after code", () => {
    expect(mention("`@Mira` @Mira\n```\n@Mira\n```\n@Mira")).toBe("`@Mira` <@1>\n```\n@Mira\n```\n<@1>");
  });

  it("changes nothing if no one is known", () => expect(mentionPeople("@Mira", [])).toBe("@Mira"));
});
