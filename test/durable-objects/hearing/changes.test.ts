// What happens to a question that its asker edits or deletes, and to one that comes twice.
import { describe, expect, it } from "vitest";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { BOT, createMessageHarness, type MessageHarness } from "../../support/message-harness.ts";
import { openThreadPlace } from "../../support/thread-harness.ts";

const { theo, mira, juno } = PEOPLE;

/** Lets Theo be answered for five seconds while Mira waits. */
async function waiting(): Promise<{ place: MessageHarness; first: string; second: string }> {
  const place = await createMessageHarness({ answerTo: () => ({ texts: ["Done."], firstMs: 5000 }) });
  const first = place.write(theo, `${BOT} one`);
  await place.pass(100);
  const second = place.write(mira, `${BOT} two`);
  await place.pass(100);
  return { place, first, second };
}

const turn = ({ world }: MessageHarness, id: string) => world.life?.channel.ports.store.turn(id);

describe("an edit", () => {
  it("changes a waiting question, and its quotes stay", async () => {
    const { place, second } = await waiting();
    place.world.discord.touch({ kind: "edit", as: mira, messageId: second, content: `${BOT} three` });
    await place.rest();
    expect(place.question()).toBe("[Mira · u2]\nthree");
    expect(place.world.requests).toHaveLength(2);
  });

  it.each([10, 1500])("changes a question whose thread is not there yet, %i ms after it was asked", async (ms) => {
    const place = await openThreadPlace({ texts: ["Done."] });
    place.way.isOpen = false;
    const id = place.write(theo, `${BOT} one`);
    await place.pass(ms);
    place.world.discord.touch({ kind: "edit", as: theo, messageId: id, content: `${BOT} two` });
    await place.pass(2000);
    place.way.isOpen = true;
    await place.restAll();
    expect(place.thread()?.requests.map(({ messages }) => messages.at(-1)?.text)).toEqual(["[Theo · u1]\ntwo"]);
  });

  it("is ignored once the turn has started, if it comes late, or if it leaves nothing to ask", async () => {
    const { place, first, second } = await waiting();
    place.world.discord.touch({ kind: "edit", as: theo, messageId: first, content: `${BOT} another` });
    place.world.discord.touch({ kind: "edit", as: mira, messageId: second, content: BOT });
    await place.pass(100);
    expect([turn(place, first)?.request.text, turn(place, second)?.request.text]).toEqual(["one", "two"]);
    const old = place.door.heard.findLast(({ event }) => event.kind === "edited");
    place.world.discord.touch({ kind: "edit", as: mira, messageId: second, content: `${BOT} three` });
    await place.pass(100);
    if (old?.event.kind === "edited")
      await place.world.hear({ ...old, event: { kind: "edited", edit: { ...old.event.edit, text: "older" } } });
    expect(turn(place, second)?.request.text).toBe("three");
  });
});

it("an edit keeps a waiting question's sticker, and knows whom its new words mention", async () => {
  const { place } = await waiting();
  const heard = place.door.heard.at(-1);
  if (heard?.event.kind !== "asked") throw new Error("nothing was asked");
  const asides = ["[sticker: Wave]"];
  const message = { ...heard.event.message, id: "77", asides };
  await place.world.hear({ ...heard, event: { kind: "asked", message } });
  const edit = { messageId: "77", channelId: message.channelId, editedAt: "2030-01-01", text: `${BOT} and <@555>?` };
  await place.world.hear({ ...heard, event: { kind: "edited", edit: { ...edit, asides, names: { "@555": "Noa" } } } });
  await place.rest();
  expect(place.question()).toBe("[Mira · u2]\nand @Noa?\n[sticker: Wave]");
});

describe("an edit of a waiting question with files", () => {
  const file = (id: string) => ({
    ...{ id, filename: `${id}.png`, contentType: "image/png", size: 1 },
    ...{ url: `https://cdn.discordapp.com/${id}`, proxyUrl: `https://media.discordapp.net/${id}` },
  });
  const about = { authorId: null, applicationId: null, authorName: "", text: "this", attachments: [file("9")] };
  it.each([
    ["removes the files that it leaves out, and nobody else's", " two", [file("2")], ["2", "9"]],
    ["may leave only files", "", [file("2")], ["2", "9"]],
    ["may leave only words", " two", [], ["9"]],
    ["changes no files if Discord doesn't list any", " two", undefined, ["1", "2", "9"]],
  ])("%s", async (_what, words, attachments, left) => {
    const { place } = await waiting();
    const heard = place.door.heard.at(-1);
    if (heard?.event.kind !== "asked") throw new Error("nothing was asked");
    const { message } = heard.event;
    const asked = { ...message, id: "77", attachments: [file("1"), file("2")], forwarded: about };
    await place.world.hear({ ...heard, event: { kind: "asked", message: asked } });
    const edit = { messageId: "77", channelId: message.channelId, editedAt: "2030-01-01", text: `${BOT}${words}` };
    const event = { kind: "edited", edit: { ...edit, ...(attachments && { attachments }) } } as const;
    await place.world.hear({ ...heard, event });
    const { text, attachments: files = [] } = turn(place, "77")?.request ?? {};
    expect([text?.startsWith("two"), files.map(({ id }) => id)]).toEqual([words !== "", left]);
  });
});

