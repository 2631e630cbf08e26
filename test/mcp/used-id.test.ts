// A model may use a call's id again, in a long turn or after another model: the second call doesn't get the first one's pictures.
import { expect, it } from "vitest";
import { remoteTool } from "../../src/mcp/remote-tool.ts";
import type { Reply } from "../../src/mcp/session.ts";
import { createContextStash } from "../../src/turn/context-restart.ts";
import { testContext } from "../toolkit/context.ts";

const PICTURE = "iVBORw0KGgoAAAAA";
const shows: Reply = { ok: true, result: { content: [{ type: "image", data: PICTURE, mimeType: "image/png" }] } };

it.each<[string, Reply, number]>([
  ["shows its own", shows, 1],
  ["shows none if it has none", { ok: true, result: { content: [{ type: "text", text: "nothing there" }] } }, 0],
  ["shows none if it failed", { ok: false, error: "it answered 500" }, 0],
])("a call by an id that was used before %s", async (_, second, count) => {
  const stash = createContextStash(() => 0);
  const replies = [shows, second];
  const made = remoteTool({ name: "look", description: "Looks." }, "it_look", {
    serverId: "it",
    session: { request: async () => replies.shift() ?? second },
    category: {},
    isApprovedByAsker: false,
    showPictures: stash.putPictures,
    onUnknownTool() {},
  });
  if (!made.ok) throw new Error(made.reason);
  const context = testContext({ turnId: "t", callId: "it_look-3-0" });
  for (const _call of [1, 2]) await made.tool.execute({}, context as never);
  expect(stash.pictures("t").get("it_look-3-0") ?? []).toHaveLength(count);
});
