// /deliberate and /tools: what reaches the object, and what the person then reads.
import { describe, expect, it } from "vitest";
import { toolsText, triggersText } from "../../../src/core/copy/deliberate.ts";
import { UNAVAILABLE } from "../../../src/core/copy/refusals.ts";
import type { DeliberateAnswer, DeliberateState } from "../../../src/core/state/rpc.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { scene, TOOLS } from "../../support/endpoint-harness.ts";
import { openScopes } from "../../support/scopes.ts";

const use = (subcommand: string, options: object[]): Interact => ({
  as: PEOPLE.mira,
  channel: PLACES.general,
  kind: "raw",
  type: 2,
  data: { name: "deliberate", type: 1, options: [{ type: 1, name: subcommand, options }] },
  extra: {},
});
const text = (name: string, value: string) => ({ name, type: 3, value });
const STATE: DeliberateState = { on: true, personal: "follow", active: true, turns: 4, triggers: [] };

async function read(act: Interact, deliberate?: DeliberateAnswer) {
  const world = scene(deliberate ? { deliberate } : {});
  const answer = (await world.answered(act)) as { data: { content: string; flags: number } };
  const changes = world.calls.flatMap((call) => ("deliberate" in call ? [call.deliberate.change] : []));
  return { said: answer.data.content, flags: answer.data.flags, changes };
}

describe("/deliberate", () => {
  it.each([
    ["mode", [text("state", "on")], { what: "mode", on: true }],
    ["mode", [text("state", "off")], { what: "mode", on: false }],
    ["context", [{ name: "turns", type: 4, value: 0 }], { what: "context", turns: 0 }],
    ["me", [text("state", "follow")], { what: "me", userId: PEOPLE.mira, state: "follow" }],
    [
      "trigger",
      [text("action", "add"), text("tool", "roll_dice"), text("phrase", "fate")],
      { what: "add", trigger: { tool: "roll_dice", kind: "phrase", text: "fate" } },
    ],
    [
      "trigger",
      [text("action", "remove"), text("tool", "roll_dice"), text("pattern", "d\\d+")],
      { what: "remove", trigger: { tool: "roll_dice", kind: "pattern", text: "d\\d+" } },
    ],
    ["trigger", [text("action", "list")], null],
  ])("%s %j passes the object one change and answers privately", async (subcommand, options, change) => {
    const { changes, flags } = await read(use(subcommand, options), { ok: true, state: STATE });
    expect([changes, flags]).toEqual([[change], 64]);
  });

  it.each([
    ["no tool", [text("action", "add"), text("phrase", "fate")]],
    ["no words", [text("action", "add"), text("tool", "roll_dice")]],
    ["both kinds", [text("action", "add"), text("tool", "a"), text("phrase", "b"), text("pattern", "c")]],
  ])("trigger with %s sends the object nothing and says what it needs", async (_, options) => {
    const { changes, said } = await read(use("trigger", options));
    expect([changes, said]).toEqual([
      [],
      "A trigger needs one `tool` and either a `phrase` or a `pattern`. Use the command again and give both.",
    ]);
  });

  it("me is stored only after the server knows that this channel stores something about the person", async () => {
    const steps: unknown[] = [];
    const scope = openScopes({
      async person(request) {
        steps.push(request, world.calls.length);
        return { op: "kept" };
      },
    });
    const world = scene({ deliberate: { ok: true, state: STATE }, scope });
    await world.answered(use("me", [text("state", "off")]));
    const keeps = { op: "keeps", userId: PEOPLE.mira, conversation: PLACES.general };
    expect([steps, world.calls.length]).toEqual([[keeps, 0], 1]);
    // What applies to everyone belongs to no one person.
    await world.answered(use("mode", [text("state", "off")]));
    expect([steps.length, world.calls.length]).toEqual([2, 2]);
  });

  it("me changes nothing while the server can't be reached", async () => {
    const down = scene({ scope: openScopes({ person: () => Promise.reject(new Error("down")) }) });
    const answer = await down.answered(use("me", [text("state", "off")]));
    expect([answer, down.calls]).toMatchObject([{ data: { content: UNAVAILABLE, flags: 64 } }, []]);
  });

  it("says whether the mode is on, or names the broken rule and says that nothing changed", async () => {
    const said = async (answer: DeliberateAnswer) => (await read(use("mode", [text("state", "on")]), answer)).said;
    expect(await said({ ok: true, state: STATE })).toBe(
      "Deliberate tool mode is on here, and on for you. While it is on, a tool stays offered for 4 turns after it is used.",
    );
    expect(await said({ ok: true, state: { ...STATE, personal: "off", active: false, turns: 0 } })).toBe(
      "Deliberate tool mode is on here, and off for you. You chose `off` for your own messages. While it is on, a tool does not stay offered after it is used.",
    );
    expect(await said({ ok: false, rule: "The phrase is empty. Write a word." })).toBe(
      "The phrase is empty. Write a word. Nothing was changed.",
    );
  });

  it("offers tool names while a person types one", async () => {
    const options = [text("action", "add"), { name: "tool", type: 3, value: "r", focused: true }];
    const data = { name: "deliberate", type: 1, options: [{ type: 1, name: "trigger", options }] };
    const typing: Interact = { ...use("trigger", []), type: 4, data } as Interact;
    const answer = (await scene().answered(typing)) as { data: { choices: { value: string }[] } };
    expect(answer.data.choices.map(({ value }) => value)).toEqual(["recall", "roll_dice", "web_search"]);
  });
});

