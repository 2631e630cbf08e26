// Sample arguments for every sentence of src/core/copy. The records are typed by what they sample, so that a new ending, refusal or
// fault does not compile until it has a sample.
import type { Ending, ModelFailureReason } from "../../../src/core/state/ending.ts";
import type { InstallContext } from "../../../src/core/state/install-context.ts";
import type { Persona, PersonaFault } from "../../../src/core/state/persona.ts";
import type { ApprovalAnswer, Refusal, ResumeAnswer, StatusReport, StopAnswer } from "../../../src/core/state/rpc.ts";
import { accessSamples } from "./access-samples.ts";
import { deliberateSamples } from "./deliberate-samples.ts";
import { inspectorSamples } from "./inspector-samples.ts";
import { laptopSamples } from "./laptop-samples.ts";
import { privacySamples } from "./privacy-samples.ts";
import { settingsSamples } from "./settings-samples.ts";
import { traceSamples } from "./trace-samples.ts";

type By<Union, Key extends keyof Union> = {
  [Value in Union[Key] & string]: readonly Extract<Union, Record<Key, Value>>[];
};
const all = (record: Readonly<Record<string, readonly unknown[]>>): unknown[] => Object.values(record).flat();
const one = (values: readonly unknown[]): [unknown][] => values.map((value) => [value]);

const USER = "1180000000000000022";
const AT = 1_900_000_000_000;
const spent = { of: "user", unit: "turns", limit: 10, resetsAt: AT } as const;
const spentMoney = { of: "channel", unit: "microUsd", limit: 2_500_000, resetsAt: AT } as const;
const spentBefore = { ...spentMoney, hasReset: true } as const;
const spentByAll = { of: "channel", unit: "tokens", limit: 50_000, resetsAt: AT } as const;

const reasons: Record<ModelFailureReason, true> = {
  rate_limited: true,
  overloaded: true,
  refused: true,
  context_too_long: true,
  auth: true,
  network: true,
  bad_stream: true,
  content_blocked: true,
  no_credit: true,
  no_model: true,
  no_tools: true,
  bad_call: true,
  unreachable: true,
  timeout: true,
  aborted: true,
  unknown: true,
};

const NO_FILES = { skipped: [], unseen: [], unread: [] };

/** How a turn can end. */
const endings: Record<Ending["kind"], readonly Ending[]> = {
  completed: [
    { kind: "completed", by: "a second model" },
    { kind: "completed", cut: true },
    { kind: "completed", wordless: true },
    { kind: "completed", near: { of: "user", unit: "turns", limit: 10, used: 8 } },
    { kind: "completed", files: { skipped: ["a.zip"], unseen: ["b.png"], unread: ["c.txt", "d.txt"] } },
    { kind: "completed", files: { ...NO_FILES, unheard: ["a.ogg"], misheard: ["b.ogg", "c.mp3"], shortened: ["d"] } },
  ],
  gone: [{ kind: "gone" }],
  access_refused: [{ kind: "access_refused", refusal: { reason: "limit_unchecked" } }],
  stopped: [
    { kind: "stopped", by: USER },
    { kind: "stopped", by: "" },
  ],
  follow_up: [{ kind: "follow_up" }],
  model_failed: Object.keys(reasons).map((reason) => ({ kind: "model_failed", reason: reason as ModelFailureReason })),
  model_silent: [{ kind: "model_silent" }],
  turn_deadline: [{ kind: "turn_deadline" }],
  iteration_limit: [{ kind: "iteration_limit" }],
  budget_spent: [
    { kind: "budget_spent", ...spent },
    { kind: "budget_spent", ...spentByAll },
    ...(["user", "server", "deployment"] as const).map(
      (of) => ({ kind: "budget_spent", ...spentMoney, of, isHeld: true }) as const,
    ),
  ],
  tool_errors: [{ kind: "tool_errors" }],
  call_loop: [{ kind: "call_loop", tool: "roll_dice" }],
  empty: [{ kind: "empty" }],
  interrupted: [{ kind: "interrupted" }],
  crashed: [{ kind: "crashed" }],
  cleared: [{ kind: "cleared", by: USER }],
  taken_back: [{ kind: "taken_back", by: USER }],
  superseded: [{ kind: "superseded" }],
  steered: [{ kind: "steered" }],
};

