// A picture that a person shows with a link: Discord looks at the link only after it has sent the message.
import { describe, expect, it } from "vitest";
import type { ChannelPorts } from "../../../durable-objects/channel-ports.ts";
import { readLinkedPictures } from "../../../durable-objects/hearing/linked-pictures.ts";
import type { GatewayMessage } from "../../../src/gateway/message.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { BOT, createMessageHarness } from "../../support/message-harness.ts";

const { theo } = PEOPLE;
const CAT = "https://example.org/cats/cat.png";
const PROXY = "https://images-ext-1.discordapp.net/external/x/https/example.org/cats/cat.png";

/** The embed that Discord makes of a link to a picture. */
const embed = (type = "image") => ({ type, url: CAT, thumbnail: { url: CAT, proxy_url: PROXY, width: 9, height: 9 } });

/** Asks a question. `embeds`: what its message contains when it is read again; null: the message no longer exists. */
async function asked(words: string, embeds: object[] | null) {
  const place = await createMessageHarness({ settings: { channel_context: "0" } });
  const id = place.write(theo, `${BOT} ${words}`);
  const isAgain = ({ path }: { path: string }) => path.endsWith(`/messages/${id}`);
  const author = { id: theo, username: "theo" };
  const message = embeds && { id, channel_id: PLACES.general, type: 0, author, content: words, embeds };
  const again = message ? Response.json(message) : Response.json({ code: 10008 }, { status: 404 });
  place.world.discord.failNext(1, again, isAgain);
  await place.rest();
  const { log } = place.world.discord;
  const { attachments = [] } = place.world.life?.channel.ports.store.turn(id)?.request ?? {};
  return {
    seen: attachments.map(({ url }) => url),
    lookedAgain: log.filter((one) => one.method === "GET" && isAgain(one)).length,
    reads: place.reads(),
    question: place.question(),
  };
}

describe("a link to a picture in a question", () => {
  it.each([
    ["alone", CAT],
    ["within words", `what is on ${CAT}, and why?`],
    ["with a query, in a spoiler", `||${CAT}?size=9||`],
  ])("is looked at, through Discord's proxy: %s", async (_, words) => {
    const { question, ...rest } = await asked(words, [embed()]);
    expect(rest).toEqual({ seen: [PROXY], lookedAgain: 1, reads: ["Hello there."] });
    expect(question).toBe(`[Theo · u1]\n${words}\n[picture: cat.png]`);
  });

  it.each([
    ["has not looked at it by then", []],
    ["makes a page preview of it", [embed("article")]],
    ["no longer has the message", null],
  ])("is just a link if Discord %s", async (_, embeds) => {
    const question = `[Theo · u1]\n${CAT}`;
    expect(await asked(CAT, embeds)).toEqual({ seen: [], lookedAgain: 1, reads: ["Hello there."], question });
  });
});

it.each([`<${CAT}>`, `${CAT}.html`, `${CAT}/more`, "cat.png", "https://example.org/cats"])(
  "no message is read again for %s",
  async (words) => {
    expect(await asked(words, null)).toMatchObject({ seen: [], lookedAgain: 0, reads: ["Hello there."] });
  },
);

it("a picture that came with the message is taken as it is", async () => {
  const linked = [{ id: "1", filename: "cat.png", contentType: "image/png", size: 0, url: PROXY, proxyUrl: CAT }];
  const question = { id: "9", channelId: PLACES.general, text: CAT, linked } as unknown as GatewayMessage;
  expect(await readLinkedPictures({} as ChannelPorts, question, new AbortController().signal)).toEqual(linked);
});
