// A channel's messages, read from Discord's list: what counts as a line, and when the answer is not a list.
import { expect, it } from "vitest";
import { readChannelLines } from "../../../src/discord/rest/channel-lines.ts";

/** An application from Discord's first years, whose bot has a different id. */
const SELF = { userId: "9", applicationId: "8" };

const line = (id: string) => ({
  id,
  timestamp: "2030-01-01T00:00:00.000Z",
  content: `text of ${id}`,
  author: { id: "1", username: "theo" },
});

it("reads a list oldest first, without what is not a message", () => {
  expect(readChannelLines([line("3"), { id: {} }, line("2")], SELF)?.map(({ id, text }) => [id, text])).toEqual([
    ["2", "text of 2"],
    ["3", "text of 3"],
  ]);
  expect(readChannelLines([], SELF)).toEqual([]);
});

it("treats an answer without a single readable message as not being a list", () => {
  expect([readChannelLines([null, { id: {} }], SELF), readChannelLines({ message: "no" }, SELF)]).toEqual([null, null]);
});

it("reads the words of a message that consists of components", () => {
  const components = [{ type: 10, content: "Release 3" }];
  expect(readChannelLines([{ ...line("3"), content: "", components }], SELF)?.[0]?.text).toBe("Release 3");
});

it.each([
  ["a reply", 19, { repliesTo: "7" }],
  ["a message that is forwarded", 0, {}],
])("reads which message is replied to only from a reply: %s", (_what, type, found) => {
  const [read] = readChannelLines([{ ...line("3"), type, message_reference: { message_id: "7" } }], SELF) ?? [];
  expect(read && "repliesTo" in read ? { repliesTo: read.repliesTo } : {}).toEqual(found);
});

it("has the names of what it mentions and of what its forward mentions, as far as Discord gives them", () => {
  const snapshot = (mentions: unknown) => [{ message: { content: "ask <@30>", mentions } }];
  const read = (mentions: unknown) =>
    readChannelLines(
      [{ ...line("3"), mentions: [{ id: "7", username: "mira" }], message_snapshots: snapshot(mentions) }],
      SELF,
    );
  expect(read([{ id: "30", username: "theo" }])?.[0]?.names).toEqual({ "@30": "theo", "@7": "mira" });
  expect(read([{ id: 5 }])?.[0]?.names).toEqual({ "@7": "mira" });
});

it.each([
  ["its own user has written", { author: { id: "9", username: "Parley" } }, true],
  ["its application has posted by a webhook", { author: { id: "70", username: "Rex" }, application_id: "8" }, true],
  ["another has posted by a webhook", { author: { id: "70", username: "Rex" }, application_id: "7" }, false],
  ["somebody else has written", {}, false],
])("recognizes a message as the bot's own if %s", (_, said, isOurs) => {
  expect(readChannelLines([{ ...line("3"), ...said }], SELF)?.[0]?.isOurs).toBe(isOurs);
});
