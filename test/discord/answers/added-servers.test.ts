// /tools add and /tools remove, from Discord's request to the answer: who may use them, what the scope is asked, what the channel learns.
import { describe, expect, it } from "vitest";
import type { ConnectionAnswer } from "../../../src/core/access/connection-rpc.ts";
import { changeText } from "../../../src/core/copy/changes.ts";
import { addedServerText, connectionFaultText, connectionText } from "../../../src/core/copy/connections.ts";
import { say } from "../../../src/core/copy/notices.ts";
import { UNAVAILABLE } from "../../../src/core/copy/refusals.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { connectionScene, useTools } from "../../support/connection-scene.ts";
import { VARIABLES } from "../../support/endpoint-harness.ts";
import { silently } from "../../support/shown-answer.ts";

const URL = "https://mcp.example.com/mcp";
const SETTINGS = { mcp_servers: JSON.stringify([{ id: "wiki", url: URL }]) };
const CHANGED: ConnectionAnswer = { op: "changed", serverId: "wiki", settings: SETTINGS };

/** A scene whose scopes give this answer; Mira manages the server. */
const addingScene = (answer: ConnectionAnswer | Error, over: object = {}, settings = {}) =>
  connectionScene(answer, { ...VARIABLES, OWNER_IDS: PEOPLE.mira, ...over }, settings);

const use = (subcommand: string, over: Partial<Interact> = {}): Interact =>
  useTools(
    subcommand,
    subcommand === "add" ? { name: " wiki ", url: URL } : subcommand === "remove" ? { name: "wiki" } : {},
    over,
  );

describe("/tools add", () => {
  it("adds a server for the whole Discord server, and this channel learns of it at once", async () => {
    const { world, asked } = addingScene(CHANGED);
    expect(await world.answered(use("add"))).toEqual(silently(addedServerText.added("wiki")));
    const request = { op: "add", interactionId: expect.any(String), serverId: "wiki", url: URL, by: PEOPLE.mira };
    expect(asked).toEqual([{ scope: `guild:${PLACES.guild}`, request }]);
    expect(world.scopeNotes.at(-1)).toEqual({ settings: SETTINGS, isLimited: false });
    expect(world.discord.violations).toEqual([]);
  });

  it("also informs this channel of everything else that the server's object knows, because older news of it no longer counts here", async () => {
    const variables = { ...VARIABLES, OWNER_IDS: PEOPLE.mira };
    const others = { isLimited: true, leftOut: [PEOPLE.theo], withFacts: [PEOPLE.juno] };
    const { world } = connectionScene(CHANGED, variables, {}, others);
    await world.answered(use("add"));
    expect(world.scopeNotes.at(-1)).toEqual({ settings: SETTINGS, ...others });
  });

  it.each([
    ["the bot's owner alone by default", {}, false],
    ["anyone who manages the server, with MCP_ADD=managers", { MCP_ADD: "managers" }, true],
  ])("is for %s", async (_who, over, mayAdd) => {
    const { world, asked } = addingScene(CHANGED, { OWNER_IDS: "5", ...over });
    const said = mayAdd ? addedServerText.added("wiki") : addedServerText.ownersOnly;
    expect([await world.answered(use("add")), asked.length]).toEqual([silently(said), mayAdd ? 1 : 0]);
  });

  it("is refused to people who may not manage the server", async () => {
    const { world, asked } = addingScene(CHANGED, { OWNER_IDS: PEOPLE.theo, MCP_ADD: "managers" });
    const refused = silently(say.managersOnly("tools add"));
    expect([await world.answered(use("add", { as: PEOPLE.theo })), asked]).toEqual([refused, []]);
  });

  it.each([
    ["a direct message", { channel: PLACES.dmOfMira }, changeText.settingNeedsServer("/tools add")],
    ["a server that has not", { userInstallOnly: true }, changeText.settingNeedsMembership("/tools add")],
  ])("is for servers that have added the bot, and says so in %s", async (_place, over, sentence) => {
    const { world, asked } = addingScene(CHANGED);
    expect([await world.answered(use("add", over)), asked]).toEqual([silently(sentence), []]);
  });

  it.each([
    [{ op: "refused", fault: "full" } as const, connectionFaultText("full", undefined)],
    [
      { op: "refused", fault: "bad_address", detail: "it is not https" } as const,
      connectionFaultText("bad_address", "it is not https"),
    ],
    [new Error("down"), UNAVAILABLE],
  ])("says why a server can't be added (%#)", async (answer, said) => {
    expect(await addingScene(answer).world.answered(use("add"))).toEqual(silently(said));
  });
});

describe("/tools remove", () => {
  it("is also for a manager who may not add any, and suggests what was added", async () => {
    const { world, asked } = addingScene({ ...CHANGED, settings: {} }, { OWNER_IDS: "5" }, SETTINGS);
    const typed = (await world.answered({
      as: PEOPLE.mira,
      channel: PLACES.general,
      kind: "autocomplete",
      name: "tools",
      subcommand: "remove",
      options: { name: "" },
      focused: "name",
    })) as { data: { choices: { value: string }[] } };
    expect(typed.data.choices.map(({ value }) => value)).toEqual(["wiki"]);
    expect(await world.answered(use("remove"))).toEqual(silently(addedServerText.removed("wiki")));
    const request = { op: "remove", interactionId: expect.any(String), serverId: "wiki", by: PEOPLE.mira };
    expect(asked.map((one) => one.request)).toEqual([request]);
    expect(world.scopeNotes.at(-1)).toEqual({ settings: {}, isLimited: false });
  });
});

it("/tools list shows what was added and where it is, even without a key for tokens", async () => {
  const { world, asked } = addingScene(CHANGED, {}, SETTINGS);
  const answer = (await world.answered(use("list"))) as { data: { content: string } };
  expect(answer.data.content).toContain(connectionText.listed("wiki", null, URL));
  expect(asked).toEqual([]);
});

it.each([
  ["where one that was added is", { isAdded: true } as const, [connectionText.listed("wiki", true, URL)]],
  ["no old address for one whose name the operator has since used", {}, [connectionText.listed("wiki", true)]],
])("/tools list says whether the server is connected, and %s", async (_what, more, lines) => {
  const connected: ConnectionAnswer = { op: "listed", servers: [{ serverId: "wiki", isConnected: true, ...more }] };
  const { world } = addingScene(connected, { TOKEN_ENCRYPTION_KEY: "k".repeat(32) }, SETTINGS);
  const answer = (await world.answered(use("list"))) as { data: { content: string } };
  expect(answer.data.content.split("\n").filter((line) => line.includes("Server `wiki`"))).toEqual(lines);
});

it("the list for everyone shows a server's origin, but not the path and query, which may contain a key", () => {
  const line = connectionText.listed("wiki", true, "https://wiki.example:8443/s/secret-path/mcp?key=secret");
  expect(line).toBe("Server `wiki` at `https://wiki.example:8443`, added here: connected");
});
