// The text that counts as posted when a turn is cut off: what somebody may have read, even if Discord has not answered yet.
import { describe, expect, it } from "vitest";
import { delivery, type Mischief } from "../../support/pump-harness.ts";

const words = (length: number) => "word ".repeat(Math.ceil(length / 5)).slice(0, length);
const limited = (retryAfter: number) =>
  Response.json({ message: "You are being rate limited.", retry_after: retryAfter, global: false }, { status: 429 });

describe("what somebody may have read", () => {
  it("counts from when its request is sent, and no longer if Discord refuses it", async () => {
    const reply = await delivery();
    reply.show("one");
    await reply.clock.advance(1000);
    const release = reply.hold();
    reply.show("one two");
    await reply.clock.advance(2000);
    reply.show("one two three");
    expect(reply.pump.postedText()).toBe("one two");
    reply.discord.failNext(1, limited(3));
    release();
    await reply.clock.advance(1000);
    expect(reply.pump.postedText()).toBe("one");
  });

  it("includes an edit without an answer, and a new message while it is being created", async () => {
    const reply = await delivery();
    const fates: Mischief[] = [null, "lose the answer"];
    reply.network(() => fates.shift() ?? null);
    reply.show("one");
    await reply.clock.advance(1000);
    reply.show("one two");
    await reply.clock.advance(1000);
    expect(reply.pump.postedText()).toBe("one two");
    await reply.clock.advance(5000);
    reply.show(words(2000));
    await reply.clock.advance(5000);
    const release = reply.hold();
    reply.show(words(3000));
    await reply.clock.advance(1000);
    expect(reply.pump.postedText()).toBe(words(3000));
    release();
    await reply.clock.advance(1000);
    expect(reply.reads()).toEqual([words(2000), words(1000)]);
  });
});
