// Whose messages the gateway's object takes: the same rules as for commands, what they cost, and what a channel learns about the author.
import { describe, expect, it } from "vitest";
import type { ScopeCopy } from "../../../src/core/access/scope-copy.ts";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { connected, type GatewayHarness } from "../../support/gateway-harness.ts";
import { OPEN_COPY, openScopes } from "../../support/scopes.ts";

const STRICT = { SERVERS: "claimed", VISITORS: "owners" };
const UNCLAIMED: ScopeCopy = { ...OPEN_COPY, server: { isClaimed: false, denied: null } };

/** Makes a world over scopes that record what they are asked; a null copy: they can't be reached. */
async function gated(copy: ScopeCopy | null, variables: Record<string, string> = STRICT) {
  const asked: string[] = [];
  const scope = { copy };
  const world = await connected(variables);
  world.scopes = (name) => ({
    ...openScopes()(name),
    async copy() {
      asked.push(name);
      if (scope.copy === null) throw new Error("down");
      return scope.copy;
    },
    async claim(guildId) {
      asked.push(`${name}: claim ${guildId}`);
    },
  });
  return { world, asked, scope };
}

const outbox = (world: GatewayHarness) => world.lines.filter((line) => line.includes("could not be forwarded")).length;

describe("a stranger's flood", () => {
  it("of 2000 mentions in a minute reads one copy, reaches no channel and writes next to nothing", async () => {
    const { world, asked } = await gated(UNCLAIMED);
    const before = world.rows;
    for (let n = 0; n < 2000; n++) {
      world.ask();
      if (n === 0) await world.pass(100);
    }
    await world.pass(1000);
    expect([asked, world.heardKeys()]).toEqual([[`guild:${PLACES.guild}`], []]);
    // The channel's row is written and deleted with the first of them.
    expect(world.rows - before).toBe(2);
    await world.pass(61_000);
    world.ask();
    await world.pass(1000);
    expect(asked).toHaveLength(2);
  });

  it("reads no copy for messages that are not questions, or if the variables alone refuse", async () => {
    const listed = await gated(UNCLAIMED, { SERVERS: "listed", VISITORS: "owners" });
    listed.world.ask();
    listed.world.ask({ channel: PLACES.dmOfTheo });
    const claimed = await gated(UNCLAIMED);
    claimed.world.say("just talking");
    await Promise.all([listed.world.pass(1000), claimed.world.pass(1000)]);
    expect([listed.asked, claimed.asked]).toEqual([[], []]);
    expect([listed.world.heardKeys(), claimed.world.heardKeys()]).toEqual([[], []]);
  });
});

describe("a message", () => {
  it("by an owner claims the server and is taken; then others' messages are taken too", async () => {
    const { world, asked, scope } = await gated(UNCLAIMED);
    const first = world.ask({ as: PEOPLE.juno });
    await world.pass(1000);
    scope.copy = OPEN_COPY;
    const second = world.ask();
    await world.pass(1000);
    expect(asked).toEqual([`guild:${PLACES.guild}`, `guild:${PLACES.guild}: claim ${PLACES.guild}`]);
    expect(world.heardKeys()).toEqual([`asked:${first}`, `asked:${second}`]);
  });

  it.each([
    ["the server was never switched on, and everything is paused", { ...UNCLAIMED, isPaused: true }],
    ["the person is blocked", { blocked: [PEOPLE.theo] }],
    ["the server is denied", { server: { isClaimed: true, denied: "spam" } }],
  ])("is dropped silently while %s", async (_, change) => {
    const { world, scope } = await gated({ ...OPEN_COPY, ...change });
    const refused = world.ask();
    await world.pass(1000);
    world.discord.touch({ kind: "delete", as: PEOPLE.theo, messageId: refused });
    await world.pass(60_000);
    expect([world.heardKeys(), world.lines, world.discord.messages(PLACES.general, PEOPLE.theo)]).toEqual([[], [], []]);
    scope.copy = OPEN_COPY;
    const asked = world.ask();
    await world.pass(1000);
    expect(world.heardKeys()).toEqual([`asked:${asked}`]);
  });

  it("is taken while everything is paused, with a note about the pause", async () => {
    const { world } = await gated({ ...OPEN_COPY, isPaused: true });
    const asked = [world.ask(), world.ask({ as: PEOPLE.juno })];
    await world.pass(1000);
    expect(world.heard.map(({ heard }) => heard.isPaused)).toEqual([true, true]);
    expect(world.heardKeys()).toEqual(asked.map((id) => `asked:${id}`));
  });

  it("waits while the scope can't be reached, even over a death, and is given up after five minutes", async () => {
    const { world, scope } = await gated(null);
    const asked = world.ask();
    await world.pass(20_000);
    world.die();
    await world.pass(20_000);
    expect(world.heardKeys()).toEqual([]);
    scope.copy = OPEN_COPY;
    await world.pass(60_000);
    expect(world.heardKeys()).toEqual([`asked:${asked}`]);
    scope.copy = null;
    await world.pass(61_000);
    // The last copy still applies.
    const second = world.ask();
    await world.pass(1000);
    expect(world.heardKeys()).toEqual([`asked:${second}`]);
    world.die();
    world.ask();
    await world.pass(400_000);
    expect([world.heardKeys(), outbox(world)]).toEqual([[], 1]);
  });

  it("carries who we are, what its scope says, and our own role", async () => {
    const copy: ScopeCopy = { ...OPEN_COPY, settings: { answer_to: "mention" }, isLimited: true };
    const { world } = await gated(copy);
    const role = world.discord
      .servers()
      .find(({ id }) => id === PLACES.guild)
      ?.roles.find((one) => one.name === "Parley");
    const asked = world.say(`<@&${role?.id}> why?`);
    await world.pass(1000);
    const [{ heard } = { heard: null }] = world.heard;
    expect(heard).toMatchObject({
      self: { userId: APPLICATION.id, applicationId: APPLICATION.id },
      ownRoleId: role?.id,
      readsContent: false,
      scope: { settings: { answer_to: "mention" }, isLimited: true },
    });
    expect(heard).not.toHaveProperty("isOwner");
    expect(world.heardKeys()).toEqual([`asked:${asked}`]);
  });

  it("carries the role with an edit too, because the role is cut from its words", async () => {
    const { world } = await gated(OPEN_COPY);
    const servers = world.discord.servers();
    const role = servers.find(({ id }) => id === PLACES.guild)?.roles.find(({ name }) => name === "Parley");
    const messageId = world.say(`<@&${role?.id}> why?`);
    await world.pass(1000);
    world.discord.touch({ kind: "edit", as: PEOPLE.theo, messageId, content: `<@&${role?.id}> when?` });
    await world.pass(1000);
    expect(world.heard.map(({ heard }) => [heard.event.kind, heard.ownRoleId])).toEqual([
      ["asked", role?.id],
      ["edited", role?.id],
    ]);
  });

  it("in a direct message says whether its author is an owner", async () => {
    const { world } = await gated({ ...OPEN_COPY, server: null }, { ...STRICT, VISITORS: "anyone" });
    world.say("hello", { channel: PLACES.dmOfTheo });
    world.say("hello", { as: PEOPLE.juno, channel: PLACES.dmOfJuno });
    await world.pass(1000);
    expect(world.heard.map(({ heard }) => heard.isOwner)).toEqual([false, true]);
  });
});
