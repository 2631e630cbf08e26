// Who gets in at the endpoint, and what that costs: how often a scope and a channel are asked.
import { describe, expect, it } from "vitest";
import type { ScopeCopy } from "../../../src/core/access/scope-copy.ts";
import { accessText } from "../../../src/core/copy/access.ts";
import { ownerText } from "../../../src/core/copy/owner-answers.ts";
import { createGate } from "../../../src/discord/answers/gate.ts";
import type { ScopePort } from "../../../src/discord/answers/scope-port.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { NOW, scene, VARIABLES } from "../../support/endpoint-harness.ts";
import { OPEN_COPY, openScopes } from "../../support/scopes.ts";
import { silently } from "../../support/shown-answer.ts";

const STRICT = { ...VARIABLES, OWNER_IDS: PEOPLE.mira, SERVERS: "claimed", VISITORS: "owners" };
const UNCLAIMED: ScopeCopy = { ...OPEN_COPY, server: { isClaimed: false, denied: null } };
type Shown = { data: { content: string } };
const STRANGER = silently(accessText({ reason: "private_server" }));
const UNCHECKED = silently(accessText({ reason: "unchecked" }));

const chat = (as: string, channel: string = PLACES.general): Interact => ({
  as,
  channel,
  kind: "command",
  name: "chat",
  options: { message: "hi" },
});
const owner = (
  as: string,
  name: string,
  options: Record<string, string> = {},
  channel: string = as === PEOPLE.mira ? PLACES.dmOfMira : PLACES.dmOfTheo,
): Interact => ({
  as,
  channel,
  kind: "command",
  name: "owner",
  subcommand: name,
  options,
});

/** A scene over scopes that record what they are asked. */
function gated(copies: (ScopeCopy | Error)[], variables: object = STRICT, parts: Partial<ScopePort> = {}) {
  const asked: string[] = [];
  const clock = { now: NOW };
  let last: ScopeCopy | Error = copies[0] ?? OPEN_COPY;
  const world = scene({
    variables,
    now: () => clock.now,
    scope: (name) => ({
      ...openScopes(parts)(name),
      async copy() {
        asked.push(name);
        last = copies.shift() ?? last;
        if (last instanceof Error) throw last;
        return last;
      },
      async claim(guildId) {
        asked.push(`claim ${guildId} of ${name}`);
      },
    }),
  });
  return { ...world, asked, clock };
}

describe("a stranger's flood", () => {
  it("of 1000 signed interactions wakes no channel, and the scope once a minute", async () => {
    const world = gated([UNCLAIMED]);
    for (let hundred = 0; hundred < 10; hundred++) {
      if (hundred === 5) world.clock.now += 61_000;
      const answers = Array.from({ length: 100 }, () => world.answered(chat(PEOPLE.theo)));
      for (const answer of await Promise.all(answers)) expect(answer).toEqual(STRANGER);
    }
    expect([world.calls, world.asked.length]).toEqual([[], 2]);
  });

  it("beyond the runtime's limit is refused by the copy, however old that is", async () => {
    const world = gated([UNCLAIMED], STRICT);
    world.limiter.isOver = true;
    expect(await world.answered(chat(PEOPLE.theo))).toEqual(STRANGER);
    world.clock.now += 3_600_000;
    expect(await world.answered(chat(PEOPLE.theo))).toEqual(STRANGER);
    expect(world.asked).toHaveLength(1);
  });

  it("wakes nothing at all if the variables alone refuse", async () => {
    const world = gated([OPEN_COPY], { ...STRICT, SERVERS: "listed" });
    expect(await world.answered(chat(PEOPLE.theo))).toEqual(silently(accessText({ reason: "unlisted_server" })));
    expect([world.calls, world.asked]).toEqual([[], []]);
  });

  it("gets no completions", async () => {
    const typing: Interact = {
      as: PEOPLE.theo,
      channel: PLACES.general,
      kind: "raw",
      type: 4,
      data: { name: "chat", type: 1, options: [{ name: "persona", value: "", focused: true }] },
      extra: {},
    };
    const world = gated([UNCLAIMED]);
    expect([await world.answered(typing), world.calls]).toEqual([{ type: 8, data: { choices: [] } }, []]);
  });
});

