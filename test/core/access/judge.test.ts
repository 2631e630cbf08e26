// Who may use the bot: every kind of person in every kind of place, under every rule.
import { describe, expect, it } from "vitest";
import { judge, type Person } from "../../../src/core/access/judge.ts";
import type { AccessPolicy, ServerRule, VisitorRule } from "../../../src/core/access/policy.ts";
import type { ScopeCopy } from "../../../src/core/access/scope-copy.ts";

const [OWNER, LISTED, MEMBER] = ["1", "2", "3"] as const;
const SERVER = "77";

const policy = (servers: ServerRule, visitors: VisitorRule, changes: Partial<AccessPolicy> = {}): AccessPolicy => ({
  ownerIds: [OWNER],
  servers,
  allowedServers: [],
  visitors,
  allowedUsers: [LISTED],
  ...changes,
});
const copy = (changes: Partial<ScopeCopy> = {}): ScopeCopy => ({
  owners: [OWNER],
  isPaused: false,
  blocked: [],
  server: { isClaimed: false, denied: null },
  settings: {},
  isLimited: false,
  ...changes,
});
const CLAIMED = copy({ server: { isClaimed: true, denied: null } });

const PLACES = {
  server: { guildId: SERVER, isServerInstall: true },
  "server of a visitor": { guildId: SERVER, isServerInstall: false },
  "direct message": { guildId: null, isServerInstall: false },
} satisfies Record<string, Omit<Person, "userId">>;

/** One letter per person (owner, listed person, member): `+` is allowed, `-` refused, `c` allowed and claims the server, `?` undecided. */
function table(of: AccessPolicy, place: keyof typeof PLACES, by: ScopeCopy | null): string {
  return [OWNER, LISTED, MEMBER]
    .map((userId) => {
      const verdict = judge({ userId, ...PLACES[place] }, of, by);
      if (verdict.kind === "allowed") return verdict.claims ? "c" : "+";
      return verdict.kind === "refused" ? "-" : "?";
    })
    .join("");
}

describe("a server that installed the bot", () => {
  it.each<[ServerRule, ScopeCopy | null, string]>([
    ["claimed", null, "???"],
    ["claimed", copy(), "c--"],
    ["claimed", CLAIMED, "+++"],
    ["listed", null, "?--"],
    ["listed", CLAIMED, "+--"],
    ["open", null, "???"],
    ["open", copy(), "+++"],
  ])("under %s with %o lets in: owner, listed person, member: %s", (servers, by, expected) => {
    expect(table(policy(servers, "owners"), "server", by)).toBe(expected);
  });

  it.each<[ServerRule, ScopeCopy | null, string]>([
    ["claimed", copy(), "private_server"],
    ["listed", null, "unlisted_server"],
    ["listed", copy(), "unlisted_server"],
  ])(
    "under %s with %o refuses a member with a reason that says what the server's owner can do: %s",
    (servers, by, reason) => {
      const verdict = judge({ userId: MEMBER, ...PLACES.server }, policy(servers, "owners"), by);
      expect(verdict).toEqual({ kind: "refused", refusal: { reason } });
    },
  );

  it("is allowed by its id under claimed and listed, whether claimed or not", () => {
    const listed = { allowedServers: [SERVER] };
    expect(table(policy("claimed", "owners", listed), "server", copy())).toBe("c++");
    expect(table(policy("listed", "owners", listed), "server", copy())).toBe("+++");
  });
});

describe.each(["server of a visitor", "direct message"] as const)("a %s", (place) => {
  it.each<[VisitorRule, ScopeCopy | null, string]>([
    ["owners", null, "?--"],
    ["owners", CLAIMED, "+--"],
    ["listed", null, "??-"],
    ["listed", copy(), "++-"],
    ["anyone", null, "???"],
    ["anyone", copy(), "+++"],
  ])("under %s with %o lets in: owner, listed person, member: %s", (visitors, by, expected) => {
    expect(table(policy("claimed", visitors), place, by)).toBe(expected);
  });

  it("doesn't ask whether its server is claimed or denied", () => {
    const denied = copy({ server: { isClaimed: true, denied: "no" } });
    expect(table(policy("claimed", "anyone"), place, denied)).toBe("+++");
  });
});

describe("what the owners decided", () => {
  const open = policy("open", "anyone");
  const refusal = (userId: string, place: keyof typeof PLACES, by: ScopeCopy) => {
    const verdict = judge({ userId, ...PLACES[place] }, open, by);
    return verdict.kind === "refused" ? verdict.refusal : verdict.kind;
  };

  it("pauses everyone, owners too", () => {
    const paused = copy({ isPaused: true });
    expect([OWNER, MEMBER].map((userId) => refusal(userId, "server", paused))).toEqual([
      { reason: "paused" },
      { reason: "paused" },
    ]);
  });

  it("gives that reason even to people who would be refused anyway", () => {
    const paused = copy({ isPaused: true, blocked: [LISTED], server: { isClaimed: true, denied: "Only for tests." } });
    expect([LISTED, MEMBER].map((userId) => refusal(userId, "server", paused))).toEqual([
      { reason: "paused" },
      { reason: "paused" },
    ]);
  });

  it("blocks a person everywhere, but never an owner", () => {
    const blocking = copy({ blocked: [OWNER, MEMBER] });
    expect(Object.keys(PLACES).map((place) => refusal(MEMBER, place as keyof typeof PLACES, blocking))).toEqual(
      Object.keys(PLACES).map(() => ({ reason: "blocked" })),
    );
    expect(refusal(OWNER, "server", blocking)).toBe("allowed");
  });

  it("denies a server to everyone in it, with the reason, even if every server is open or this one is listed", () => {
    const denied = copy({ server: { isClaimed: true, denied: "Use the other one." } });
    const because = { reason: "server_denied", because: "Use the other one." };
    expect([OWNER, MEMBER].map((userId) => refusal(userId, "server", denied))).toEqual([because, because]);
    expect(refusal(MEMBER, "direct message", denied)).toBe("allowed");
  });
});

describe("who the owners are", () => {
  const unknown = policy("claimed", "owners", { ownerIds: null });

  it("is undecided without a copy if the variable is missing", () => {
    expect(["server", "direct message"].map((place) => table(unknown, place as "server", null))).toEqual([
      "???",
      "???",
    ]);
  });

  it("is then taken from the copy", () => {
    expect(table(unknown, "direct message", copy())).toBe("+--");
  });

  it("is what the variable says, if it is set", () => {
    const other = policy("claimed", "owners", { ownerIds: [MEMBER] });
    expect(table(other, "direct message", copy())).toBe("--+");
  });

  it("is reported as missing if no one knows it", () => {
    const verdict = judge({ userId: MEMBER, ...PLACES["direct message"] }, unknown, copy({ owners: [] }));
    expect(verdict).toEqual({ kind: "refused", refusal: { reason: "no_owner" } });
  });
});