const refusals: Record<Refusal["reason"], readonly Refusal[]> = {
  queue_full: [
    { reason: "queue_full", limit: 0 },
    { reason: "queue_full", limit: 10 },
  ],
  user_share_full: [
    { reason: "user_share_full", limit: 1 },
    { reason: "user_share_full", limit: 3 },
  ],
  stop_pending: [{ reason: "stop_pending" }],
  no_access: [{ reason: "no_access", forMs: 300_000 }],
  scene_size: [{ reason: "scene_size", limit: 5 }],
  unknown_persona: [{ reason: "unknown_persona", name: "Zed", known: ["Ada", "Bob"] }],
  unavailable: [{ reason: "unavailable" }],
  not_yours: [{ reason: "not_yours" }],
  asked_again: [{ reason: "asked_again" }],
  not_theirs: [{ reason: "not_theirs" }],
  not_newest: [{ reason: "not_newest" }],
  unfinished: [{ reason: "unfinished" }],
  forgotten: [{ reason: "forgotten" }],
  denied: [{ reason: "denied" }],
  not_listed: [{ reason: "not_listed" }],
  budget_spent: [
    { reason: "budget_spent", ...spent },
    { reason: "budget_spent", ...spentMoney },
  ],
  too_often: [
    { reason: "too_often", limit: 1, againAt: AT },
    { reason: "too_often", limit: 5, againAt: AT },
  ],
  too_long_for_model: [{ reason: "too_long_for_model", model: "small", tokens: 900, limit: 600 }],
};

const stops: By<StopAnswer, "result"> = {
  stopped: (["running", "queued", "parked"] as const).map((what, cleared) => ({
    result: "stopped",
    ofUserId: USER,
    what,
    cleared,
  })),
  cleared_queue: [{ result: "cleared_queue", cleared: 3 }],
  already_finished: [{ result: "already_finished" }],
  nothing_to_stop: [{ result: "nothing_to_stop" }],
  not_allowed: [{ result: "not_allowed" }],
};

const approvals: Record<ApprovalAnswer["result"], readonly ApprovalAnswer[]> = {
  approved: [{ result: "approved" }],
  denied: [{ result: "denied" }],
  already_decided: (["approved", "denied", "expired"] as const).map((as) => ({ result: "already_decided", as })),
  nothing_asked: [{ result: "nothing_asked" }],
  kept_out: [{ result: "kept_out" }],
  moderators_only: [{ result: "moderators_only" }, { result: "moderators_only", hasApprovers: true }],
  owners_only: [{ result: "owners_only" }],
  not_allowed: [{ result: "not_allowed" }],
};

const resumes: By<ResumeAnswer, "result"> = {
  goes_on: [{ result: "goes_on" }],
  complete: [{ result: "complete" }],
  forgotten: [{ result: "forgotten" }],
};

const personaFaults: By<PersonaFault, "fault"> = {
  name_length: [{ fault: "name_length", limit: 80 }],
  name_characters: [{ fault: "name_characters" }],
  name_forbidden: [{ fault: "name_forbidden", word: "clyde" }],
  prompt_length: [{ fault: "prompt_length", limit: 4000 }],
  avatar: [{ fault: "avatar" }],
  nothing_given: [{ fault: "nothing_given" }],
  exists: [{ fault: "exists", name: "Ada" }],
  unknown: [
    { fault: "unknown", name: "Zed", known: [] },
    { fault: "unknown", name: "Zed", known: ["Ada", "Bob"] },
  ],
  of_parent: [{ fault: "of_parent", name: "Ada" }],
  too_many: [{ fault: "too_many", limit: 25 }],
};

const ada: Persona = { name: "Ada", prompt: `You are Ada, ${"and you count. ".repeat(5)}`, avatarUrl: null };

const places: InstallContext[] = [
  { kind: "server", isMember: true },
  { kind: "server", isMember: false },
  { kind: "own_dm" },
  { kind: "private_channel" },
];

