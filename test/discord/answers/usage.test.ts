// /bot usage and /owner usage: which objects are asked, and what people read.
import { describe, expect, it } from "vitest";
import type { ScopeUsage } from "../../../src/core/access/scope-rpc.ts";
import { ownerText } from "../../../src/core/copy/owner-answers.ts";
import { UNAVAILABLE } from "../../../src/core/copy/refusals.ts";
import { OTHERS_USAGE, usageText } from "../../../src/core/copy/usage.ts";
import { NO_USAGE, type UsageSum } from "../../../src/core/money/report.ts";
import type { ScopePort } from "../../../src/discord/answers/scope-port.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { scene, USAGE, VARIABLES } from "../../support/endpoint-harness.ts";
import { openScopes } from "../../support/scopes.ts";

const sum = (turns: number): UsageSum => ({
  turns,
  inputTokens: turns * 100,
  cachedTokens: turns * 10,
  outputTokens: turns * 20,
  microUsd: turns * 1_000_000,
  unpricedTokens: 0,
});
const SCOPE: ScopeUsage = {
  user: { today: sum(2), month: sum(3) },
  channel: { today: sum(40), month: sum(50) },
  all: { today: sum(400), month: { ...NO_USAGE, turns: 1, inputTokens: 7, unpricedTokens: 7 } },
};
const privately = (lines: string[]) => ({
  type: 4,
  data: { content: lines.join("\n"), flags: 64, allowed_mentions: { parse: [] } },
});
/** Scopes that record who was asked about what. */
function noting(answer: () => Promise<ScopeUsage> = async () => SCOPE) {
  const asked: string[] = [];
  const scope = (name: string): ScopePort =>
    openScopes({
      usage(userId, channelId) {
        asked.push(`${name}: ${userId} in ${channelId}`);
        return answer();
      },
    })(name);
  return { asked, scope };
}
const CHANNEL_LINE =
  "This channel: 40 answers (no limit), 90,000 of 1,000,000 tokens: 60,000 in (0 cached), 30,000 out. Cost: $1.50 of $2.50, without 300 tokens of unknown price.";
const RESETS = `Today's figures reset <t:${USAGE.resetsAt / 1000}:R>.`;
const usage = { kind: "command", name: "bot", subcommand: "usage", options: {} } as const;

describe("/bot usage", () => {
  it("shows today and this month in a server, for the person, the channel and the server, next to the limits", async () => {
    const { asked, scope } = noting();
    const world = scene({ scope });
    expect(await world.answered({ ...usage, as: PEOPLE.theo, channel: PLACES.general })).toEqual(
      privately([
        "**Today**",
        "You, in this channel: 1 answer, 1,200 tokens: 1,000 in (800 cached), 200 out. Cost: $0.0123.",
        CHANNEL_LINE,
        "You, in the whole server: 2 of 10 answers, 240 tokens (no limit): 200 in (20 cached), 40 out. Cost: $2.00 of $3.",
        "This server: 400 answers, 48,000 tokens: 40,000 in (4,000 cached), 8,000 out. Cost: $400.00 of $500.",
        "**This month**",
        "You, in the whole server: 3 answers, 360 tokens: 300 in (30 cached), 60 out. Cost: $3.00.",
        "This channel: 50 answers, 6,000 tokens: 5,000 in (500 cached), 1,000 out. Cost: $50.00.",
        "This server: 1 answer, 7 tokens: 7 in (0 cached), 0 out. Cost: not known (no price).",
        `-# Days and months are in UTC. ${RESETS} An answer that isn't finished counts only in this channel's figures for today.`,
      ]),
    );
    expect(world.calls).toEqual([{ to: PLACES.general, ask: "usage", userId: PEOPLE.theo }]);
    expect(world.scopeNotes).toEqual([{ settings: {}, isLimited: false }]);
    expect(asked).toEqual([`guild:${PLACES.guild}: ${PEOPLE.theo} in ${PLACES.general}`]);
  });

  it("shows a moderator of the server what another person used, and no one else", async () => {
    const { asked, scope } = noting();
    const world = scene({ scope });
    const of = (as: string, person: string, channel: string = PLACES.general) =>
      world.answered({ ...usage, options: { person }, as, channel });
    const shown = JSON.stringify(await of(PEOPLE.mira, `<@${PEOPLE.theo}>`));
    expect(shown).toContain(`<@${PEOPLE.theo}>, in the whole server: 3 answers`);
    expect(world.calls).toEqual([{ to: PLACES.general, ask: "usage", userId: PEOPLE.theo }]);
    expect(asked).toEqual([`guild:${PLACES.guild}: ${PEOPLE.theo} in ${PLACES.general}`]);
    expect(await of(PEOPLE.theo, PEOPLE.mira)).toEqual(privately([OTHERS_USAGE]));
    expect(await of(PEOPLE.mira, PEOPLE.theo, PLACES.dmOfMira)).toEqual(privately([OTHERS_USAGE]));
    expect(await of(PEOPLE.mira, "Theo")).toEqual(privately([ownerText.notAnId("user")]));
    expect(JSON.stringify(await of(PEOPLE.theo, PEOPLE.theo))).toContain("You, in the whole server");
  });

  it("shows nothing of other people's use in a direct message", async () => {
    const { asked, scope } = noting();
    const answer = await scene({ scope }).answered({ ...usage, as: PEOPLE.theo, channel: PLACES.dmOfTheo });
    expect(asked).toEqual([`deployment: ${PEOPLE.theo} in ${PLACES.dmOfTheo}`]);
    expect(JSON.stringify(answer)).toContain("You, in direct messages and where you brought me along: 3 answers");
    expect(JSON.stringify(answer)).not.toMatch(/This server|400 answers/);
  });

  it.each(["server", "group"] as const)(
    "says what a visitor's own object in a %s is, even if the scope can't be reached",
    async (kind) => {
      const theirs = "Your conversation here: 40 answers (no limit)";
      const visit = {
        ...usage,
        as: PEOPLE.theo,
        channel: kind === "server" ? PLACES.general : PLACES.groupDm,
        userInstallOnly: true,
      };
      const { asked, scope } = noting();
      const shown = JSON.stringify(await scene({ scope }).answered(visit));
      expect(asked).toEqual([`deployment: ${PEOPLE.theo} in ${visit.channel}:${PEOPLE.theo}`]);
      expect(shown).toContain(theirs);
      expect(shown).toContain("Your conversation here: 50 answers, 6,000 tokens");
      const down = noting(() => Promise.reject(new Error("down")));
      const alone = JSON.stringify(await scene({ scope: down.scope }).answered(visit));
      expect(alone).toContain(theirs);
      expect(shown + alone).not.toContain("This channel");
    },
  );

  it("shows the channel's own figures if the scope can't be reached, and says so", async () => {
    const { scope } = noting(() => Promise.reject(new Error("down")));
    const world = scene({ scope });
    expect(await world.answered({ ...usage, as: PEOPLE.theo, channel: PLACES.general })).toEqual(
      privately([
        "**Today, in this channel**",
        "You: 1 of 10 answers, 1,200 tokens (no limit): 1,000 in (800 cached), 200 out. Cost: $0.0123.",
        CHANNEL_LINE,
        `-# ${RESETS} I can't read this month's figures or those of other channels now. Try again in a minute.`,
      ]),
    );
    expect(world.errors).toEqual([
      { line: "a scope can't be reached", scope: `guild:${PLACES.guild}`, error: "Error: down" },
    ]);
  });

  it("shows what an older object counts: no money, and tokens in one figure", () => {
    const older = { turns: 1, tokens: 10 };
    const report = { used: { user: older, channel: older }, limits: { user: older, channel: older }, resetsAt: 0 };
    expect(usageText(report, { of: "server", usage: null }).split("\n")[1]).toBe(
      "You: 1 of 1 answer, 10 of 10 tokens. Cost: not known (no price).",
    );
  });
});

