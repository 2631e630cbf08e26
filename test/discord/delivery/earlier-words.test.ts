// What becomes of the messages of an earlier answer if one of that answer's messages may exist out of reach, so that the rest comes as a file.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { delivery } from "../../support/pump-harness.ts";

const words = (length: number, word = "word ") => word.repeat(Math.ceil(length / word.length)).slice(0, length);
const begun = (content: string) => `${content.slice(0, 12)}…`;

/** A reply of which two messages are there, and a third one may be. */
async function halfPosted() {
  const reply = await delivery();
  let posts = 0;
  reply.network((method) => (method === "POST" && ++posts === 2 ? "lose the request" : null));
  reply.show(words(5000));
  await reply.clock.advance(10_000);
  expect(reply.ledger.map(({ state }) => state)).toEqual(["sent", "sent", "sending"]);
  return reply;
}

/** Lets another life deliver these words. */
async function laterLife(reply: Awaited<ReturnType<typeof delivery>>, text: string) {
  reply.pump.abandon();
  const pump = reply.resumed();
  let delivered: unknown = null;
  void pump.finish({ text, line: null }).then((result) => {
    delivered = result;
  });
  await reply.clock.advance(60_000);
  return delivered;
}

describe("after a later life has given another answer", () => {
  it.each([words(5000, "other "), "Other words."])(
    "nothing of the earlier one is left that can be removed",
    async (text) => {
      const reply = await halfPosted();
      expect(await laterLife(reply, text)).toEqual({ ok: true });
      expect(reply.reads().map(begun)).toEqual([begun(text)]);
      expect(reply.reads()[0]).toContain(say.wholeAnswerAttached);
      expect(reply.requests().filter((request) => request.includes("DELETE"))).toHaveLength(1);
    },
  );

  it("it is still known that a message may exist, so that no life sends it again", async () => {
    const reply = await halfPosted();
    await laterLife(reply, "Other words.");
    expect(reply.ledger.at(-1)).toMatchObject({ state: "sending", id: null });
    expect(await laterLife(reply, words(5000, "third "))).toEqual({ ok: true });
    expect(reply.reads().map(begun)).toEqual(["third third …"]);
  });
});

it("the same life leaves messages whose words are still in the answer", async () => {
  const reply = await halfPosted();
  expect(await reply.finish(words(5500))).toEqual({ ok: true });
  expect(reply.reads().map(begun)).toEqual(["word word wo…", "word word wo…"]);
});

it("the same life removes messages whose words the answer has no more, as after a failed model", async () => {
  const reply = await halfPosted();
  expect(await reply.finish(words(5500, "other "))).toEqual({ ok: true });
  expect(reply.reads().map(begun)).toEqual(["other other …"]);
});
