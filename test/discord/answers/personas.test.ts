// /persona and /bot trace: what reaches the object, and what the person then reads.
import { describe, expect, it } from "vitest";
import { buildTrace } from "../../../src/core/decisions/trace.ts";
import { newTurn } from "../../../src/core/state/record.ts";
import type { PersonaAnswer } from "../../../src/discord/answers/channel-port.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { NOW, scene, VARIABLES } from "../../support/endpoint-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const by = (path: string, options: Record<string, string> = {}): Interact => {
  const [name = "", subcommand] = path.split(" ");
  return {
    as: PEOPLE.mira,
    channel: PLACES.general,
    kind: "command",
    name,
    options,
    ...(subcommand && { subcommand }),
  };
};
async function read(act: Interact, persona?: PersonaAnswer) {
  const world = scene(persona ? { persona } : {});
  const answer = (await world.answered(act)) as { data: { content: string; flags: number } };
  return { said: answer.data.content, flags: answer.data.flags, calls: world.calls };
}
const ada = { name: "Ada", prompt: "You are exact.", avatarUrl: null };

describe("/persona", () => {
  it.each([
    [
      "create",
      { name: "Ada", prompt: "Be kind." },
      { action: "create", name: "Ada", prompt: "Be kind.", avatarUrl: null },
    ],
    [
      "edit",
      { name: "Ada", avatar: "https://x.org/a.png" },
      { action: "edit", name: "Ada", avatarUrl: "https://x.org/a.png" },
    ],
    ["edit", { name: "Ada", prompt: "Be brief." }, { action: "edit", name: "Ada", prompt: "Be brief." }],
    ["delete", { name: "Ada" }, { action: "delete", name: "Ada" }],
    ["use", { name: "Ada" }, { action: "use", name: "Ada" }],
    ["use", {}, { action: "use", name: null }],
  ])("%s with %j passes only the options that were filled in", async (subcommand, options, change) => {
    const { calls, flags } = await read(by(`persona ${subcommand}`, options), { ok: true, persona: ada });
    expect([calls, flags]).toEqual([[{ to: PLACES.general, changePersona: change }], 64]);
  });

  it("says what a change did, or which rule it broke", async () => {
    const said = async (path: string, answer: PersonaAnswer) =>
      (await read(by(path, { name: "Ada", prompt: "x" }), answer)).said;
    expect([
      await said("persona use", { ok: true, persona: ada }),
      await said("persona use", { ok: true, persona: null }),
      await said("persona create", { ok: false, fault: { fault: "exists", name: "Ada" } }),
      await said("persona edit", { ok: false, fault: { fault: "unknown", name: "Ada", known: ["Bob"] } }),
    ]).toEqual([
      "From now on **Ada** answers here.",
      "From now on I answer as myself here.",
      "There is already a persona named **Ada**. Use `/persona edit` to change it.",
      "There is no persona named **Ada**. Choose one of: Bob.",
    ]);
  });

  it("list names each persona and marks the one that answers", async () => {
    expect((await read(by("persona list"))).said.split("\n")).toEqual([
      "- **Ada**: You are exact.",
      "- **Bob** (answers here): You are loud.",
    ]);
  });
});

describe("/scene", () => {
  it.each([
    ["", ["Ada", "Bob"]],
    ["b", ["Bob"]],
    ["Bob, a", ["Bob, Ada"]],
    ["Bob,a", ["Bob, Ada"]],
    ["Ada ,", ["Ada, Ada", "Ada, Bob"]],
  ])(
    "offers the next name of a list that begins with %j, however its commas are written",
    async (personas, offered) => {
      const act = { ...by("scene", { personas }), kind: "autocomplete", focused: "personas" } as Interact;
      const { data } = (await scene().answered(act)) as { data: { choices: { value: string }[] } };
      expect(data.choices.map(({ value }) => value)).toEqual(offered);
    },
  );
});