describe("the list of triggers", () => {
  it("groups triggers by tool and keeps its code spans intact", () => {
    const trigger = (tool: string, kind: "phrase" | "pattern", words: string) => ({ tool, kind, text: words });
    expect(triggersText([])).toBe(
      "This channel has no triggers of its own, only the built-in ones. Use `/deliberate trigger action:add` to add one.",
    );
    expect(triggersText([trigger("roll_dice", "phrase", "fa`te"), trigger("recall", "phrase", "^")])).toBe(
      "`recall`: phrase `^`\n`roll_dice`: phrase `fa'te`",
    );
  });

  it("shows the longest patterns that one tool may have, as many as fit, and only those of one tool if it is named", () => {
    const trigger = (tool: string, text: string) => ({ tool, kind: "pattern" as const, text });
    const many = Array.from({ length: 16 }, (_, index) => trigger("roll_dice", `${index}`.padEnd(120, "x")));
    const lines = triggersText([...many, trigger("recall", "what")], "roll_dice").split("\n");
    // 13 lines of 144 characters, each with its line break, are 1,885 of the 1,900.
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      14,
      `\`roll_dice\`: pattern \`${"0".padEnd(120, "x")}\``,
      "… and 3 more",
    ]);
    expect(triggersText([...many, trigger("recall", "what")], "recall")).toBe("`recall`: pattern `what`");
    expect(triggersText(many, "recall")).toBe(
      "This channel has no triggers of its own for `recall`, only the built-in ones. Use `/deliberate trigger action:add` to add one.",
    );
  });

  it("fits the triggers of a full channel into one message and says how many are left out", () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      tool: `tool_${index}`,
      kind: "phrase" as const,
      text: "x".repeat(40),
    }));
    const shown = triggersText(many);
    // 31 lines of 59 or 60 characters, each with its line break, are 1,887 of the 1,900; one more would be 1,948.
    const lines = shown.split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([32, "… and 29 more"]);
  });
});

describe("/tools list", () => {
  it("says for each tool whether it is offered, why, and for how many more turns", () => {
    expect(toolsText(TOOLS).split("\n")).toEqual([
      "Deliberate tool mode is on for you. A tool is offered when your message asks for it, and for a while after it is used.",
      "`pin_message` (dangerous): not available because it needs a bot token",
      "`recall` (safe): offered on every turn (custom, `^`)",
      "`roll_dice` (safe): offered for 3 more turns because it was used recently",
      "`web_search` (async): offered when a message asks for it",
    ]);
  });

  it("lists every available tool as offered while the mode is off", () => {
    expect(
      toolsText({ ...TOOLS, active: false })
        .split("\n")
        .slice(0, 3),
    ).toEqual([
      "Deliberate tool mode is off for you. Every available tool is offered on every turn.",
      "`pin_message` (dangerous): not available because it needs a bot token",
      "`recall` (safe): offered",
    ]);
  });
});