describe("a deletion", () => {
  it("silently removes a waiting question", async () => {
    const { place, second } = await waiting();
    place.world.discord.touch({ kind: "delete", as: mira, messageId: second });
    await place.rest();
    expect(place.reads()).toEqual(["Done."]);
    expect([turn(place, second)?.state, turn(place, second)?.status]).toEqual(["finished", "stopped_by_user"]);
    expect(place.world.requests).toHaveLength(1);
  });

  it("stops a running turn like Stop by its asker, and what was said stays", async () => {
    const place = await createMessageHarness({ answerTo: () => ({ texts: ["Once "], hang: true }) });
    const id = place.write(theo, `${BOT} one`);
    await place.pass(3000);
    place.world.discord.touch({ kind: "delete", as: theo, messageId: id });
    await place.rest();
    expect(place.reads()).toEqual([`Once\n\n-# Stopped by <@${theo}>.`]);
    expect(turn(place, id)?.status).toBe("stopped_by_user");
  });

  it("stops the question even if it is being asked again, and an earlier answer stays", async () => {
    for (const [label, before] of [
      ["Regenerate", ["Once."]],
      ["Retry", [expect.stringContaining("Once")]],
    ] as const) {
      const first = { texts: ["Once."], ...(label === "Retry" && { fails: "overloaded" as const }) };
      let count = 0;
      const place = await createMessageHarness({
        answerTo: () => (count++ === 0 ? first : { texts: ["Twice "], firstMs: 5000 }),
      });
      const id = place.write(theo, `${BOT} one`);
      await place.rest();
      await place.click(theo, label);
      await place.pass(1000);
      place.world.discord.touch({ kind: "delete", as: theo, messageId: id });
      await place.rest();
      expect(place.world.requests).toHaveLength(2);
      expect(place.reads().join()).not.toContain("Twice");
      expect(place.reads().slice(0, before.length)).toEqual(before);
    }
  });

  it("doesn't touch another question that is asked again meanwhile", async () => {
    let count = 0;
    const place = await createMessageHarness({
      answerTo: () =>
        ++count > 1 && count < 5 ? { fails: "overloaded" } : { texts: [`Answer ${count}.`], firstMs: 5000 },
    });
    const first = place.write(theo, `${BOT} one`);
    await place.rest();
    place.write(theo, `${BOT} two`);
    await place.rest();
    await place.click(theo, "Retry");
    await place.pass(1000);
    place.world.discord.touch({ kind: "delete", as: theo, messageId: first });
    await place.rest();
    expect([count, place.reads().at(-1)]).toEqual([5, "Answer 5."]);
  });

  it("of an unanswered question leaves no answer", async () => {
    const place = await createMessageHarness({ answerTo: () => ({ texts: ["Once "], firstMs: 5000 }) });
    const id = place.write(theo, `${BOT} one`);
    await place.pass(1000);
    place.world.discord.touch({ kind: "delete", as: theo, messageId: id });
    await place.rest();
    expect(place.reads()).toEqual([]);
    expect(place.requests().filter((line) => /(POST|PATCH) .*messages/.test(line))).toEqual([]);
  });

  it("of a question whose reply has no words yet ends that reply and removes Stop", async () => {
    const place = await createMessageHarness({ answerTo: () => ({ texts: ["Once "], firstMs: 20_000 }) });
    const id = place.write(theo, `${BOT} one`);
    await place.pass(10_000);
    expect(place.reads()).toEqual(["-# Thinking … [Stop]"]);
    place.world.discord.touch({ kind: "delete", as: theo, messageId: id });
    await place.rest();
    expect(place.reads()).toEqual([`-# Stopped by <@${theo}>.`]);
  });

  it("keeps its question out if it comes first, even while the question is still being read", async () => {
    const place = await createMessageHarness();
    place.world.hangs = ({ pathname }) => pathname.includes("/guilds/");
    const id = place.write(theo, `${BOT} one`);
    await place.pass(500);
    await place.world.hear({
      ...heardOf(place),
      event: { kind: "deleted", channelId: place.world.channelId, messageId: id },
    });
    await place.pass(5000);
    await place.world.hear(heardOf(place));
    await place.pass(5000);
    expect([place.reads(), place.world.requests]).toEqual([[], []]);
  });

  it("may come twice, and late", async () => {
    const place = await createMessageHarness();
    const id = place.write(theo, `${BOT} one`);
    await place.rest();
    place.world.discord.touch({ kind: "delete", as: theo, messageId: id });
    await place.rest();
    place.requests();
    const last = place.door.heard.at(-1);
    if (last) await place.world.hear(last);
    await place.rest();
    expect([place.reads(), place.requests()]).toEqual([["Hello there."], []]);
  });

  it("that comes just before the question's reaction doesn't remove the next question's", async () => {
    const { place } = await waiting();
    place.world.discord.brew("deleted", 1, ({ path }) => path.includes("/reactions/"));
    await place.pass(1500);
    const id = place.write(juno, `${BOT} three`);
    await place.pass(2000);
    const next = place.world.discord.messages(place.world.channelId, juno).find((one) => one.id === id);
    expect(next?.reactions?.map(({ emoji }) => emoji)).toEqual(["⏳"]);
  });
});

