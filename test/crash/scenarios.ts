// The scenarios of the crash sweep; the fault sweep plays them too. A new one needs no further code.
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { callScenarios } from "./call-scenarios.ts";
import { mediaScenarios } from "./media-scenarios.ts";
import { messageScenarios } from "./message-scenarios.ts";
import { peopleScenarios } from "./people-scenarios.ts";
import { replyScenarios } from "./reply-scenarios.ts";
import { byQuestion, paragraphs, question, rounds, type Scenario, type Stage, shows, using } from "./scenario.ts";
import { taskScenarios } from "./task-scenarios.ts";

const { mira: MIRA, theo: THEO } = PEOPLE;

/** A day longer than the default of `keep_days`. */
const KEPT_MS = 31 * 86_400_000;
const long = paragraphs(8);
const veryLong = paragraphs(22);
const ask = (text: string) => (stage: Stage) => stage.say(THEO, text);

export const scenarios: Scenario[] = [
  {
    name: "a plain answer",
    answerTo: byQuestion({ hi: [{ texts: ["Hello ", "there."] }] }),
    play: ask("hi"),
    full: { hi: "Hello there." },
  },
  ...["read", "put", "count"].map(
    (tool): Scenario => ({
      name: `a turn with the tool ${tool}`,
      answerTo: byQuestion({ go: [{ texts: ["Let me see."], ...using(tool) }, { texts: ["Done."] }] }),
      play: ask("go"),
      full: { go: "Let me see.\n\nDone." },
      effects: tool === "count" ? 1 : 0,
    }),
  ),
  {
    name: "a turn with tools that make pictures",
    answerTo: byQuestion({
      go: [
        { texts: ["Let me draw."], calls: ["one", "two"].map((note) => ({ name: "draw", args: { note } })) },
        { calls: [{ name: "count" }] },
        { texts: ["Done."] },
      ],
    }),
    play: ask("go"),
    full: { go: "Let me draw.\n\nDone." },
    files: { go: ["one.png", "two.png"] },
    effects: 1,
  },
  ...callScenarios,
  {
    name: "a tool that answers people itself and ends the turn",
    answerTo: byQuestion({
      go: [{ texts: ["Here it is."], ...using("read", "announce") }, { texts: ["Was it posted?"] }],
    }),
    play: ask("go"),
    full: { go: "Here it is." },
    fullWhenInterrupted: { go: "Here it is.\n\nWas it posted?" },
    effects: 1,
  },
  {
    name: "a tool that adds to what the model sees",
    answerTo(request) {
      if (!question(request).endsWith("\ngo")) return { texts: ["fine"] };
      if (!request.tools.some(({ name }) => name === "peek")) return { texts: ["I see."] };
      const peek = { name: "peek", args: { note: "As it was seen:\ngo" } };
      return { texts: ["Let me look."], calls: [peek, { name: "count" }] };
    },
    play: ask("go"),
    full: { go: "Let me look.\n\nI see." },
    effects: 1,
  },
  {
    name: "a tool that stays offered for one more turn in deliberate mode",
    answerTo(request) {
      const text = question(request);
      const offered = request.tools.map(({ name }) => name).join(", ") || "nothing";
      if (text.endsWith("\nafter that")) return { texts: ["fine"] };
      if (!text.endsWith("\nroll a d6")) return { texts: [`Offered: ${offered}.`] };
      return rounds(request) > 0
        ? { texts: ["Rolled."] }
        : { calls: [{ name: "roll_dice", args: { notation: "1d6" } }] };
    },
    async play(stage) {
      const { discord, channelId: channel } = stage.world;
      const set = (subcommand: string, options: Record<string, string | number>) =>
        discord.interact({ kind: "command", as: MIRA, channel, name: "deliberate", subcommand, options });
      await set("mode", { state: "on" });
      await set("context", { turns: 1 });
      await stage.say(THEO, "roll a d6");
      await stage.seen(shows(stage.world, "Rolled."));
      await stage.say(MIRA, "nice");
      await stage.seen(shows(stage.world, "Offered"));
      await stage.say(THEO, "well");
    },
    full: { "roll a d6": "Rolled.", nice: "Offered: roll_dice.", well: "Offered: nothing." },
  },
  {
    name: "a turn with a remote tool",
    answerTo: byQuestion({ go: [using("remote_send"), { texts: ["Done."] }] }),
    play: ask("go"),
    full: { go: "Done." },
    effects: 1,
    variables: { MCP_SERVERS: '[{"id":"remote","url":"http://127.0.0.1/mcp"}]' },
  },
  {
    name: "a reminder that is set and comes later",
    answerTo: byQuestion({
      go: [{ calls: [{ name: "set_reminder", args: { text: "tea", when: "in 1 minute" } }] }, { texts: ["Set."] }],
    }),
    async play(stage) {
      await stage.say(THEO, "go");
      await stage.seen(shows(stage.world, "⏰ Reminder"));
    },
    full: { go: "Set." },
    reminders: 1,
    variables: { DISCORD_BOT_TOKEN: APPLICATION.botToken },
  },
  {
    name: "a scene with two voices",
    answerTo({ system }) {
      const name = /You speak as (\w+)/.exec(system)?.[1];
      return { texts: [name ? `${name} speaks.` : "fine"] };
    },
    async play({ world: { discord, channelId: channel } }) {
      const use = (name: string, options: Record<string, string>, subcommand?: string) =>
        discord.interact({ kind: "command", as: MIRA, channel, name, options, ...(subcommand && { subcommand }) });
      for (const name of ["Ada", "Bob"]) await use("persona", { name, prompt: "Be brief." }, "create");
      await use("scene", { personas: "Ada, Bob", prompt: "talk" });
    },
    full: {},
    voices: { Ada: "Ada speaks.", Bob: "Bob speaks." },
    variables: { DISCORD_BOT_TOKEN: APPLICATION.botToken },
  },
  {
    name: "several calls in one answer, then another step",
    answerTo: byQuestion({ go: [using("read", "count", "put", "count"), using("count"), { texts: ["All done."] }] }),
    play: ask("go"),
    full: { go: "All done." },
    effects: 3,
  },
  {
    name: "a long answer in several messages",
    answerTo: byQuestion({ long: [{ texts: long }] }),
    play: ask("long"),
    full: { long: long.join("") },
  },
  {
    name: "an answer too long for messages",
    answerTo: byQuestion({ "very long": [{ texts: veryLong }] }),
    play: ask("very long"),
    full: { "very long": veryLong.join("") },
  },
  {
    name: "two people, one after the other",
    answerTo: byQuestion({ first: [using("count"), { texts: ["One."] }], second: [{ texts: ["Two."] }] }),
    async play(stage) {
      await stage.say(THEO, "first");
      await stage.say(MIRA, "second");
    },
    full: { first: "One.", second: "Two." },
    effects: 1,
  },
  {
    name: "a follow-up that interrupts",
    answerTo: byQuestion({ story: [{ texts: ["Once upon a time"], hang: true }], wait: [{ texts: ["I wait."] }] }),
    async play(stage) {
      await stage.say(THEO, "story");
      await stage.seen(shows(stage.world, "Once upon"));
      await stage.say(THEO, "wait");
    },
    full: { story: "Once upon a time", wait: "I wait." },
    mayEndEarly: ["story"],
  },
  {
    name: "two follow-ups during a tool chain",
    answerTo: byQuestion({
      work: [using("slow"), { texts: ["Worked."] }],
      also: [{ texts: ["Also."] }],
      rather: [{ texts: ["Rather."] }],
    }),
    async play(stage) {
      await stage.say(THEO, "work");
      await stage.seen(shows(stage.world, "Using"));
      await stage.say(THEO, "also");
      await stage.say(THEO, "rather");
      await stage.clickStop(THEO, "work");
    },
    full: { work: "Worked.", also: "Also.", rather: "Rather." },
    mayEndEarly: ["work", "also"],
  },
  {
    name: "a stop while the model writes",
    answerTo: byQuestion({ story: [{ texts: ["Once ", "upon ", "a time"], hang: true }] }),
    async play(stage) {
      await stage.say(THEO, "story");
      await stage.seen(shows(stage.world, "Once"));
      await stage.clickStop(THEO, "story");
    },
    full: { story: "Once upon a time" },
    mayEndEarly: ["story"],
  },
  {
    name: "a stop while a tool runs",
    answerTo: byQuestion({
      work: [{ texts: ["Working."], ...using("count", "slow", "count") }, { texts: ["Worked."] }],
    }),
    async play(stage) {
      await stage.say(THEO, "work");
      await stage.seen(shows(stage.world, "`slow`"));
      await stage.use(THEO, "stop");
    },
    full: { work: "Working.\n\nWorked." },
    mayEndEarly: ["work"],
    maxEffects: 2,
  },
  {
    name: "a kill with a queue",
    answerTo: byQuestion({ work: [using("slow"), { texts: ["Worked."] }], second: [{ texts: ["Two."] }] }),
    async play(stage) {
      await stage.say(THEO, "work");
      await stage.seen(shows(stage.world, "Using"));
      await stage.say(MIRA, "second");
      await stage.use(MIRA, "bot kill");
    },
    full: { work: "Worked.", second: "Two." },
    mayEndEarly: ["work", "second"],
  },
  {
    name: "a waiting message that is taken back",
    answerTo: byQuestion({ work: [using("slow"), { texts: ["Worked."] }], second: [{ texts: ["Two."] }] }),
    async play(stage) {
      await stage.say(THEO, "work");
      await stage.seen(shows(stage.world, "Using"));
      await stage.say(MIRA, "second");
      await stage.seen(shows(stage.world, "Waiting"));
      await stage.clickStop(MIRA, "second");
      await stage.use(MIRA, "stop");
    },
    full: { work: "Worked.", second: "Two." },
    mayEndEarly: ["work", "second"],
  },
  {
    name: "the step limit",
    answerTo: (request) => {
      if (request.toolChoice === "none") return { texts: ["My best."] };
      return question(request).endsWith("\nrun") ? using("count") : { texts: ["fine"] };
    },
    play: ask("run"),
    full: { run: "My best." },
    mayEndEarly: ["run"],
    maxEffects: 3,
    config: { maxIterations: 3 },
  },
  {
    name: "tools that keep failing",
    answerTo: byQuestion({ go: [using("broken")] }),
    play: ask("go"),
    full: { go: "" },
    mayEndEarly: ["go"],
    config: { maxConsecutiveToolErrors: 2 },
  },
  {
    name: "read-only calls that run together, with others between them",
    answerTo: byQuestion({ go: [using("read", "read", "count", "read", "put", "read"), { texts: ["All done."] }] }),
    play: ask("go"),
    full: { go: "All done." },
    effects: 1,
  },
  {
    name: "a fallback to a second model after a tool has run",
    models: 2,
    answerTo(request, model) {
      if (!question(request).endsWith("\ngo")) return { texts: ["fine"] };
      if (rounds(request) === 0)
        return { texts: [model === 0 ? "First try." : "Second try."], ...using("count", "read") };
      return model === 0 ? { texts: ["Half an"], fails: "overloaded" } : { texts: ["Answered."] };
    },
    play: ask("go"),
    full: { go: "Second try.\n\nAnswered." },
    endings: { go: "-# answered by scripted 2" },
    // The second model asks for the same effect again and is answered from the ledger.
    effects: 1,
  },
  {
    name: "a month in which no one speaks, and what was said and the storage go",
    answerTo(request) {
      if (question(request).endsWith("\ngo")) return rounds(request) > 0 ? { texts: ["Done."] } : using("count");
      if (!question(request).endsWith("\nwhat?")) return { texts: ["fine"] };
      return { texts: [request.messages.length === 1 ? "Nothing." : "Something."] };
    },
    async play(stage) {
      await stage.say(THEO, "go");
      await stage.seen(shows(stage.world, "Done."));
      await stage.seen(() => false);
      await stage.pass(KEPT_MS);
      await stage.say(THEO, "what?");
    },
    full: { go: "Done.", "what?": "Nothing." },
    effects: 1,
  },
  {
    name: "a month in which no one speaks, after which only a memory is left",
    answerTo(request) {
      if (question(request).endsWith("\ngo"))
        return rounds(request) > 0
          ? { texts: ["Noted."] }
          : { calls: [{ name: "remember", args: { text: "Theo drinks tea." } }] };
      if (!question(request).endsWith("\nwhat?")) return { texts: ["fine"] };
      if (rounds(request) === 0) return { calls: [{ name: "recall", args: {} }] };
      const found = JSON.stringify(request.messages).includes("drinks tea");
      return { texts: [found && request.messages.length < 4 ? "Only tea." : "Something else."] };
    },
    async play(stage) {
      await stage.say(THEO, "go");
      await stage.seen(shows(stage.world, "Noted."));
      await stage.seen(() => false);
      await stage.pass(KEPT_MS);
      await stage.say(THEO, "what?");
    },
    full: { go: "Noted.", "what?": "Only tea." },
  },
  {
    name: "a model that says nothing",
    answerTo: byQuestion({ go: [{ texts: ["<think>hm</think>"] }] }),
    play: ask("go"),
    full: { go: "" },
    mayEndEarly: ["go"],
  },
  {
    name: "a model that fails",
    answerTo: byQuestion({ go: [{ texts: ["Begin"], fails: "overloaded" }] }),
    play: ask("go"),
    full: { go: "Begin" },
    mayEndEarly: ["go"],
  },
  ...peopleScenarios,
  ...replyScenarios,
  ...messageScenarios,
  ...taskScenarios,
  ...mediaScenarios,
  ...approvals([
    ["that is approved", (stage) => stage.decide(THEO, "go", "Approve")],
    ["that is denied", (stage) => stage.decide(MIRA, "go", "Deny")],
    [
      "that is approved twice and then denied",
      async (stage) => {
        await stage.decide(THEO, "go", "Approve");
        await stage.decide(MIRA, "go", "Approve");
        await stage.decide(MIRA, "go", "Deny");
      },
    ],
    ["that expires", (stage) => stage.expire()],
    [
      "that is approved as it expires",
      async (stage) => void (await Promise.all([stage.decide(THEO, "go", "Approve"), stage.expire()])),
    ],
    [
      "that is approved while another person is answered",
      async (stage) => {
        await stage.say(MIRA, "meanwhile");
        await stage.decide(THEO, "go", "Approve");
      },
    ],
    ["that is stopped", (stage) => stage.use(THEO, "stop")],
  ]),
];

/** A turn that is parked because of a dangerous call, and what people do about it. */
function approvals(stories: [how: string, decide: (stage: Stage) => Promise<void>][]): Scenario[] {
  return stories.map(([how, decide]) => ({
    name: `a dangerous call ${how}`,
    answerTo: byQuestion({
      go: [{ texts: ["I could."], ...using("purge") }, { texts: ["That was it."] }],
      meanwhile: [{ texts: ["Here I am."] }],
    }),
    async play(stage) {
      await stage.say(THEO, "go");
      await stage.seen(shows(stage.world, "needs approval"));
      await decide(stage);
    },
    full: { go: "I could.\n\nThat was it.", meanwhile: "Here I am." },
    ...(/approved(?! as)/.test(how) ? { effects: 1 } : { maxEffects: 1 }),
    ...(how === "that is stopped" && { mayEndEarly: ["go"] }),
  }));
}
