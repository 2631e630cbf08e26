// The scope knows who is named in another person's turn, so that `/privacy forget` elsewhere in the server reaches this channel too.
import { expect, it } from "vitest";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { createScopeHarness } from "../../support/scope-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const [ASKER, MODERATOR] = ["10", "20"];
const purge = tool("purge", async () => ({ ok: true, data: "purged" }), { category: "dangerous" });

/** Makes a server's channel in which the first person asks; `of`: the channels where that person is forgotten when they ask for it elsewhere. */
async function asked() {
  const scopes = createScopeHarness();
  const c = createChannelHarness({ tools: [purge], scope: scopes.scope });
  c.submit({ trigger: { ...testRequest("1", ASKER), guildId: "3", receivedAt: c.clock.now() } });
  await c.clock.advance(10);
  const forgottenIn = async (userId: string) => {
    await scopes.scope("guild:3").forgetPerson(userId, "500");
    return scopes.calls.filter((call) => call.includes("forget "));
  };
  const turns = async (userId: string) => (await scopes.scope("guild:3").usage(userId, "2")).user.today.turns;
  return { c, forgottenIn, turns };
}
const moderator = { userId: MODERATOR, userName: "Mira", moderator: true };

it("knows whoever stopped another person's answer", async () => {
  const { c, forgottenIn, turns } = await asked();
  c.stop({ interactionId: "6", kind: "stop", ...moderator, turnId: null, channelWide: false } as never);
  await c.clock.advance(5000);
  expect([await turns(ASKER), await turns(MODERATOR)]).toEqual([1, 0]);
  expect(c.store.turn("1")?.stop).toMatchObject({ by: MODERATOR, byName: "Mira" });
  expect(await forgottenIn(MODERATOR)).toEqual(["channel 2: forget 20"]);
});

it("knows whoever decided about another person's call", async () => {
  const { c, forgottenIn } = await asked();
  c.answer([end([["purge", {}]])]);
  await c.clock.advance(5000);
  const press = { applicationId: "1", token: "token-1", messageId: "original-token-1" };
  c.approve({ interactionId: "6", turnId: "1", approved: false, ...moderator, press });
  await c.clock.advance(10);
  c.answer([text("Then not."), end()]);
  await c.clock.advance(5000);
  expect(JSON.stringify(c.store.turn("1"))).toContain(JSON.stringify(MODERATOR));
  expect(await forgottenIn(MODERATOR)).toEqual(["channel 2: forget 20"]);
});

it("lists nobody else if the asker stops", async () => {
  const { c, forgottenIn } = await asked();
  c.stop({ interactionId: "6", kind: "stop", ...moderator, userId: ASKER, turnId: null, channelWide: false } as never);
  await c.clock.advance(5000);
  expect([await forgottenIn(MODERATOR), await forgottenIn(ASKER)]).toEqual([[], ["channel 2: forget 10"]]);
});
