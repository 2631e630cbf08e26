// Every way in which a turn can end, each as the whole sequence of what it did.
import { describe, expect, it } from "vitest";
import type { ModelFailureReason } from "../../src/core/state/ending.ts";
import type { StopFlag } from "../../src/core/state/record.ts";
import { aborted } from "../../src/turn/execute-tool-call.ts";
import type { TurnAbort } from "../../src/turn/ports.ts";
import type { ToolLoopParams } from "../../src/turn/turn-params.ts";
import { flag } from "../core/decisions/turns.ts";
import { createTurnHarness, type TurnOptions, type TurnWorld, using } from "../support/turn-harness.ts";
import { calls, EFFECT, end, fails, says, text, tool } from "../support/turn-script.ts";

const look = tool("look", () => ({ ok: true, data: { seen: 1 } }));
const broken = tool("broken", () => ({ ok: false, error: "it is broken" }));
const goodbye = tool("goodbye", () => ({ ok: true, data: "bye" }), { ...EFFECT, category: "terminal" });
const memory = tool("update_short_term_memory", () => ({ ok: true, data: null }), {
  ...EFFECT,
  endsTurnAfterText: true,
});

const DECIDED = (name: string) => `info: Assistant decision: ${name} - no reason given`;
const DONE = (name: string, ms = 0) => `info: Function call completed: ${name} (${ms}ms)`;
const FAILED = "error: model call failed";
/** A call with effects is launched by its ledger once it has passed all checks; a read-only one begins with its answer. */
const EFFECTS = ["goodbye", "update_short_term_memory"];
/** What the loop does for one call, from its answer to its log line. */
const callOf = (name: string, said: string, status = "ok") => [
  `answer ${name}`,
  `show ${JSON.stringify(said)} ${using(name)}`,
  ...(EFFECTS.includes(name) ? [DECIDED(name), `launch ${name}`] : [`launch ${name}`, DECIDED(name)]),
  ...(status === "error" ? ["info: a tool returned a failure"] : []),
  `settled ${name} ${status}`,
  DONE(name),
];

interface Exit {
  name: string;
  turn: TurnOptions;
  /** Acts while the turn runs. */
  play?: (world: TurnWorld) => Promise<void> | void;
  ms?: number;
  events: string[];
  result: object;
}

const refused = (name: string) => ({ name, ending: { kind: "model_failed", reason: name } });