describe("/bot trace", () => {
  it("asks for the named turn, or the newest if none is named", async () => {
    expect((await read(by("bot trace", { turn: "76" }))).calls).toEqual([{ to: PLACES.general, trace: "76" }]);
    const newest = await read(by("bot trace"));
    expect([newest.calls, newest.said]).toEqual([
      [{ to: PLACES.general, trace: null }],
      "There is no such turn here that you can see. I keep only the newest 200, and only moderators see other people's turns. Choose one from the list that `/bot trace` offers.",
    ]);
  });

  it("says who is looking, and whether they are a moderator here", async () => {
    const world = scene();
    const here = { channel: PLACES.general, name: "bot", subcommand: "trace" } as const;
    for (const as of [PEOPLE.theo, PEOPLE.mira]) {
      await world.answered({ ...here, kind: "command", as });
      await world.answered({ ...here, kind: "autocomplete", as, options: { turn: "" }, focused: "turn" });
    }
    const theo = { userId: PEOPLE.theo, moderator: false };
    const mira = { userId: PEOPLE.mira, moderator: true };
    expect(world.viewers).toEqual([theo, theo, mira, mira]);
  });

  it("offers no two turns with the same name, because Discord would choose the first whichever was clicked", async () => {
    const turn = { userName: "Mira", text: "x".repeat(200), state: "finished", status: "completed" } as const;
    const stopped = { ...turn, turnId: "72", text: "hi", status: "stopped_by_user" } as const;
    const turns = [{ ...turn, turnId: "74" }, { ...turn, turnId: "73" }, stopped, { ...turn, turnId: "71" }];
    const typed = { kind: "autocomplete", options: { turn: "" }, focused: "turn" } as const;
    const answer = await scene({ turns }).answered({ ...by("bot trace"), ...typed } as Interact);
    const { choices } = (answer as { data: { choices: { name: string; value: string }[] } }).data;
    expect(choices.map(({ name, value }) => [value, name.replace(/x+/, "x")])).toEqual([
      ["74", "Mira: x (completed)"],
      ["73", "Mira: x (completed) #2"],
      ["72", "Mira: hi (stopped by user)"],
      ["71", "Mira: x (completed) #3"],
    ]);
    expect(choices.map(({ name }) => name.length)).toEqual([100, 100, 26, 100]);
  });

  it("recognizes a turn by the name of its choice, which Discord sends after the person has looked into another channel", async () => {
    const { calls } = await read(by("bot trace", { turn: "Theo: dice, please (stopped by user)" }));
    expect(calls).toEqual([
      { to: PLACES.general, ask: "recentTurns" },
      { to: PLACES.general, trace: "76" },
    ]);
    const unknown = await read(by("bot trace", { turn: "Theo: dice (completed)" }));
    expect(unknown.calls.at(-1)).toEqual({ to: PLACES.general, trace: "Theo: dice (completed)" });
  });

  it("shows a provider's own words to a moderator of the server, to the bot's owner anywhere, and to no one else", async () => {
    const events = [{ at: NOW, what: "model", detail: "small, no_credit, 9 ms", forModerators: "status 402: Pay." }];
    const turn = { ...newTurn(testRequest("77", PEOPLE.theo), "finished", 0, NOW), events };
    const world = scene({ trace: buildTrace(turn), variables: { ...VARIABLES, OWNER_IDS: PEOPLE.juno } });
    const said = async (over: Partial<Interact>) => {
      const answer = (await world.answered({ ...by("bot trace"), ...over } as Interact)) as {
        data: { content: string };
      };
      return answer.data.content;
    };
    for (const one of [{ as: PEOPLE.mira }, { as: PEOPLE.juno, channel: PLACES.dmOfJuno }])
      expect(await said(one)).toContain("status 402: Pay.");
    const visit = { as: PEOPLE.mira, userInstallOnly: true };
    for (const other of [{ as: PEOPLE.theo }, { as: PEOPLE.mira, channel: PLACES.dmOfMira }, visit]) {
      const text = await said(other);
      expect(text).toContain("model: small, no_credit, 9 ms");
      expect(text).not.toContain("Pay");
    }
  });
});
