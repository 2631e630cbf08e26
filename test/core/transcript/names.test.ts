// The mentions in a text: what they are, and the names that replace them.
import { expect, it } from "vitest";
import { mentionsIn, nameMentions } from "../../../src/core/transcript/names.ts";

it("tells people, channels and roles with the same id apart, and reads the old form of a person's mention", () => {
  const text = "<@1> and <@!1> in <#1> are <@&1>";
  expect(mentionsIn(text)).toEqual(["@1", "#1", "&1"]);
  const names = { "@1": "Mira", "#1": "tea", "&1": "Hosts" };
  expect(nameMentions(text, names)).toBe("@Mira and @Mira in #tea are @Hosts");
});