describe("a person who may use the bot", () => {
  it("causes one request for a copy in a cold isolate and none in a warm one, for a minute", async () => {
    const world = gated([OPEN_COPY]);
    for (let n = 0; n < 3; n++) expect(await world.answered(chat(PEOPLE.theo))).toEqual({ type: 5 });
    world.clock.now += 60_000;
    await world.answered(chat(PEOPLE.theo));
    expect([world.calls.length, world.asked.length]).toEqual([4, 2]);
  });

  it("is judged by a new copy if the clock was set back since the copy was read", async () => {
    const world = gated([OPEN_COPY, { ...OPEN_COPY, isPaused: true }]);
    await world.answered(chat(PEOPLE.theo));
    world.clock.now -= 3_600_000;
    expect(await world.answered(chat(PEOPLE.theo))).not.toEqual({ type: 5 });
    expect(world.asked).toHaveLength(2);
  });

  it("shares the request for a copy with others who wait for it", async () => {
    const world = gated([OPEN_COPY]);
    await Promise.all([PEOPLE.theo, PEOPLE.mira, PEOPLE.theo].map((as) => world.answered(chat(as))));
    expect(world.asked).toHaveLength(1);
  });

  it("is still judged by the last copy while the scope can't be reached", async () => {
    const world = gated([OPEN_COPY, new Error("down")]);
    await world.answered(chat(PEOPLE.theo));
    world.clock.now += 3_600_000;
    expect(await world.answered(chat(PEOPLE.theo))).toEqual({ type: 5 });
  });

  it("is asked to try again if there is no copy, and the scope is asked again only after a while", async () => {
    const world = gated([new Error("down"), OPEN_COPY]);
    expect(await world.answered(chat(PEOPLE.theo))).toEqual(UNCHECKED);
    expect(await world.answered(chat(PEOPLE.theo))).toEqual(UNCHECKED);
    expect([world.calls, world.asked.length]).toEqual([[], 1]);
    world.clock.now += 2000;
    expect(await world.answered(chat(PEOPLE.theo))).toEqual({ type: 5 });
  });
});

it("a request that is cancelled while it reads a copy delays later ones no longer than the time limit of a read", async () => {
  const clock = { now: NOW };
  const copies = [new Promise<ScopeCopy>(() => {}), Promise.resolve(OPEN_COPY)];
  const gate = createGate({
    scope: openScopes({ copy: () => copies.shift() ?? Promise.reject(new Error("asked too often")) }),
    now: () => clock.now,
    // Its timers end with it.
    after: () => () => {},
    logError() {},
    countRefused: null,
  });
  const policy = { servers: "open", visitors: "anyone", ownerIds: null, allowedServers: [], allowedUsers: [] } as const;
  const admit = () => gate.admit({ userId: "1", guildId: "3", isServerInstall: true }, "2", policy);
  void admit();
  while (copies.length > 1) await Promise.resolve();
  clock.now += 1200;
  expect([await admit(), await admit()]).toEqual([
    { ok: true, copy: OPEN_COPY },
    { ok: true, copy: OPEN_COPY },
  ]);
});

it("a scope that can't be reached is asked again only after a while, even if others can't be reached either", async () => {
  const asked: string[] = [];
  const clock = { now: NOW };
  const gate = createGate({
    scope: (name) => ({
      ...openScopes()(name),
      async copy() {
        asked.push(name);
        throw new Error("down");
      },
    }),
    now: () => clock.now,
    after: () => () => {},
    logError() {},
    countRefused: null,
  });
  const policy = { servers: "open", visitors: "anyone", ownerIds: null, allowedServers: [], allowedUsers: [] } as const;
  const flood = async () => {
    for (const guildId of ["3", "4", "3", "4"])
      await gate.admit({ userId: "1", guildId, isServerInstall: true }, "2", policy);
  };
  await flood();
  expect(asked).toEqual(["guild:3", "guild:4"]);
  clock.now += 2000;
  await flood();
  expect(asked).toHaveLength(4);
});

it("a person whom a copy refuses is also refused if the runtime can't count them", async () => {
  const clock = { now: NOW };
  const gate = createGate({
    scope: openScopes({ copy: async () => UNCLAIMED }),
    now: () => clock.now,
    after: () => () => {},
    logError() {},
    countRefused: () => Promise.reject(new Error("internal error")),
  });
  const policy = {
    servers: "claimed",
    visitors: "owners",
    ownerIds: ["9"],
    allowedServers: [],
    allowedUsers: [],
  } as const;
  const admit = () => gate.admit({ userId: "1", guildId: "3", isServerInstall: true }, "2", policy);
  await admit();
  clock.now += 60_001;
  expect(await admit()).toMatchObject({ ok: false, refusal: { reason: "private_server" } });
});

