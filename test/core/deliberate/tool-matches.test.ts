// Which tools a message asks for, whose trigger matched, and what "do that again" refers to.
import { describe, expect, it } from "vitest";
import {
  type AskingMessage,
  type EarlierMessage,
  fileTriggers,
  toolsAskedFor,
  triggerSet,
} from "../../../src/core/deliberate/tool-matches.ts";
import type { CustomTrigger } from "../../../src/core/deliberate/trigger-phrases.ts";

const phrase = (tool: string, text: string): CustomTrigger => ({ tool, kind: "phrase", text });
const set = [
  ...triggerSet("custom", [phrase("roll_dice", "fate")]),
  ...triggerSet("built-in", [phrase("roll_dice", "roll"), phrase("web_search", "google"), phrase("recall", "^")]),
  ...fileTriggers([{ tool: "view_image", type: "image/", label: "an attached image" }]),
];
const message = (text: string, more: Partial<AskingMessage> = {}): AskingMessage => ({
  text,
  attachments: [],
  earlier: () => [],
  retained: [],
  ...more,
});
const asked = (text: string, more: Partial<AskingMessage> = {}) =>
  toolsAskedFor(
    set.filter(({ match }) => match.toolName !== "recall"),
    message(text, more),
  );
const said = (text: string, ...tools: string[]): EarlierMessage => ({ text, tools });

describe("a message", () => {
  it("exposes each tool once, by its first matching trigger, the channel's own triggers first", () => {
    expect(asked("google it, then roll the fate")).toEqual([
      { toolName: "roll_dice", trigger: "fate", source: "custom" },
      { toolName: "web_search", trigger: "google", source: "built-in" },
    ]);
  });

  it("exposes nothing if it asks for nothing, except a tool that is available on every turn", () => {
    expect(asked("hello")).toEqual([]);
    expect(toolsAskedFor(set, message("hello"))).toEqual([{ toolName: "recall", trigger: "^", source: "built-in" }]);
  });

  it("exposes the image tool if an image is attached, and nothing for another file", () => {
    expect(asked("hm", { attachments: [{ contentType: "text/plain" }, { contentType: null }] })).toEqual([]);
    expect(asked("hm", { attachments: [{ contentType: "image/png" }] })).toEqual([
      { toolName: "view_image", trigger: "an attached image", source: "built-in" },
    ]);
  });

  it("keeps a tool in the window exposed, and matching words take precedence over the window", () => {
    expect(asked("roll", { retained: ["roll_dice", "recall"] })).toEqual([
      { toolName: "recall", trigger: "used recently", source: "follow-up" },
      { toolName: "roll_dice", trigger: "roll", source: "built-in" },
    ]);
  });

  it("leaves out a stored trigger that breaks the rules", () => {
    const broken = triggerSet("custom", [{ tool: "recall", kind: "pattern", text: "(a+)+" }]);
    expect(broken).toEqual([]);
  });
});

describe("follow-up wording", () => {
  it.each([
    "do that again",
    "Do it again, please!",
    "again",
    "once more",
    "please try again",
    "same again",
    "another one",
    "that one but bigger",
    "use it",
    "do the same with 3d8",
    "nochmal",
    "bitte noch einmal",
    "再来一次",
    "もう一回",
  ])("%s refers to an earlier message", (text) => {
    expect(asked(text, { earlier: () => [said("google that")] })).toEqual([
      { toolName: "web_search", trigger: text, source: "follow-up" },
    ]);
  });

  it.each([
    "I lost my keys again",
    "never again will I eat there",
    "that's another story",
    "one more thing about the party: bring cake",
    "do you use it at work?",
    "the same goes for me",
  ])("%s does not", (text) => {
    expect(asked(text, { earlier: () => [said("google that")] })).toEqual([]);
  });

  it("refers to the newest message that asked for tools, or answer that used some, and to none older", () => {
    const earlier = [said("nice"), said("Rolled.", "roll_dice"), said("google that")];
    expect(asked("do that again", { earlier: () => earlier }).map(({ toolName }) => toolName)).toEqual(["roll_dice"]);
  });

  it("reaches back eight messages but not nine", () => {
    const behind = (count: number) => [...Array.from({ length: count }, () => said("hm")), said("google that")];
    expect(asked("again", { earlier: () => behind(7) })).toHaveLength(1);
    expect(asked("again", { earlier: () => behind(8) })).toEqual([]);
  });

  it("reads no earlier message if the wording is different", () => {
    const earlier = () => {
      throw new Error("looked back");
    };
    expect(asked("roll", { earlier })).toHaveLength(1);
  });
});