const phases = ["planning", "streaming", "tools", "parked", "finishing"] as const;
const runs = (running: Partial<NonNullable<StatusReport["running"]>>): StatusReport => ({
  running: {
    userId: USER,
    phase: "tools",
    iteration: 2,
    maxIterations: 100,
    tool: { name: "fetch_url", forMs: 4000 },
    elapsedMs: 61_000,
    deadlineInMs: 3_500_000,
    stopping: false,
    ...running,
  },
  queue: [USER],
  parked: [USER],
  approvals: [{ tool: "pin_message", expiresInMs: 120_000 }],
  window: { roll_dice: 1, fetch_url: 3 },
});

/** The arguments of each call, by file and function name. */
export const samples: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  "budgets.spentText": one([spent, spentByAll, spentMoney, spentBefore, { ...spentBefore, per: "month" }]),
  "budgets.nearText": one([
    { ...spent, used: 8 },
    { ...spentByAll, used: 42_000 },
    { ...spentMoney, used: 2_012_345 },
  ]),
  "budgets.tooOftenText": [[5, AT]],
  "control-answers.resumeText": one(all(resumes)),
  "control-answers.deletedText": [
    [0, true],
    [1, true],
    [3, false],
  ],
  "control-answers.stopText": one(all(stops)),
  "control-answers.approvalText": one(all(approvals)),
  ...deliberateSamples,
  "durations.seconds": one([4000, 300_000]),
  "durations.fromNow": [[AT]],
  "endings.endingNotice": one(all(endings)),
  "endings.refusedText": one(all(endings)),
  "files.fileNotices": one([{ skipped: ["a.zip"], unseen: ["b.png"], unread: ["c.txt", "d.txt"] }]),
  "files.filesLeftOut": one([[], ["picture-1.png"], ["a.wav", "b.pdf"]]),
  "files.filesRefused": one([["picture-1.png"], ["a.wav", "b.pdf"]]),
  "gateway.gatewayStatusText": one(["connected", { refused: "bad_token" }]),
  "gateway.gatewayLine": one(["connected", "resuming", "unknown", "off", { refused: "disallowed_intents" }]),
  "install-context.missingIn": places.flatMap((place) => [
    [place, true],
    [place, false],
  ]),
  ...accessSamples,
  ...privacySamples,
  "money.moneyText": one([0, 1, 99, 100, 12_345, 999_999, 1_234_567]),
  "money.limitText": one([5_000_000, 500_000, 1]),
  "sources.sourceLines": one([Array(17).fill({ url: "https://a.example/(x)", host: "a.example", title: "The [x]" })]),
  "notices.reminderLine": [
    [{ text: "water the plants", dueAt: AT }, USER],
    [{ text: "water the plants", dueAt: AT, task: { number: 3, every: "every weekday at 9 (Europe/Berlin)" } }, USER],
  ],
  "catch-up.nothingMissed": [[null], [1], [5], [168]],
  "notices.person": one([USER]),
  "notices.taskPaused": one([3]),
  "notices.callText": [["pin_message", { message: "ref_1" }]],
  "notices.voucher": one([true, false]),
  "notices.say.waiting": [
    [1, []],
    [2, [USER]],
  ],
  "notices.say.scene": one([["Ada", "Bob"]]),
  "notices.say.remindedInPrivate": one(["2"]),
  "notices.say.aboutMessage": one(["https://discord.com/channels/1/2/3"]),
  "notices.say.answersInThread": one([USER]),
  "notices.say.noThread": one(["there are no threads outside servers"]),
  "notices.say.answerReady": one([USER]),
  "notices.say.answerEnded": one([USER]),
  "notices.say.usingTool": [["roll_dice", AT]],
  "notices.say.approvalWanted": [
    [USER, { summary: "pin_message", link: "https://discord.com/channels/1/2/3" }, false, 600_000],
    [USER, { summary: "wiki_delete with …", byModerator: true, isCut: true }, true, 600_000],
    [USER, { summary: "purge", byModerator: true }, null, 600_000],
    [USER, { summary: 'fetch_url with url = "https://example.com/"', isSuspect: true }, false, 600_000],
  ],
  "quotes.questionLine": one(["What is *this*?\nTell me."]),
  "quotes.heardLine": one(["What is *this*?\nTell me."]),
  "quotes.quoteLines": one(["one\ntwo"]),
  "quotes.forwardedText": one(["The train leaves at noon."]),
  "quotes.repliedToText": one([
    [{ author: "Mira", text: "Tea or coffee?" }],
    [
      { author: "Theo", text: "x".repeat(2500) },
      { author: "Mira", text: "Tea or coffee?" },
    ],
  ]),
  "notices.say.askAbout": one(["Mira"]),
  "notices.say.notConfigured": one([["OPENAI_API_KEY is missing"]]),
  "notices.say.unknownCommand": one(["dance"]),
  "notices.say.messageTooLong": one([6000]),
  "notices.say.fileTooLarge": [["a.txt", 10_485_760]],
  "notices.say.moderatorsOnly": one(["bot reset"]),
  "notices.say.managersOnly": one(["config set"]),
  "notices.say.visitorsCannot": one(["config set"]),
  "changes.changeText.settingRefused": one(["`notices` must be true or false."]),
  "changes.changeText.settingNeedsServer": one(["allow_roles"]),
  "changes.changeText.settingNeedsBotToken": one(["thought_log_channel"]),
  "changes.changeText.settingNeedsMembership": one(["thought_log_channel"]),
  "changes.changeText.reset": [[0], [1, 1], [12, 3]],
  "connections.connectionText.begun": [["wiki", "server"]],
  "connections.connectionText.connected": [["wiki", "outside"]],
  "connections.connectionText.disconnected": [["wiki"]],
  "connections.connectionText.notConnected": [["wiki"]],
  "connections.connectionText.listed": [
    ["wiki", true],
    ["wiki", false],
    ["wiki", false, "https://mcp.example.com/mcp"],
    ["wiki", null, `https://mcp.example.com/${"path/".repeat(20)}`],
  ],
  "connections.addedServerText.added": [["wiki"]],
  "connections.addedServerText.removed": [["wiki"]],
  "connections.connectionFaultText": [
    ["no_key", undefined],
    ["no_server", undefined],
    ["fixed", undefined],
    ["stale", undefined],
    ["provider", undefined],
    ["provider", "the authorization server gave no permission"],
    ["wrong_code", undefined],
    ["bad_name", undefined],
    ["taken", undefined],
    ["bad_address", "it is not https"],
    ["full", undefined],
    ["not_added", undefined],
  ],
  "connections.consentPage.code": [["wiki"]],
  "reminders.remindersText": one([
    [],
    Array.from({ length: 17 }, (_, n) => ({ number: n + 1, userId: USER, text: "water the plants", dueAt: AT })),
    [{ number: 1, userId: USER, text: "water the plants", dueAt: AT, every: "every weekday at 9 (Europe/Berlin)" }],
    [{ number: 1, userId: USER, text: "water the plants", dueAt: AT, every: "every 2 hours", isPaused: true }],
  ]),
  "reminders.cancelText": [
    ["cancelled", 3],
    ["not_found", 3],
    ["not_yours", 3],
  ],
  "personas.personaFaultText": one(all(personaFaults)),
  "unknown-persona.quoted": [["Ada"]],
  "unknown-persona.unknownPersona": one([
    { name: "Ada", known: [] },
    { name: "Ada", known: ["Bob"] },
  ]),
  "persona-list.personaChangedText": [
    ["create", ada],
    ["edit", ada],
    ["delete", ada],
    ["use", ada],
    ["use", null],
  ],
  "persona-list.personasText": [
    [[], null],
    [[ada], "Ada"],
    [[ada], null],
  ],
  "refusals.refusalText": one(all(refusals)),
  "refusals.refusalForAsker": [[{ reason: "denied" }, "10"]],
  "refusals.textForAsker": [["Ask again tomorrow.", "10"]],
  ...inspectorSamples,
  ...laptopSamples,
  ...settingsSamples,
  "compaction.summarizedText": one([1, 34]),
  "compaction.summaryHead": one([null, { messages: 34, at: 1_900_000_000_000 }]),
  "compaction.compactionText": one([
    { result: "nothing" },
    { result: "planned", messages: 1 },
    { result: "planned", messages: 34 },
    { result: "spent", limit: { of: "channel", unit: "tokens", limit: 1000, resetsAt: 1_900_000_000_000 } },
  ]),
  "status.statusText": one([
    { running: null, queue: [], parked: [] },
    ...phases.map((phase) => runs({ phase, tool: null })),
    runs({ stopping: true }),
  ]),
  ...traceSamples,
};
