// Who can see a channel, by Discord's answers about the channel, the server and the member: the order in which permissions are
// computed, threads, and everything that can't be found out.
import { describe, expect, it } from "vitest";
import { type ChannelSight, createSeeChannel } from "../../../src/discord/rest/channel-access.ts";
import { RateLimiter } from "../../../src/discord/rest/rate-limiter.ts";

const VIEW = String(1n << 10n);
const [GUILD, CHANNEL, PARENT, MIRA, ROLE] = ["1", "2", "3", "4", "5"];

interface Server {
  channel?: object | null;
  parent?: object | null;
  everyone?: string;
  role?: string;
  owner?: string;
  roles?: string[];
  member?: null;
}

/** What Mira sees, if everyone may see everything unless the server says otherwise. */
async function sight(server: Server, userId: string | null = MIRA): Promise<[ChannelSight, string[]]> {
  const { channel = {}, parent = {}, everyone = VIEW, role = "0", owner = "9", roles = [ROLE], member } = server;
  const base = { type: 0, guild_id: GUILD, permission_overwrites: [] };
  const answers: Record<string, object | null> = {
    [`/channels/${CHANNEL}`]: channel && { ...base, id: CHANNEL, ...channel },
    [`/channels/${PARENT}`]: parent && { ...base, id: PARENT, ...parent },
    [`/guilds/${GUILD}`]: {
      owner_id: owner,
      roles: [
        { id: GUILD, permissions: everyone },
        { id: ROLE, permissions: role },
      ],
    },
    [`/guilds/${GUILD}/members/${MIRA}`]: member === null ? null : { roles },
  };
  const asked: string[] = [];
  const see = createSeeChannel({
    async fetch(url) {
      asked.push(url);
      const answer = answers[url];
      return answer ? Response.json(answer) : Response.json({ code: 50001 }, { status: 403 });
    },
    baseUrl: "",
    userAgent: "test",
    botToken: "t",
    rateLimiter: new RateLimiter(() => 0, { info() {}, warn() {}, error() {} }),
    clock: () => 0,
  });
  return [await see({ channelId: CHANNEL, guildId: GUILD, userId }, new AbortController().signal), asked];
}

const allow = (id: string) => ({ id, allow: VIEW, deny: "0" });
const deny = (id: string) => ({ id, allow: "0", deny: VIEW });
const overwrites = (...some: object[]) => ({ channel: { permission_overwrites: some } });

describe("a channel of the server", () => {
  it.each<[string, Server, ChannelSight]>([
    ["everyone may see", {}, "visible"],
    ["no role may see", { everyone: "0" }, "hidden"],
    ["one of the person's roles may see", { everyone: "0", role: VIEW }, "visible"],
    ["a role may see that the person does not have", { everyone: "0", role: VIEW, roles: [] }, "hidden"],
    ["hides itself from everyone", overwrites(deny(GUILD)), "hidden"],
    ["hides itself from everyone but a role", overwrites(deny(GUILD), allow(ROLE)), "visible"],
    ["hides itself from a role", overwrites(deny(ROLE)), "hidden"],
    ["hides itself from a role but not from the person", overwrites(deny(ROLE), allow(MIRA)), "visible"],
    ["hides itself from the person", overwrites(allow(ROLE), deny(MIRA)), "hidden"],
    ["hides itself from another person", overwrites(deny("77")), "visible"],
    ["hides itself from all but the owner", { ...overwrites(deny(MIRA)), owner: MIRA }, "visible"],
    ["hides itself from all but administrators", { ...overwrites(deny(GUILD)), role: "8" }, "visible"],
    ["is a thread of a visible channel", { channel: { type: 11, parent_id: PARENT } }, "visible"],
    [
      "is a thread of a hidden channel",
      { channel: { type: 11, parent_id: PARENT }, parent: { permission_overwrites: [deny(GUILD)] } },
      "hidden",
    ],
    [
      "is a thread of a channel that can't be read",
      { channel: { type: 11, parent_id: PARENT }, parent: null },
      "unchecked",
    ],
    ["is a private thread", { channel: { type: 12, parent_id: PARENT } }, "hidden"],
    [
      "is a private thread, for people who manage threads",
      { channel: { type: 12, parent_id: PARENT }, role: String(1n << 34n) },
      "visible",
    ],
    ["can't be read by the bot", { channel: null }, "closed"],
    ["is looked for by a person who left", { member: null }, "unchecked"],
    ["belongs to another server", { channel: { guild_id: "8" } }, "elsewhere"],
    ["is a direct message", { channel: { guild_id: undefined } }, "elsewhere"],
    ["is a category, which has no messages", { channel: { type: 4 } }, "elsewhere"],
    ["is a forum, whose messages are all in posts", { channel: { type: 15 } }, "elsewhere"],
    ["is a post of a forum", { channel: { type: 11, parent_id: PARENT }, parent: { type: 15 } }, "visible"],
    ["is a voice channel, in which people can also write", { channel: { type: 2 } }, "visible"],
  ])("that %s", async (_, server, seen) => {
    expect((await sight(server))[0]).toBe(seen);
  });

  it("is only matched to the server if it is unknown who chose it", async () => {
    expect(await sight({}, null)).toEqual(["visible", [`/channels/${CHANNEL}`]]);
  });
});
