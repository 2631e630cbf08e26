// Every way in which an attempt ends, each as the whole sequence of what it did.
import { describe, expect, it } from "vitest";
import type { ModelFailureReason } from "../../src/core/state/ending.ts";
import type { TurnAbort } from "../../src/turn/ports.ts";
import { createTurnHarness, type TurnOptions, type TurnWorld } from "../support/turn-harness.ts";
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
/** What changes something is launched by its ledger, once it has passed all checks; what only reads begins with its answer. */
const EFFECTS = ["goodbye", "update_short_term_memory"];
/** What the loop does for one call, from its answer to its log line. */
const callOf = (name: string, said: string, status = "ok") => [
  `answer ${name}`,
  `show ${JSON.stringify(said)} -# Using \`${name}\` …`,
  ...(EFFECTS.includes(name) ? [DECIDED(name), `launch ${name}`] : [`launch ${name}`, DECIDED(name)]),
  ...(status === "error" ? ["error: a tool failed"] : []),
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
    name: "an answer completes it",
    turn: { models: [[says("Hello.")]] },
    events: ["pass 0", "ask m", 'show "Hello."'],
    result: { status: "completed", ending: { kind: "completed" }, text: "Hello." },
  },
  {
    name: "an answer that its provider cut completes it, and says that it was cut",
    turn: { models: [[[text("Once upon"), end([], "length")]]] },
    events: ["pass 0", "ask m", 'show "Once upon"'],
    result: { status: "completed", ending: { kind: "completed", cut: true }, text: "Once upon" },
  },
  {
    name: "an answer after a tool completes it with both texts",
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
    name: "a model's failure after its first words ends it, with the words",
    turn: { models: [[[text("Half"), ...fails("network")]]] },
    events: ["pass 0", "ask m", 'show "Half"', "error: the model failed"],
    result: {
      status: "error",
      ending: { kind: "model_failed", reason: "network" },
      text: "Half",
      personaResponses: [],
    },
  },
  {
    name: "silence before the first token ends it as a timeout",
    turn: { models: [[[{ hang: true }]]] },
    ms: 300_000,
    events: ["pass 0", "ask m", "error: the model failed"],
    result: { status: "timeout", ending: { kind: "model_silent" }, text: "" },
  },
  {
    name: "silence after words ends it as a timeout, with the words",
    turn: { models: [[[text("So"), { hang: true }]]] },
    ms: 120_000,
    events: ["pass 0", "ask m", 'show "So"', "error: the model failed"],
    result: { status: "timeout", ending: { kind: "model_silent" }, text: "So", personaResponses: [] },
  },
  {
    name: "the third empty answer ends it as one",
    turn: { models: [[[end()], [text(" \n"), end()], [end()]]] },
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
    name: "a stop in the middle of the text ends it with the text",
    turn: { models: [[[text("Once upon"), { hang: true }]]] },
    play: (w) => w.stop("stop"),
    events: ["pass 0", "ask m", 'show "Once upon"'],
    result: { status: "stopped_by_user", ending: { kind: "stopped", by: "7" }, text: "Once upon" },
  },
  {
    name: "a kill in the middle of the text leaves what was posted",
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
    name: "a follow-up in the middle of the text leaves what was posted and remembers none of it as an answer",
    turn: { models: [[[text("Once"), { hang: true }]]] },
    play(w) {
      w.accept();
      w.stop("follow_up");
    },
    events: ["pass 0", "ask m", 'show "Once"'],
    result: { status: "follow_up_interrupt", ending: { kind: "follow_up" }, text: "Once", personaResponses: [] },
  },
  {
    name: "the turn's deadline ends it as a timeout, with the text",
    turn: { models: [[[text("Slow"), { hang: true }]]] },
    play: (w) => w.abort({ kind: "deadline" }),
    events: ["pass 0", "ask m", 'show "Slow"'],
    result: { status: "timeout", ending: { kind: "turn_deadline" }, text: "Slow" },
  },
  {
    name: "a stop beats a deadline that fires with it",
    turn: { models: [[[text("Slow"), { hang: true }]]] },
    play(w) {
      w.stop("stop");
      w.abort({ kind: "deadline" });
    },
    events: ["pass 0", "ask m", 'show "Slow"'],
    result: { status: "stopped_by_user", ending: { kind: "stopped", by: "7" } },
  },
  {
    name: "a deleted reply ends it with what had been posted",
    turn: { models: [[[text("Once"), { hang: true }]]] },
    play: (w) => w.abort({ kind: "gone" }),
    events: ["pass 0", "ask m", 'show "Once"'],
    result: { status: "stopped_by_user", ending: { kind: "gone" }, text: "" },
  },
  {
    name: "a terminal tool ends it, and without a word it says that it is done",
    turn: { models: [[calls("goodbye")]], tools: [goodbye] },
    events: ["pass 0", "ask m", ...callOf("goodbye", "")],
    result: { status: "completed", ending: { kind: "completed", wordless: true }, text: "" },
  },
  {
    name: "a tool of the short-term memory ends it when the answer was spoken before",
    turn: { models: [[[text("Noted."), end(["update_short_term_memory"])]]], tools: [memory] },
    events: ["pass 0", "ask m", 'show "Noted."', ...callOf("update_short_term_memory", "Noted.")],
    result: { status: "completed", ending: { kind: "completed" }, text: "Noted." },
  },
  {
    name: "any tool ends it for a novelai model that spoke before",
    turn: {
      models: [Object.assign([[text("I look."), end(["look"])]], { endsTurnAfterText: true as const })],
      tools: [look],
    },
    events: ["pass 0", "ask m", 'show "I look."', ...callOf("look", "I look.")],
    result: { status: "completed", ending: { kind: "completed" }, text: "I look." },
  },
  {
    name: "failures of tools in a row end it",
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
    name: "the last pass offers no tools, and what it says is the answer",
    turn: { models: [[calls("look"), says("My best.")]], tools: [look], limits: { maxIterations: 2 } },
    events: ["pass 0", "ask m", ...callOf("look", ""), 'show ""', "pass 1", "ask m", 'show "My best."'],
    result: { status: "timeout", ending: { kind: "iteration_limit" }, text: "My best." },
  },
  {
    name: "a call invented in the last pass is answered without running",
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
      'show "But"',
    ],
    result: { status: "timeout", ending: { kind: "iteration_limit" }, text: "But" },
  },
  {
    name: "a call without a name is the model's own failure",
    turn: { models: [[calls("look", "")]], tools: [look] },
    events: ["pass 0", "ask m", "answer look, ", "error: a call without a name"],
    result: { status: "error", ending: { kind: "model_failed", reason: "bad_stream" } },
  },
];