describe("/owner usage", () => {
  const act = (as: string, channel: string) =>
    ({ kind: "command", name: "owner", subcommand: "usage", options: {}, as, channel }) as const;
  const variables = { ...VARIABLES, OWNER_IDS: PEOPLE.mira };
  const scope = openScopes({
    ownerUsage: async () => ({
      all: { today: sum(2), month: { ...sum(40), unpricedTokens: 300 } },
      dearest: [
        { guildId: "77", sum: sum(30) },
        { guildId: "", sum: sum(10) },
      ],
      microUsdPerDay: 5_000_000,
      microUsdPerMonth: 0,
    }),
  });

  it("shows an owner what everything used, the limits and the most expensive servers, and says what has no price", async () => {
    expect(await scene({ variables, scope }).answered(act(PEOPLE.mira, PLACES.dmOfMira))).toEqual(
      privately([
        "Today: 2 answers, 240 tokens: 200 in (20 cached), 40 out. Cost: $2.00 of $5.",
        "This month: 40 answers, 4,800 tokens: 4,000 in (400 cached), 800 out. Cost: $40.00, without 300 tokens of unknown price.",
        "**Most expensive this month**",
        "- `77`: 30 answers, 3,600 tokens: 3,000 in (300 cached), 600 out. Cost: $30.00.",
        "- Outside servers: 10 answers, 1,200 tokens: 1,000 in (100 cached), 200 out. Cost: $10.00.",
        "-# Days and months are in UTC. An answer counts when it is finished.",
      ]),
    );
  });

  it.each([
    ["a stranger", PEOPLE.theo, PLACES.dmOfTheo, ownerText.ownersOnly],
    ["an owner in a server", PEOPLE.mira, PLACES.general, ownerText.directOnly],
  ])("refuses %s", async (_, as, channel, sentence) => {
    expect(await scene({ variables, scope }).answered(act(as, channel))).toEqual(privately([sentence]));
  });

  it("says so if the deployment's scope can't be reached", async () => {
    const down = openScopes({ ownerUsage: () => Promise.reject(new Error("down")) });
    const world = scene({ variables, scope: down });
    expect(await world.answered(act(PEOPLE.mira, PLACES.dmOfMira))).toEqual(privately([UNAVAILABLE]));
    expect(world.errors).toEqual([{ line: "a scope can't be reached", scope: "deployment", error: "Error: down" }]);
  });
});
