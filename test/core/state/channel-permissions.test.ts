// A person's permissions in a channel, from roles and overwrites.
import { describe, expect, it } from "vitest";
import {
  ALL_PERMISSIONS,
  computePermissions,
  type PermissionQuestion,
} from "../../../src/core/state/channel-permissions.ts";

const [GUILD, MIRA, ROLE, OTHER] = ["1", "2", "3", "4"];
const VIEW = 1n << 10n;
const SEND = 1n << 11n;
const MANAGE = 1n << 13n;
const HISTORY = 1n << 16n;
const ADMINISTRATOR = 1n << 3n;
const bits = (...some: bigint[]) => String(some.reduce((all, one) => all | one, 0n));
const change = (id: string, { allow = 0n, deny = 0n }) => ({ id, allow: String(allow), deny: String(deny) });

/** Everyone can see and send; Mira has one role without permissions. */
const basic: PermissionQuestion = {
  guildId: GUILD,
  userId: MIRA,
  roles: [ROLE],
  guild: {
    ownerId: "9",
    roles: [
      { id: GUILD, permissions: bits(VIEW, SEND, HISTORY) },
      { id: ROLE, permissions: "0" },
      { id: OTHER, permissions: bits(MANAGE) },
    ],
  },
  overwrites: [],
};
const guild = (permissions: string) => ({ ownerId: "9", roles: [{ id: GUILD, permissions }] });

describe("permissions", () => {
  it.each<[string, Partial<PermissionQuestion>, bigint]>([
    ["are those of everyone and of the person's roles, and not of other roles", {}, VIEW | SEND | HISTORY],
    ["grow with a role", { roles: [ROLE, OTHER] }, VIEW | SEND | HISTORY | MANAGE],
    [
      "are all for the owner, whatever else is unknown",
      { userId: "9", roles: null, overwrites: null },
      ALL_PERMISSIONS,
    ],
    [
      "are all for an administrator, whatever the channel denies",
      { guild: guild(bits(ADMINISTRATOR)), overwrites: [change(GUILD, { deny: VIEW })] },
      ALL_PERMISSIONS,
    ],
    ["lose what the channel denies everyone", { overwrites: [change(GUILD, { deny: SEND })] }, VIEW | HISTORY],
    [
      "get back by a role what everyone is denied",
      { overwrites: [change(ROLE, { allow: SEND }), change(GUILD, { deny: SEND })] },
      VIEW | SEND | HISTORY,
    ],
    [
      "have what one role allows and another denies",
      { roles: [ROLE, OTHER], overwrites: [change(ROLE, { deny: SEND }), change(OTHER, { allow: SEND })] },
      VIEW | SEND | HISTORY | MANAGE,
    ],
    [
      "follow the person's own overwrite in the end",
      { overwrites: [change(MIRA, { deny: SEND }), change(ROLE, { allow: SEND })] },
      VIEW | HISTORY,
    ],
    [
      "ignore overwrites of others",
      { overwrites: [change(OTHER, { deny: SEND }), change("8", { deny: VIEW })] },
      VIEW | SEND | HISTORY,
    ],
    ["are none if the channel can't be seen", { overwrites: [change(GUILD, { deny: VIEW })] }, 0n],
    ["are none if the roles of the server are unknown", { guild: null }, 0n],
    ["are none if the person's roles are unknown", { roles: null }, 0n],
    ["are none if the overwrites are unknown", { overwrites: null }, 0n],
    ["are none if the text is not a number", { guild: guild("all") }, 0n],
    ["lose everything by a denial that is not a number", { overwrites: [{ id: MIRA, allow: "0", deny: "?" }] }, 0n],
    [
      "gain nothing by a permission that is not a number",
      { overwrites: [{ id: MIRA, allow: "?", deny: "0" }] },
      VIEW | SEND | HISTORY,
    ],
  ])("%s", (_rule, changes, wanted) => {
    expect(computePermissions({ ...basic, ...changes })).toBe(wanted);
  });

  it("have all 64 bits if all are granted", () => expect(ALL_PERMISSIONS).toBe(0xffff_ffff_ffff_ffffn));

  it("can be written as text, the way interactions send them, even an owner's", () => {
    expect(String(ALL_PERMISSIONS)).toBe("18446744073709551615");
  });
});