describe("an attempt", () => {
  it.each(exits)("$name", async ({ turn, play, ms = 0, events, result }) => {
    const w = createTurnHarness(turn);
    w.begin();
    await w.clock.advance(0);
    await play?.(w);
    expect(await w.end(ms)).toMatchObject(result);
    expect(w.events).toEqual(events);
  });

  it.each(
    ["refused", "context_too_long", "auth", "bad_stream", "content_blocked", "unknown"].map((reason) =>
      refused(reason),
    ),
  )("fails at once for the reason $name", async ({ name, ending }) => {
    const w = createTurnHarness({ models: [[fails(name as ModelFailureReason)]] });
    expect(await w.end()).toMatchObject({ status: "error", ending });
    expect(w.events).toEqual(["pass 0", "ask m", "error: the model failed"]);
  });

  it("that is superseded ends without another word or write", async () => {
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

  it("whose port breaks ends as crashed, with what was posted, and is logged once", async () => {
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

describe("a turn that nobody asked for", () => {
  it.each<[string, TurnOptions, number]>([
    ["an error", { models: [[fails("auth")]] }, 0],
    ["a timeout", { models: [[[{ hang: true }]]] }, 300_000],
    ["an empty answer", { models: [[[end()], [end()], [end()]]] }, 2000],
  ])("ends quietly with %s", async (_, turn, ms) => {
    const w = createTurnHarness({ ...turn, surface: false });
    expect((await w.end(ms)).ending.quiet).toBe(true);
  });

  it("shows no progress of its tools and no warning that it takes long", async () => {
    const rounds = Array.from({ length: 21 }, (_, index) => calls(["look", { note: String(index) }]));
    const w = createTurnHarness({ models: [[...rounds, says("Done.")]], tools: [look], surface: false });
    expect(await w.end()).toMatchObject({ status: "completed", text: "Done." });
    expect(w.events.filter((event) => event.includes("-#"))).toEqual([]);
    expect(w.turn().softWarnAt).toBeNull();
  });
});
