// What Discord says about the application, and who owns it.
import { describe, expect, it } from "vitest";
import { readApplication } from "../../../src/discord/rest/application.ts";
import { readApplicationOwners } from "../../../src/discord/rest/application-owners.ts";
import { readCommandNames, registerCommands } from "../../../src/discord/rest/register-commands.ts";

const KEY = "ab".repeat(32);
const juno = { id: "7", username: "juno" };
const found = { id: "1", name: "Parley", verify_key: KEY, owner: juno };

/** Ports whose network gives this answer, and what was requested. */
function answering(answer: () => Response, botToken: string | null = "t") {
  const asked: string[] = [];
  const ports = {
    fetch: async (url: string, { method = "GET" }: RequestInit) => {
      asked.push(`${method} ${url}`);
      return answer();
    },
    baseUrl: "https://discord.test",
    userAgent: "DiscordBot (https://example.org, 1)",
    botToken,
    onLost: (method: string) => void asked.push(`${method} was lost`),
  };
  return { ports, asked };
}
const json = (body: object, status = 200) => answering(() => Response.json(body, { status }));

describe("an application", () => {
  const read = async (more: object) => {
    const answer = await readApplication(json({ ...found, ...more }).ports);
    return answer.ok ? answer.application : answer;
  };

  it("is public, needs no code grant and has no address unless Discord says so", async () => {
    const usual = { endpointUrl: null, isPublic: true, requiresCodeGrant: false, flags: 0 };
    expect(await read({})).toEqual({
      id: "1",
      name: "Parley",
      publicKey: KEY,
      owners: [{ id: "7", name: "juno" }],
      ...usual,
    });
    expect(await read({ interactions_endpoint_url: "", bot_public: true })).toMatchObject(usual);
  });

  it("can be private, need a code grant, and have an address and flags", async () => {
    const said = { interactions_endpoint_url: "https://a.test", bot_public: false, bot_require_code_grant: true };
    expect(await read(said)).toMatchObject({ endpointUrl: "https://a.test", isPublic: false, requiresCodeGrant: true });
    expect(await read({ flags: 1 << 19 })).toMatchObject({ flags: 1 << 19 });
  });

  it("is not read from a refusal, from another form or without an answer", async () => {
    const refused = json({ ...found, code: 0, message: "401: Unauthorized" }, 401);
    expect(await readApplication(refused.ports)).toMatchObject({ ok: false, status: 401 });
    const odd = json({ id: "1" });
    const error = "the answer describes no application";
    expect(await readApplication(odd.ports)).toEqual({ ok: false, status: null, error });
    expect(odd.asked.at(-1)).toBe("GET was lost");
  });
});

it.each([200, 401])(
  "a page of a network that wants a login, with the status %i, doesn't count as Discord's answer",
  async (status) => {
    const { ports } = answering(() => new Response("\n<html>Log in to this network</html>", { status }));
    expect(await readApplication(ports)).toEqual({ ok: false, status: null, error: "a web page came instead" });
  },
);

describe("the owners of an application", () => {
  it.each<[string, object, readonly string[] | null]>([
    ["one person", { owner: juno }, ["7"]],
    [
      "the members of a team who accepted",
      {
        owner: juno,
        team: {
          members: [
            { membership_state: 2, user: { id: "8" } },
            { membership_state: 1, user: { id: "9" } },
          ],
        },
      },
      ["8"],
    ],
    [
      "not those who may only look at what a team has, unless they own it",
      {
        team: {
          owner_user_id: "6",
          members: [
            { membership_state: 2, user: { id: "5" }, role: "read_only" },
            { membership_state: 2, user: { id: "6" }, role: "read_only" },
            { membership_state: 2, user: { id: "7" }, role: "admin" },
            { membership_state: 2, user: { id: "8" }, role: "developer" },
          ],
        },
      },
      ["6", "7", "8"],
    ],
    ["unknown if Discord names no one", {}, null],
  ])("are %s", async (_, body, owners) => {
    expect(await readApplicationOwners(json(body).ports)).toEqual(owners);
  });

  it("are unknown without a token, which then is not even looked up, and if Discord refuses", async () => {
    const without = answering(() => Response.json({ owner: juno }), null);
    expect([await readApplicationOwners(without.ports), without.asked]).toEqual([null, []]);
    expect(await readApplicationOwners(json({ owner: juno }, 401).ports)).toBeNull();
  });
});

it.each<[string | undefined, string]>([
  [undefined, "PUT https://discord.test/applications/1/commands"],
  ["5", "PUT https://discord.test/applications/1/guilds/5/commands"],
])("commands are registered for everyone or for one server: %s", async (guildId, request) => {
  const { ports, asked } = json([]);
  expect([await registerCommands(ports, { applicationId: "1", guildId }, []), asked]).toEqual([
    { ok: true },
    [request],
  ]);
});

it.each<[string, () => Response, object]>([
  ["are read", () => Response.json([{ name: "play", type: 1 }]), { ok: true, names: ["play"] }],
  ["are unknown to a refusal", () => Response.json({ message: "no" }, { status: 500 }), { ok: false, status: 500 }],
  [
    "are unknown to a network's page",
    () => new Response("<html>"),
    { ok: false, status: null, error: "a web page came instead" },
  ],
  [
    "are unknown to what lists none",
    () => Response.json({}),
    { ok: false, status: null, error: "it lists no commands" },
  ],
])("the names of the commands %s", async (_, answer, found) => {
  expect(await readCommandNames(answering(answer).ports, "1")).toMatchObject(found);
});
