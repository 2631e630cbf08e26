// What people see before they approve a call: all its arguments, with nothing hidden in them. Also who may approve which tool.
import { describe, expect, it } from "vitest";
import { callText, say } from "../../../src/core/copy/notices.ts";
import type { ApprovalClick } from "../../../src/core/state/rpc.ts";
import type { TurnRequest } from "../../../src/core/state/turn-request.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, says, text, tool } from "../../support/turn-script.ts";

const { theo } = PEOPLE;
const DANGER: Partial<Tool> = {
  category: "dangerous",
  hints: { readOnly: false, idempotent: false, destructive: true, openWorld: true },
};
const purge = (more: Partial<Tool> = {}) =>
  tool("purge", async () => ({ ok: true, data: "purged" }), { ...DANGER, ...more });

/** Lets Theo's turn ask for a call with this note, after these words. */
async function asked(note: string, words = "I could."): Promise<AppHarness> {
  const place = createAppHarness({ tools: [purge()] });
  await place.ask(theo, "purge it");
  await place.pass(1000);
  place.channel.answer([text(words), end([["purge", { note }]])]);
  await place.pass(5000);
  return place;
}

const ROLE = "1180000000000000031";

describe("a request for approval", () => {
  const note = `all ${"of it ".repeat(200)}and the backups`;

  it("shows 600 characters and has everything in a file, which is removed when the answer continues", async () => {
    const place = await asked(note);
    const [shown = ""] = place.reads();
    const whole = callText("purge", { note });
    const summary = `${whole.slice(0, 599)}…`;
    expect(shown).toContain(say.approvalWanted(theo, { summary, isCut: true }, false, 600_000));
    expect(shown).toMatch(/ arguments\.txt$/);
    const turnId =
      place
        .buttons()
        .find((id) => id.startsWith("approve:"))
        ?.slice("approve:".length) ?? "";
    const press = { applicationId: "1", token: "", messageId: "" };
    const { userId } = place.channel.store.turn(turnId)?.request ?? { userId: "" };
    place.channel.approve({
      interactionId: "9",
      turnId,
      approved: false,
      userId,
      userName: "Theo",
      moderator: false,
      press,
    });
    await place.pass(1000);
    place.channel.answer(says("Then not."));
    await place.pass(5000);
    expect([place.reads(), place.discord.violations]).toEqual([["I could.\n\nThen not."], []]);
  });

  it("is shown even if the answer above leaves no room for it", async () => {
    const place = await asked("all", "word ".repeat(390));
    expect(place.reads().length).toBe(2);
    expect(place.reads().at(-1)).toContain("This needs approval");
  });

  it("has no file when everything fits", async () => {
    expect((await asked("all")).reads()).toEqual([expect.stringMatching(/`purge with note = "all"` \[/)]);
  });

  it("makes invisible characters visible, and those that would reverse the line", async () => {
    const hidden = "safe\u202egnihton\u2066\u200b\u{e0041}\u0007\n`x`";
    const [shown] = (await asked(hidden)).reads();
    expect(shown).toContain(String.raw`purge with note = "safe\u{202e}gnihton\u{2066}\u{200b}\u{e0041}\u0007\n'x'"`);
  });

  it("makes blank characters that can carry words visible, except those used in emoji", async () => {
    const [shown] = (await asked("❤️ a\ufe0f\u{e0148}\u{e0159}\ufe01\u034f\u17b4\u180b")).reads();
    expect(shown).toContain(String.raw`"❤️ a\u{fe0f}\u{e0148}\u{e0159}\u{fe01}\u{34f}\u{17b4}\u{180b}"`);
  });

  it.each([
    ["code that is not closed", "I could ` or `` not", '```purge with note = "all"```'],
    ["code", "I `could`.", '``purge with note = "all"``'],
  ])("is not read together with %s above it", async (_what, words, shown) => {
    const [read] = (await asked("all", words)).reads();
    expect(read).toContain(`-# ${shown} [`);
  });

  it("has nothing that closes a spoiler or a link's words that were opened above it", async () => {
    const long = "but first ".repeat(155);
    const [read] = (await asked("a|||b](https://example.com/)", `||${long}[`)).reads();
    expect(read).toContain('`purge with note = "a| | |b] (https://example.com/)"`');
  });

  it.each([
    ["is in the title of a link which begins above it", '[a dice?](https://example.com/ "', "all' )", "all' ）"],
    ["is in the address of one", "[a dice?](https://example.com/(", "all) they have)", "all） they have）"],
    ["is an emoji, a time or a name to Discord", "```", "<a:all:1> <t:0> <@1> a < b", "< a:all:1> < t:0> < @1> a < b"],
    ["is changed without them", "A dice?", "<b>all</b>' )", "<b>all</b>' )"],
  ])("has nothing that %s", async (_what, words, note, shown) => {
    const [read] = (await asked(note, words)).reads();
    expect(read).toContain(`purge with note = "${shown}"`);
  });
});

describe("a tool that only moderators approve", () => {
  const click = (more: Partial<ApprovalClick>): ApprovalClick => ({
    interactionId: JSON.stringify(more),
    turnId: "1",
    approved: true,
    userId: "10",
    userName: "x",
    moderator: false,
    press: { applicationId: "1", token: "token-1", messageId: "original-token-1" },
    ...more,
  });

  it("is not approved by its asker, who may deny it", async () => {
    for (const [decision, results] of [
      [{ userId: "99", moderator: true }, ["moderators_only", "not_allowed", "approved"]],
      [{ approved: false }, ["moderators_only", "not_allowed", "denied"]],
    ] as const) {
      const c = createChannelHarness({ tools: [purge({ approvedBy: "moderator" })] });
      c.submit({ trigger: { ...testRequest("1"), guildId: "1", receivedAt: c.clock.now() } });
      await c.clock.advance(5000);
      c.answer([end([["purge", { note: "all" }]])]);
      await c.clock.advance(5000);
      expect(c.shown().get("token-1")).toContain("needs approval from a moderator within");
      const clicks = [click({}), click({ userId: "30" }), click(decision)];
      expect(clicks.map((one) => c.approve(one).result)).toEqual(results);
    }
  });

  const here = (request: Partial<TurnRequest>, more: Partial<Tool> = { approvedBy: "moderator" }) => {
    const c = createChannelHarness({ tools: [purge(more)] });
    c.submit({ trigger: { ...testRequest("1"), receivedAt: c.clock.now(), ...request } });
    return c;
  };
  const group = { guildId: null, botIsHere: false, moderator: false };

  it.each<[string, Partial<TurnRequest>]>([
    ["a conversation between people", group],
    ["an answer that only its asker can see", { guildId: "1", privateTo: "10", moderator: false }],
  ])("is refused at once if no moderator can be asked: %s", async (_where, request) => {
    const c = here(request);
    await c.clock.advance(5000);
    c.answer([end([["purge", { note: "all" }]])]);
    await c.drain();
    c.answer(says("I may not."));
    await c.clock.advance(5000);
    expect(c.store.turn("1")).toMatchObject({ state: "finished" });
    expect(c.store.turn("1")?.approval ?? null).toBeNull();
    const told = JSON.stringify(c.requests.at(-1));
    expect(told).toMatch(/only a moderator, an approver or .* may approve this call.*MCP_SERVERS/);
    expect(c.shown().get("token-1")).toBe("I may not.");
  });

  it.each<[string, Partial<TurnRequest>, Partial<Tool>]>([
    ["in a conversation between people, with a tool that its asker may approve", group, {}],
    [
      "of a moderator whose answer nobody else sees",
      { guildId: "1", privateTo: "10", moderator: true },
      { approvedBy: "moderator" },
    ],
    ["in the bot's own direct messages", { ...group, botIsHere: true, moderator: true }, { approvedBy: "moderator" }],
  ])("needs approval if somebody can approve: %s", async (_where, request, more) => {
    const c = here(request, more);
    await c.clock.advance(5000);
    c.answer([end([["purge", { note: "all" }]])]);
    await c.clock.advance(5000);
    expect(c.store.turn("1")).toMatchObject({ state: "parked" });
    // Discord may still show an answer in a server to everyone; outside servers nobody but the asker decides.
    const who = request.guildId === null ? "<@10>" : "a moderator";
    expect(c.shown().get("token-1")).toContain(`needs approval from ${who} within`);
    expect(c.approve(click({ moderator: request.moderator ?? false })).result).toBe("approved");
  });

  it("can be approved by a role in `approvers`, and the request says so", async () => {
    const c = createChannelHarness({ tools: [purge({ approvedBy: "moderator" })] });
    c.store.putSetting("approvers", ROLE);
    c.submit({ trigger: { ...testRequest("1"), guildId: "1", receivedAt: c.clock.now() } });
    await c.clock.advance(5000);
    c.answer([end([["purge", { note: "all" }]])]);
    await c.clock.advance(5000);
    expect(c.shown().get("token-1")).toContain(
      "needs approval from a moderator or someone with an approver's role within",
    );
    const roles = (...ids: string[]) => click({ userId: "30", roles: ids });
    expect([roles("1"), roles("1", ROLE)].map((one) => c.approve(one).result)).toEqual(["not_allowed", "approved"]);
  });

  it("can't be approved by anyone whom the lists keep out, but they may deny it", async () => {
    const c = createChannelHarness({ tools: [purge({})] });
    c.submit({ trigger: { ...testRequest("1"), guildId: "1", receivedAt: c.clock.now() } });
    await c.clock.advance(5000);
    c.answer([end([["purge", { note: "all" }]])]);
    await c.clock.advance(5000);
    c.store.putSetting("deny_roles", ROLE);
    const moderator = { userId: "98", moderator: true, roles: [ROLE] };
    const clicks = [click({ roles: [ROLE] }), click(moderator), click({ ...moderator, approved: false })];
    expect(clicks.map((one) => c.approve(one).result)).toEqual(["kept_out", "kept_out", "denied"]);
  });

  it("can be approved by an owner in the bot's direct messages, and is refused at once for anyone else there", async () => {
    const direct = { ...group, botIsHere: true, moderator: true };
    const stranger = here({ ...direct, isOwner: false });
    await stranger.clock.advance(5000);
    stranger.answer([end([["purge", { note: "all" }]])]);
    await stranger.drain();
    stranger.answer(says("I may not."));
    await stranger.clock.advance(5000);
    expect(stranger.shown().get("token-1")).toBe("I may not.");
    const owner = here({ ...direct, isOwner: true });
    await owner.clock.advance(5000);
    owner.answer([end([["purge", { note: "all" }]])]);
    await owner.clock.advance(5000);
    const clicks = [click({ moderator: true, isOwner: false }), click({ moderator: true, isOwner: true })];
    expect(clicks.map((one) => owner.approve(one).result)).toEqual(["owners_only", "approved"]);
  });
});