const exits: Exit[] = [
  {
    name: "completes with an answer",
    turn: { models: [[says("Hello.")]] },
    events: ["pass 0", "ask m", 'show "Hello."'],
    result: { status: "completed", ending: { kind: "completed" }, text: "Hello." },
  },
  {
    name: "completes with an answer that its provider cut, and says that it was cut",
    turn: { models: [[[text("Once upon"), end([], "length")]]] },
    events: ["pass 0", "ask m", 'show "Once upon"'],
    result: { status: "completed", ending: { kind: "completed", cut: true }, text: "Once upon" },
  },
  {
    name: "completes with both texts if an answer follows a tool",
    turn: { models: [[[text("Let me see."), end(["look"])], says("Done.")]], tools: [look] },
    events: [
      "pass 0",
      "ask m",
      'show "Let me see."',
      ...callOf("look", "Let me see."),
      'show "Let me see."',
      "pass 1",
      "ask m",
      'show "Let me see.\\n\\nDone."',
    ],
    result: { status: "completed", text: "Let me see.\n\nDone." },
  },
  {
    name: "ends with the text so far if the model fails after its first words",
    turn: { models: [[[text("Half"), ...fails("network")]]] },
    events: ["pass 0", "ask m", 'show "Half"', FAILED],
    result: {
      status: "error",
      ending: { kind: "model_failed", reason: "network" },
      text: "Half",
      personaResponses: [],
    },
  },
  {
    name: "times out if no first token comes",
    turn: { models: [[[{ hang: true }]]] },
    ms: 300_000,
    events: ["pass 0", "ask m", FAILED],
    result: { status: "timeout", ending: { kind: "model_silent" }, text: "" },
  },
  {
    name: "times out if the tokens stop, with the text so far",
    turn: { models: [[[text("So"), { hang: true }]]] },
    ms: 120_000,
    events: ["pass 0", "ask m", 'show "So"', FAILED],
    result: { status: "timeout", ending: { kind: "model_silent" }, text: "So", personaResponses: [] },
  },
  {
    name: "ends as empty after the third empty answer",
    turn: { models: [[[end()], [text(" \t"), end()], [end()]]] },
    ms: 2000,
    events: [
      "pass 0",
      "ask m",
      "nothing said",
      "pass 0",
      "ask m",
      'show ""',
      "nothing said",
      "pass 0",
      "ask m",
      "nothing said",
    ],
    result: { status: "empty_response", ending: { kind: "empty" }, text: "" },
  },
  {
    name: "ends with the text so far on a stop in the middle of it",
    turn: { models: [[[text("Once upon"), { hang: true }]]] },
    play: (w) => w.stop("stop"),
    events: ["pass 0", "ask m", 'show "Once upon"'],
    result: { status: "stopped_by_user", ending: { kind: "stopped", by: "7" }, text: "Once upon" },
  },
  {
    name: "keeps what was posted on a kill in the middle of the text",
    turn: { models: [[[text("Once"), { waitMs: 10 }, text(" upon"), { hang: true }]]] },
    async play(w) {
      w.accept();
      await w.clock.advance(10);
      w.stop("kill");
    },
    events: ["pass 0", "ask m", 'show "Once"', 'show "Once upon"'],
    result: { status: "stopped_by_user", ending: { kind: "stopped", by: "7" }, text: "Once" },
  },
  {
    name: "keeps what was posted on a follow-up in the middle of the text, but remembers none of it as an answer",
    turn: { models: [[[text("Once"), { hang: true }]]] },
    play(w) {
      w.accept();
      w.stop("follow_up");
    },
    events: ["pass 0", "ask m", 'show "Once"'],
    result: { status: "follow_up_interrupt", ending: { kind: "follow_up" }, text: "Once", personaResponses: [] },
  },
  {
    name: "times out at its deadline, with the text so far",
    turn: { models: [[[text("Slow"), { hang: true }]]] },
    play: (w) => w.abort({ kind: "deadline" }),
    events: ["pass 0", "ask m", 'show "Slow"'],
    result: { status: "timeout", ending: { kind: "turn_deadline" }, text: "Slow" },
  },
  {
    name: "ends as stopped if a stop and the deadline come together",
    turn: { models: [[[text("Slow"), { hang: true }]]] },
    play(w) {
      w.stop("stop");
      w.abort({ kind: "deadline" });
    },
    events: ["pass 0", "ask m", 'show "Slow"'],
    result: { status: "stopped_by_user", ending: { kind: "stopped", by: "7" } },
  },
  {
    name: "ends with what was posted if its reply is deleted",
    turn: { models: [[[text("Once"), { hang: true }]]] },
    play: (w) => w.abort({ kind: "gone" }),
    events: ["pass 0", "ask m", 'show "Once"'],
    result: { status: "stopped_by_user", ending: { kind: "gone" }, text: "" },
  },
  {
    name: "ends after a terminal tool, and without any text says that it is done",
    turn: { models: [[calls("goodbye")]], tools: [goodbye] },
    events: ["pass 0", "ask m", ...callOf("goodbye", "")],
    result: { status: "completed", ending: { kind: "completed", wordless: true }, text: "" },
  },
  {
    name: "ends after a tool of the short-term memory if it answered before the call",
    turn: { models: [[[text("Noted."), end(["update_short_term_memory"])]]], tools: [memory] },
    events: ["pass 0", "ask m", 'show "Noted."', ...callOf("update_short_term_memory", "Noted.")],
    result: { status: "completed", ending: { kind: "completed" }, text: "Noted." },
  },
  {
    name: "ends after any tool for a model that repeats itself and wrote text before the call",
    turn: {
      models: [Object.assign([[text("I look."), end(["look"])]], { endsTurnAfterText: true as const })],
      tools: [look],
    },
    events: ["pass 0", "ask m", 'show "I look."', ...callOf("look", "I look.")],
    result: { status: "completed", ending: { kind: "completed" }, text: "I look." },
  },
  {
    name: "ends after consecutive tool failures",
    turn: {
      models: [[calls(["broken", { note: "a" }]), calls(["broken", { note: "b" }])]],
      tools: [broken],
      limits: { maxConsecutiveToolErrors: 2 },
    },
    events: [
      "pass 0",
      "ask m",
      ...callOf("broken", "", "error"),
      'show ""',
      "pass 1",
      "ask m",
      ...callOf("broken", "", "error"),
    ],
    result: { status: "error", ending: { kind: "tool_errors" }, text: "" },
  },
  {
    name: "offers no tools in its last step, and takes that step's text as the answer",
    turn: { models: [[calls("look"), says("My best.")]], tools: [look], limits: { maxIterations: 2 } },
    events: ["pass 0", "ask m", ...callOf("look", ""), 'show ""', "pass 1", "ask m", 'show "My best."'],
    result: { status: "timeout", ending: { kind: "iteration_limit" }, text: "My best." },
  },
  {
    name: "answers a call invented in its last step without running it",
    turn: { models: [[calls("look"), [text("But"), end(["look"])]]], tools: [look], limits: { maxIterations: 2 } },
    events: [
      "pass 0",
      "ask m",
      ...callOf("look", ""),
      'show ""',
      "pass 1",
      "ask m",
      'show "But"',
      "answer look",
      "settled look blocked",
      DONE("look"),
    ],
    result: { status: "timeout", ending: { kind: "iteration_limit" }, text: "But" },
  },
  {
    name: "ends as the model's own failure after a call without a name",
    turn: { models: [[calls("look", "")]], tools: [look] },
    events: ["pass 0", "ask m", "answer look, ", "error: a call without a name"],
    result: { status: "error", ending: { kind: "model_failed", reason: "bad_stream" } },
  },
];

