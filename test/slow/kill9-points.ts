// The points at which test/slow/kill9.test.ts ends the runtime: how a turn gets there, and what the receivers must have seen in
// the end. Each point is recognized by what is under way in Discord, the model or the tools' receiver, never by our own tables.
import { expect } from "vitest";
import type { ScriptStep } from "../../src/playground/model/script.ts";
import { type E2eChannel, type E2eWorld, MIRA, requestTexts, THEO, until } from "../support/e2e-harness.ts";
import type { Hold, Passing } from "../support/e2e-holds.ts";

/** Where a point is played. */
export interface Scene {
  world: E2eWorld;
  channel: E2eChannel;
}

/** One way to die, and the expected outcome. */
export interface Point {
  name: string;
  /** The model's answers in order, across all lives. */
  script: ScriptStep[];
  /** Resolves when the turn is at the point. */
  reach(scene: Scene): Promise<void>;
  /** The bot's messages at the end, as texts or as matchers. */
  answers: unknown[];
  /** Names of the tools that took effect, in order; none if left out. */
  effects?: string[];
  modelRequests: number;
  /** Where the recovery of the turn shows first. */
  recoversBy: "model" | "Discord";
  /** What else the receivers must have seen. */
  also?(scene: Scene): void;
}

const text = (words: string): ScriptStep => ({ chunks: [{ text: words }] });
const hanging = (words: string): ScriptStep => ({ chunks: [{ text: words }, { hang: true }] });
const calling = (...names: string[]): ScriptStep => ({
  chunks: names.map((name) => ({ call: { name, arguments: {} } })),
});

const toModel = ({ path }: Passing) => path.startsWith("/v1/");
const followUp = ({ method, path }: Passing) => method === "POST" && /\/webhooks\/\d+\/[^/]+$/.test(path);
// Recognized by their own content, because an edit that removes an older answer's buttons may still be on its way from the scene before.
const lastEdit = ({ method, body }: Passing) => method === "PATCH" && body.includes('"regenerate:');
const stoppedEdit = ({ method, body }: Passing) => method === "PATCH" && body.includes("Stopped by");
const effectOf =
  (tool: string) =>
  ({ path, body }: Passing) =>
    path === "/tool/effect" && body.startsWith(`${tool} `);

const ask = (channel: E2eChannel) => channel.say(THEO, "go on");

/** Theo asks, and Discord shows these first words. */
const showing =
  (words: string) =>
  async ({ channel }: Scene) => {
    await ask(channel);
    await until(words, () => channel.answers().at(-1)?.startsWith(words) ?? false);
  };

/** Theo asks, and this request is held. */
const holding =
  (hold: Hold) =>
  async ({ world, channel }: Scene) => {
    const held = world.hold(hold);
    await ask(channel);
    await until("the held request", held.isReached);
  };