describe("a question that comes again", () => {
  it("is asked once, while it is being read, while it runs, and in another life", async () => {
    const place = await createMessageHarness({ answerTo: () => ({ texts: ["Done."], firstMs: 5000 }) });
    place.write(theo, `${BOT} one`);
    const heard = () => heardOf(place);
    const twice = [place.world.hear(heard()), place.world.hear(heard())];
    await place.pass(1000);
    expect(await Promise.all(twice)).toEqual([{ answerTo: "mention_and_reply" }, { answerTo: "mention_and_reply" }]);
    place.world.restart();
    await place.world.hear(heard());
    await place.rest();
    await place.world.hear(heard());
    await place.rest();
    expect(place.reads()).toEqual(["Done."]);
  });

  it("keeps its position among the others, however long each takes to read", async () => {
    const place = await createMessageHarness({
      readsContent: true,
      answerTo: () => ({ texts: ["Done."], firstMs: 3000 }),
    });
    await place.chat(mira, "warm up");
    const original = place.write(mira, "The sky is green.", {});
    place.world.hangs = ({ pathname }) => pathname.includes("/messages/") || pathname.includes("/guilds/");
    place.write(theo, `${BOT} slow one`, { replyTo: original });
    place.write(mira, `${BOT} quick one`);
    await place.rest();
    const asked = place.world.requests.map(({ messages }) => messages.findLast(({ role }) => role === "user")?.text);
    expect(asked.map((text) => text?.split("\n").slice(0, 2))).toEqual([
      ["[Mira · u1]", "warm up"],
      ["[Theo · u2]", "slow one"],
      ["[Mira · u1]", "quick one"],
    ]);
  });

  it("keeps its position even if one between them can't be read yet", async () => {
    const settings = { deny_roles: "1180000000000000077" };
    const place = await createMessageHarness({ readsContent: true, settings });
    const original = place.write(mira, "The sky is green.", {});
    const reply = place.write(mira, "Is it?", { replyTo: original });
    place.write(mira, `${BOT} warm up`);
    await place.rest();
    place.world.hangs = ({ pathname }) => pathname.includes("/messages/");
    const slow = place.write(theo, `${BOT} slow one`, { replyTo: reply });
    await place.pass(50);
    const heard = heardOf(place);
    if (heard.event.kind !== "asked") throw new Error("no question was heard");
    const { message } = heard.event;
    const unread = { ...message, id: String(BigInt(slow) + 1n), author: { ...message.author, roles: null } };
    place.world.discord.failNext(1, new Response(null, { status: 503 }), ({ path }) => path.includes("/members/"));
    const outcome = place.world.hear({ ...heard, event: { kind: "asked", message: unread } }).then(
      () => "taken",
      () => "rejected",
    );
    await place.pass(200);
    place.write(mira, `${BOT} quick one`);
    await place.rest();
    const asked = place.world.requests.map(({ messages }) => messages.findLast(({ role }) => role === "user")?.text);
    expect(await outcome).toBe("rejected");
    expect(asked.map((text) => text?.split("\n")[1])).toEqual(["warm up", "slow one", "quick one"]);
  });
});

function heardOf({ door }: MessageHarness) {
  const [heard] = door.heard;
  if (!heard) throw new Error("nothing was heard");
  return heard;
}