describe("a turn", () => {
  it.each(exits)("$name", async ({ turn, play, ms = 0, events, result }) => {
    const w = createTurnHarness(turn);
    w.begin();
    await w.clock.advance(0);
    await play?.(w);
    expect(await w.end(ms)).toMatchObject(result);
    expect(w.events).toEqual(events);
  });

  it.each(
    ["refused", "context_too_long", "auth", "no_credit", "no_model", "bad_stream", "content_blocked", "unknown"].map(
      (reason) => refused(reason),
    ),
  )("fails at once for the reason $name", async ({ name, ending }) => {
    const w = createTurnHarness({ models: [[fails(name as ModelFailureReason)]] });
    expect(await w.end()).toMatchObject({ status: "error", ending });
    expect(w.events).toEqual(["pass 0", "ask m", FAILED]);
  });

  it("ends without another word or write if it is superseded", async () => {
    const w = createTurnHarness({ models: [[[text("Once"), { hang: true }]]] });
    w.begin();
    await w.clock.advance(0);
    w.abort({ kind: "superseded" } satisfies TurnAbort);
    await w.clock.advance(0);
    expect([w.result(), w.events, w.clock.pending()]).toEqual([
      { kind: "superseded" },
      ["pass 0", "ask m", 'show "Once"'],
      0,
    ]);
  });

  it("ends as crashed with what was posted if a port throws, and logs it once", async () => {
    const w = createTurnHarness({
      models: [[[text("Once"), { act: () => w.accept() }, { act: () => explode() }]]],
    });
    expect(await w.end()).toMatchObject({ status: "error", ending: { kind: "crashed" }, text: "Once" });
    expect(w.events).toEqual(["pass 0", "ask m", 'show "Once"', "error: turn crashed"]);
  });
});