it("an isolate keeps the copies of the newest five hundred scopes", async () => {
  const asked: string[] = [];
  const gate = createGate({
    scope: (name) => ({
      ...openScopes()(name),
      async copy() {
        asked.push(name);
        return OPEN_COPY;
      },
    }),
    now: () => NOW,
    after: () => () => {},
    logError() {},
    countRefused: null,
  });
  const policy = { servers: "open", visitors: "anyone", ownerIds: null, allowedServers: [], allowedUsers: [] } as const;
  const admit = (guildId: number) =>
    gate.admit({ userId: "1", guildId: String(guildId), isServerInstall: true }, "2", policy);
  for (let guildId = 1; guildId <= 501; guildId++) await admit(guildId);
  await admit(2);
  expect(asked).toHaveLength(501);
  await admit(1);
  expect(asked).toHaveLength(502);
});

describe("an owner", () => {
  it("claims a server by using the bot there, and everyone else gets in at once", async () => {
    const world = gated([UNCLAIMED]);
    expect(await world.answered(chat(PEOPLE.theo))).toEqual(STRANGER);
    expect(await world.answered(chat(PEOPLE.mira))).toEqual({ type: 5 });
    expect(await world.answered(chat(PEOPLE.theo))).toEqual({ type: 5 });
    expect(world.asked.map((line) => line.replace(/\d+/g, "n"))).toEqual(["guild:n", "claim n of guild:n"]);
  });

  it("can end a pause, although everyone, owners included, reads only that the bot is paused", async () => {
    const own: string[] = [];
    const parts: Partial<ScopePort> = {
      async own(request) {
        own.push(JSON.stringify(request));
        return { op: "changed" };
      },
    };
    const world = gated([{ ...OPEN_COPY, isPaused: true }], STRICT, parts);
    expect(await world.answered(chat(PEOPLE.mira, PLACES.dmOfMira))).toEqual(
      silently(accessText({ reason: "paused" })),
    );
    expect(await world.answered(owner(PEOPLE.mira, "pause", { state: "off" }))).toEqual(
      silently(`${ownerText.resumed}\n${ownerText.within}`),
    );
    expect(own).toEqual([`{"op":"pause","isPaused":false}`]);
  });
});

describe("a scope that never answers", () => {
  it("delays people by only part of Discord's three seconds, and a stop not at all", async () => {
    const timers: { ms: number; callback: () => void }[] = [];
    const world = scene({
      variables: STRICT,
      scope: openScopes({ copy: () => new Promise(() => {}) }),
      after(ms, callback) {
        // The other timer is for the whole answer.
        if (ms !== 1200) return () => {};
        timers.push({ ms, callback });
        queueMicrotask(callback);
        return () => {};
      },
    });
    expect(await world.answered(chat(PEOPLE.theo))).toEqual(UNCHECKED);
    await world.answered({ as: PEOPLE.theo, channel: PLACES.general, kind: "command", name: "stop" });
    expect([timers.map(({ ms }) => ms), world.calls.map((call) => "stop" in call)]).toEqual([[1200], [true]]);
  });
});

describe("a running answer", () => {
  const stop = (name: string, subcommand?: string): Interact => ({
    as: PEOPLE.theo,
    channel: PLACES.general,
    kind: "command",
    name,
    ...(subcommand && { subcommand }),
  });
  const button: Interact = {
    as: PEOPLE.theo,
    channel: PLACES.general,
    kind: "raw",
    type: 3,
    data: { custom_id: "stop:77", component_type: 2 },
    extra: { message: { id: "1180000000000000099" } },
  };

  it.each<[string, ScopeCopy, number]>([
    ["everything is paused", { ...OPEN_COPY, isPaused: true }, 3],
    ["the server is denied", { ...OPEN_COPY, server: { isClaimed: true, denied: "No." } }, 3],
    ["the server was never switched on", UNCLAIMED, 0],
    ["the person is blocked", { ...OPEN_COPY, blocked: [PEOPLE.theo] }, 0],
  ])("can be stopped by anyone who may stop it: when %s", async (_, copy, stops) => {
    const world = gated([copy]);
    for (const act of [stop("stop"), stop("bot", "kill"), button]) await world.answered(act);
    expect(world.calls.filter((call) => "stop" in call)).toHaveLength(stops);
  });
});