/** More than fits into one message, with every line different. */
const LONG = Array.from({ length: 60 }, (_, index) => `Line ${index + 1} of an answer that is long.`).join("\n");
const IN_FILE = expect.stringMatching(/-# The full answer is in the attached file\.$/);

const wholeAnswerAttached = ({ channel }: Scene) => {
  const { attachments = [] } = channel.messages()[0] ?? {};
  expect(attachments).toMatchObject([{ filename: "answer.md", text: LONG }]);
};
const outcomeUnknown = ({ world }: Scene) =>
  expect(requestTexts(world).filter((line) => line.startsWith("tool: "))).toEqual([
    expect.stringContaining("outcome unknown"),
  ]);

/** Points of the model's answer and of tools: the turn continues, with a model call. */
export const midTurn: Point[] = [
  {
    name: "before the model's first byte",
    script: [text("Lost."), text("Said.")],
    reach: holding({ side: "after", matches: toModel }),
    answers: ["Said."],
    modelRequests: 2,
    recoversBy: "model",
  },
  {
    name: "in the middle of the text",
    script: [hanging("Half an ans"), text("Half an answer, and the rest.")],
    reach: showing("Half"),
    answers: ["Half an answer, and the rest."],
    modelRequests: 2,
    recoversBy: "model",
  },
  {
    name: "after a streamed tool call, before the end of the answer",
    script: [
      { chunks: [{ text: "Let me see." }, { call: { name: "count", arguments: {} } }, { hang: true }] },
      calling("count"),
      text("Seen."),
    ],
    reach: showing("Let me see."),
    answers: ["Seen."],
    effects: ["count"],
    modelRequests: 3,
    recoversBy: "model",
  },
  {
    name: "in a tool that only reads",
    script: [calling("read"), text("Read.")],
    reach: holding({ side: "after", matches: effectOf("read") }),
    answers: ["Read."],
    effects: ["read", "read"],
    modelRequests: 2,
    recoversBy: "model",
  },
  {
    name: "between launch and settling of a tool with a side effect, after the effect",
    script: [calling("count"), text("Unsure.")],
    reach: holding({ side: "after", matches: effectOf("count") }),
    answers: ["Unsure."],
    effects: ["count"],
    modelRequests: 2,
    recoversBy: "model",
    also: outcomeUnknown,
  },
  {
    name: "between launch and settling of a tool with a side effect, before the effect",
    script: [calling("count"), text("Unsure.")],
    reach: holding({ side: "before", matches: effectOf("count") }),
    answers: ["Unsure."],
    modelRequests: 2,
    recoversBy: "model",
    also: outcomeUnknown,
  },
  {
    name: "between launch and settling of an idempotent tool",
    script: [calling("put"), text("Put.")],
    reach: holding({ side: "after", matches: effectOf("put") }),
    answers: ["Put."],
    effects: ["put", "put"],
    modelRequests: 2,
    recoversBy: "model",
    // One call has one key, so that its receiver can drop the repetition.
    also: ({ world }) => expect(new Set(world.effects).size).toBe(1),
  },
  {
    name: "in the second tool of one answer, after the first is settled",
    script: [calling("count", "read"), text("Both.")],
    reach: holding({ side: "before", matches: effectOf("read") }),
    answers: ["Both."],
    effects: ["count", "read"],
    modelRequests: 2,
    recoversBy: "model",
  },
  {
    name: "in the second model call, after a tool",
    script: [calling("count"), hanging("Counted: o"), text("Counted: once.")],
    reach: showing("Counted"),
    answers: ["Counted: once."],
    effects: ["count"],
    modelRequests: 3,
    recoversBy: "model",
  },
  {
    name: "between the POST of a second message and the storing of its id, in mid-stream",
    script: [hanging(LONG), text(LONG)],
    reach: holding({ side: "after", matches: followUp }),
    answers: [IN_FILE, expect.stringContaining("Line ")],
    modelRequests: 2,
    recoversBy: "model",
    also: wholeAnswerAttached,
  },
  {
    name: "while a second message is queued",
    script: [hanging("First, h"), text("First, whole."), text("Second.")],
    async reach(scene) {
      await showing("First")(scene);
      await scene.channel.say(MIRA, "and I?");
      await until("the place", () => scene.channel.answers()[1]?.includes("number 1") ?? false);
    },
    answers: ["First, whole.", "Second."],
    modelRequests: 3,
    recoversBy: "model",
  },
];

/** Points of the final delivery: everything is decided, and no model is called again. */
export const finalDelivery: Point[] = [
  {
    name: "between the POST of a second message and the storing of its id, in the final delivery",
    script: [text(LONG)],
    reach: holding({ side: "after", matches: followUp }),
    answers: [IN_FILE, expect.stringContaining("Line ")],
    modelRequests: 1,
    recoversBy: "Discord",
    also: wholeAnswerAttached,
  },
  {
    name: "before the POST of a second message takes effect",
    script: [text(LONG)],
    reach: holding({ side: "before", matches: followUp }),
    answers: [IN_FILE],
    modelRequests: 1,
    recoversBy: "Discord",
    also: wholeAnswerAttached,
  },
  {
    name: "in the final edit, before it takes effect",
    script: [{ chunks: [{ text: "Nearly" }, { waitMs: 2000 }, { text: " done." }] }],
    reach: holding({ side: "before", matches: lastEdit }),
    answers: ["Nearly done."],
    modelRequests: 1,
    recoversBy: "Discord",
  },
  {
    name: "in the final edit, after its effect and before its answer",
    script: [{ chunks: [{ text: "Nearly" }, { waitMs: 2000 }, { text: " done." }] }],
    reach: holding({ side: "after", matches: lastEdit }),
    answers: ["Nearly done."],
    modelRequests: 1,
    recoversBy: "Discord",
  },
  {
    name: "after a click on Stop, before the reply is edited",
    script: [hanging("I would have gone on")],
    async reach(scene) {
      await showing("I would")(scene);
      const held = scene.world.hold({ side: "before", matches: stoppedEdit });
      await scene.channel.clickStop(THEO);
      await until("the held edit", held.isReached);
    },
    answers: [`I would have gone on\n\n-# Stopped by <@${THEO}>.`],
    modelRequests: 1,
    recoversBy: "Discord",
  },
];