function explode(): never {
  throw new Error("a bug");
}

it.each<[string, TurnAbort, StopFlag | null, string]>([
  ["its deadline", { kind: "deadline" }, null, "timeout"],
  ["a stop", { kind: "flagged" }, flag("stop"), "stopped_by_user"],
  ["a follow-up", { kind: "flagged" }, flag("follow_up"), "follow_up_interrupt"],
  ["another life", { kind: "superseded" }, flag("follow_up"), "stopped_by_user"],
])("if %s ends a turn, its calls are left with a matching status", (_, abort, stop, status) => {
  const store = { stopFlag: () => stop } as unknown as ToolLoopParams["store"];
  expect(aborted(abort, { store })).toEqual({ kind: "abort", status, abort });
});

it("code that a step leaves open before a tool call is closed with the step, in the answer and in what is stored", async () => {
  const w = createTurnHarness({
    models: [[[text("So:\n```js\nlet a;"), end(["look"])], [end(["look"])], says("Done.")]],
    tools: [look],
  });
  const closed = "So:\n```js\nlet a;\n```";
  expect((await w.end()).text).toBe(`${closed}\n\nDone.`);
  const stored = w.channel.messagesInTurn("t1").filter(({ role }) => role === "assistant");
  expect(stored.map((message) => message.text).slice(0, 2)).toEqual([closed, ""]);
});

it("one empty line separates the words of two steps, however many blank lines the model puts there", async () => {
  const w = createTurnHarness({
    models: [[[text("Let me look.\n\n"), end(["look"])], says("\n\nDone.")]],
    tools: [look],
  });
  expect((await w.end()).text).toBe("Let me look.\n\nDone.");
  expect(w.events.filter((event) => event.includes("Done"))).toEqual(['show "Let me look.\\n\\nDone."']);
  const stored = w.channel.messagesInTurn("t1").filter(({ role }) => role === "assistant");
  expect(stored[0]?.text).toBe("Let me look.");
});

it.each([
  ["look", "update_short_term_memory"],
  ["update_short_term_memory", "look"],
  ["broken", "update_short_term_memory"],
  ["update_short_term_memory", "broken"],
])(
  "an answer with text that calls %s and %s does not end the turn, because the model has not read the results",
  async (...names) => {
    const w = createTurnHarness({
      models: [[[text("Let me see."), end(names)], says("There.")]],
      tools: [memory, look, broken],
    });
    expect(await w.end()).toMatchObject({ status: "completed", text: "Let me see.\n\nThere." });
  },
);

it("a recurring task is silent if its last answer has nothing to report, whatever it said before a tool call", async () => {
  const w = createTurnHarness({
    models: [[[text("Let me look. "), end(["look"])], says("NOTHING_TO_REPORT")]],
    tools: [look],
    request: { reminder: { text: "look", dueAt: 0, task: { number: 1, every: "every day" } } },
  });
  expect((await w.end()).ending).toMatchObject({ kind: "completed", silent: true });
});

describe("a turn that no one asked for", () => {
  it.each<[string, TurnOptions, number]>([
    ["an error", { models: [[fails("auth")]] }, 0],
    ["a timeout", { models: [[[{ hang: true }]]] }, 300_000],
    ["an empty answer", { models: [[[end()], [end()], [end()]]] }, 2000],
  ])("ends quietly after %s", async (_, turn, ms) => {
    const w = createTurnHarness({ ...turn, surface: false });
    expect((await w.end(ms)).ending.quiet).toBe(true);
  });

  it("shows no tool progress and no warning that it is slow", async () => {
    const rounds = Array.from({ length: 21 }, (_, index) => calls(["look", { note: String(index) }]));
    const w = createTurnHarness({ models: [[...rounds, says("Done.")]], tools: [look], surface: false });
    expect(await w.end()).toMatchObject({ status: "completed", text: "Done." });
    expect(w.events.filter((event) => event.includes("-#"))).toEqual([]);
    expect(w.turn().softWarnAt).toBeNull();
  });
});