describe("/owner", () => {
  it.each<[string, Interact, string]>([
    ["a stranger", owner(PEOPLE.theo, "servers"), ownerText.ownersOnly],
    ["an owner in a server", owner(PEOPLE.mira, "servers", {}, PLACES.general), ownerText.directOnly],
    ["a server that is not an id", owner(PEOPLE.mira, "allow", { server: "mine" }), ownerText.notAnId("server")],
    ["a person who is not an id", owner(PEOPLE.mira, "block", { user: "Theo" }), ownerText.notAnId("user")],
    ["an owner to block", owner(PEOPLE.mira, "block", { user: `<@${PEOPLE.mira}>` }), ownerText.isOwner],
  ])("refuses %s, and changes nothing", async (_, act, sentence) => {
    const parts: Partial<ScopePort> = { own: () => Promise.reject(new Error("asked")) };
    expect(await gated([OPEN_COPY], STRICT, parts).answered(act)).toEqual(silently(sentence));
  });

  it.each<[string, ScopeCopy | Error, Parameters<typeof accessText>[0]]>([
    ["the scope that knows the owners can't be reached", new Error("down"), { reason: "unchecked" }],
    ["the owners are unknown", { ...OPEN_COPY, owners: [] }, { reason: "no_owner" }],
  ])("treats no one as a stranger while %s, and says so", async (_, copy, refusal) => {
    const { OWNER_IDS: _unset, ...unset } = STRICT;
    expect(await gated([copy], unset).answered(owner(PEOPLE.mira, "servers"))).toEqual(silently(accessText(refusal)));
  });

  it.each([
    ["claimed", "switched on", "not switched on"],
    ["open", "switched on", "switched on"],
    ["listed", "not switched on", "switched on"],
  ])("says which servers are on, also because of the variables: SERVERS=%s", async (rule, claimed, named) => {
    const known = { since: 0, denied: null };
    const servers = [
      { ...known, guildId: "1", isClaimed: true },
      { ...known, guildId: "2", isClaimed: false },
    ];
    const variables = { ...STRICT, SERVERS: rule, ...(rule === "listed" && { ALLOWED_SERVERS: "2" }) };
    const own: ScopePort["own"] = async () => ({ op: "servers", servers, blocked: [], isPaused: false });
    const { data } = (await gated([OPEN_COPY], variables, { own }).answered(owner(PEOPLE.mira, "servers"))) as Shown;
    expect(data.content.split("\n").map((line) => line.split(", ").at(-1))).toEqual(["Servers (2):", claimed, named]);
  });

  it.each([
    ["listed", undefined, ownerText.notListed("123456789012345678")],
    ["listed", "123456789012345678", `${ownerText.allowed("123456789012345678")}\n${ownerText.within}`],
    ["claimed", undefined, `${ownerText.allowed("123456789012345678")}\n${ownerText.within}`],
  ])(
    "says whether the variables let in a server that it allows: SERVERS=%s, ALLOWED_SERVERS=%s",
    async (rule, listed, said) => {
      const variables = { ...STRICT, SERVERS: rule, ...(listed && { ALLOWED_SERVERS: listed }) };
      const world = gated([OPEN_COPY], variables, { own: async () => ({ op: "changed" }) });
      expect(await world.answered(owner(PEOPLE.mira, "allow", { server: "123456789012345678" }))).toEqual(
        silently(said),
      );
    },
  );

  it("carries out what an owner asks, and says what changed", async () => {
    const world = gated([OPEN_COPY], STRICT, { own: async () => ({ op: "changed" }) });
    const server = "123456789012345678";
    expect(await world.answered(owner(PEOPLE.mira, "deny", { server, reason: "Too loud." }))).toEqual(
      silently(`${ownerText.denied(server, "Too loud.")}\n${ownerText.within}`),
    );
    expect(await world.answered(owner(PEOPLE.mira, "block", { user: `<@${PEOPLE.theo}>` }))).toEqual(
      silently(`${ownerText.blocked(PEOPLE.theo)}\n${ownerText.within}`),
    );
  });
});
