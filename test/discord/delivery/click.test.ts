// A reply that needs a click for another token, or no longer needs one.
import { describe, expect, it } from "vitest";
import { TOKEN_LIFE_MS } from "../../../src/core/limits.ts";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type Delivery, delivery } from "../../support/pump-harness.ts";

const asksForClick = (reply: Delivery) => reply.reads().join("").includes("Click Continue");

/** A reply whose interaction's token has expired, so that the bot's own token has taken over. */
async function overtaken(): Promise<Delivery> {
  const reply = await delivery({}, [], { byBot: true });
  reply.show("Slow");
  await reply.clock.advance(TOKEN_LIFE_MS);
  reply.show("Slow, but there");
  await reply.clock.advance(2000);
  return reply;
}

it("asks for a click with words if an earlier life asked before anything was shown, because Discord puts no button on an empty message", async () => {
  const reply = await delivery({}, [], { byBot: true });
  reply.ledger.push({ state: "sent", id: reply.messageId });
  const pump = reply.resumed(true);
  pump.show({ text: "", line: "-# Waiting for one answer." });
  await reply.clock.advance(5000);
  expect(reply.reads()).toEqual([expect.stringMatching(/^-# Waiting for one answer\.\n.+Click Continue/)]);
  expect(reply.requests().at(-1)).toContain("+stop+resume → 200");
});

describe("no click is asked for", () => {
  it("while the last words are on their way", async () => {
    const reply = await delivery();
    const release = reply.hold();
    const finished = reply.pump.finish({ text: "Done.", line: null });
    await reply.clock.advance(1000);
    reply.pump.wait();
    release();
    await reply.clock.advance(5000);
    expect([await finished, reply.reads()]).toEqual([{ ok: true }, ["Done."]]);
  });

  it("if the bot's own token has taken over", async () => {
    const reply = await overtaken();
    expect(reply.pump.isByBot).toBe(true);
    reply.pump.wait();
    await reply.clock.advance(5000);
    expect([asksForClick(reply), reply.reads()]).toEqual([false, ["Slow, but there"]]);
  });

  it("if a webhook carries the reply", async () => {
    const reply = await delivery({}, [], { voiced: true });
    reply.show("Hi");
    reply.pump.wait();
    await reply.clock.advance(5000);
    expect(asksForClick(reply)).toBe(false);
  });
});

it("the bot's own token counts as carrying a reply only until the reply is over", async () => {
  const reply = await overtaken();
  reply.pump.abandon();
  expect(reply.pump.isByBot).toBe(false);
  expect((await delivery()).pump.isByBot).toBe(false);
});

it("continues if a click brought a new token while the old one was being refused", async () => {
  const reply = await delivery();
  const { token } = await reply.discord.interact({
    as: PEOPLE.theo,
    channel: PLACES.general,
    kind: "command",
    name: "chat",
    options: { message: "again" },
  });
  const release = reply.hold();
  reply.discord.failNext(1, Response.json({ message: "Invalid Webhook Token", code: 50027 }, { status: 401 }));
  reply.show("Hello");
  await reply.clock.advance(1000);
  reply.pump.renew({ applicationId: APPLICATION.id, token }, reply.clock.now());
  release();
  await reply.clock.advance(5000);
  expect(await reply.finish("Hello there.")).toEqual({ ok: true });
  expect(reply.reads()).toContain("Hello there.");
});

it("is lost if its messages can't be recorded, and says so in the log", async () => {
  const reply = await delivery();
  Object.freeze(reply.ledger);
  expect(await reply.finish("Hi")).toEqual({ ok: false, reason: "lost" });
  expect(reply.errors).toMatchObject([{ line: "a reply was given up" }]);
});
