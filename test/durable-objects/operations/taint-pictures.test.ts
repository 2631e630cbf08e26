// Whether a picture that a turn looks at taints it: words can be drawn as well as written.
import { expect, it } from "vitest";
import { parseConfig } from "../../../src/config.ts";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import { viewImage } from "../../../src/tools/view-image.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { EFFECT, end, text, tool } from "../../support/turn-script.ts";

const VARIABLES = {
  DISCORD_PUBLIC_KEY: "a".repeat(64),
  DISCORD_APPLICATION_ID: "1",
  OPENAI_API_KEY: "test",
  DISCORD_BOT_TOKEN: "token",
};
const [OWN, OTHER] = ["118000000000000010", "118000000000000020"];
const write = tool("write", () => ({ ok: true, data: "written" }), EFFECT);
const attachments = [
  { id: "1", filename: "a.png", contentType: "image/png", size: 1, url: "https://cdn.discordapp.com/a", proxyUrl: "" },
];

const POSTED = {
  ...{ id: "7", type: 0, content: "", timestamp: "2026-11-22T10:00:00Z", author: { id: OTHER, username: "mira" } },
  attachments: [{ filename: "b.png", url: "https://cdn.discordapp.com/b" }],
};

/** Returns what becomes of a call that changes something, right after the turn has looked at this picture. */
async function writesAfter(look: object, earlier?: Partial<TurnRequest>, asker: Partial<TurnRequest> = {}) {
  const parsed = parseConfig(VARIABLES);
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  const discord = () => ({
    ...{ baseUrl: "", userAgent: "", botToken: "token" },
    fetch: async (url: string) => Response.json(url.includes("/messages?") ? [POSTED] : { avatar: "a" }),
  });
  const c = createChannelHarness({ config: parsed.config, tools: [viewImage, write], discord });
  let id = 1;
  const submit = async (more: Partial<TurnRequest> = {}) => {
    c.submit({ trigger: { ...testRequest(String(id++), OWN), botIsHere: true, receivedAt: c.clock.now(), ...more } });
    await c.clock.advance(5000);
  };
  const answer = async (...events: Parameters<typeof c.answer>[0]) => {
    c.answer(events);
    await c.clock.advance(5000);
  };
  // A question's quotes also taint the three turns after it.
  for (const more of earlier ? [{ ...earlier, attachments }, {}, {}, {}] : []) {
    await submit(more);
    await answer(text("Well."), end());
  }
  await submit(asker);
  await answer(end([["view_image", look]]));
  expect(c.requests.at(-1)?.messages.at(-1)).toHaveProperty("images.length", 1);
  await answer(end([["write", {}]]));
  return c.store.turn(String(id - 1))?.state;
}

it.each([
  ["someone else's profile picture", "parked", { user: OTHER }],
  ["the person's own", "running", { user: OWN }],
])("%s: %s", async (_, state, look) => {
  expect(await writesAfter(look)).toBe(state);
});

it("one that somebody posted in the channel: parked", async () => {
  expect(await writesAfter({ image: "b.png" }, undefined, { permissions: ["READ_MESSAGE_HISTORY"] })).toBe("parked");
});

it.each<[string, string, Partial<TurnRequest>]>([
  ["a picture that came with a question", "running", {}],
  [
    "one that came with others' words quoted in a question",
    "parked",
    { taint: "full", quoted: "> look", text: "> look" },
  ],
])("%s: %s", async (_, state, earlier) => {
  expect(await writesAfter({ image: "latest" }, earlier)).toBe(state);
});
