// Sentences with a count, a length of time or a size: their singular and plural, and where a unit or a form changes.
import { describe, expect, it } from "vitest";
import { nothingMissed } from "../../../src/core/copy/catch-up.ts";
import { changeText } from "../../../src/core/copy/changes.ts";
import { summaryHead } from "../../../src/core/copy/compaction.ts";
import { approvalText, deletedText } from "../../../src/core/copy/control-answers.ts";
import { seconds } from "../../../src/core/copy/durations.ts";
import { gatewayLine } from "../../../src/core/copy/gateway.ts";
import { homeText } from "../../../src/core/copy/health.ts";
import { costText, dayText, lengthText, sizeText } from "../../../src/core/copy/inspector.ts";
import { laptopStatusText, turnLine } from "../../../src/core/copy/laptop.ts";
import { alertText } from "../../../src/core/copy/owner-alerts.ts";
import { remindersText } from "../../../src/core/copy/reminders.ts";
import { sourceLines } from "../../../src/core/copy/sources.ts";

/** Half a second past a whole second. */
const AT = 1_800_000_000_500;

it("lengths of time and sizes change their unit where the next unit reads better", () => {
  expect([seconds(89_499), seconds(90_000)]).toEqual(["89 s", "2 min"]);
  expect([lengthText(9949), lengthText(9950)]).toEqual(["9.95 s", "9.9 s"]);
  expect([sizeText(9999), sizeText(10_000), sizeText(12_400)]).toEqual(["9,999 bytes", "10 KB", "12 KB"]);
});

it("the line of a turn on a laptop shows tenths of a second below ten seconds", () => {
  const line = (ms: number) => turnLine({ status: "completed", ending: "", ms, channelId: "1" });
  expect([line(9900), line(10_000)]).toEqual([
    "answered after 9.9 s, in channel 1",
    "answered after 10 s, in channel 1",
  ]);
});

it("an unknown price is a dash", () => {
  expect([costText(undefined), costText(1_500_000)]).toEqual(["–", "$1.50"]);
});

it("today and yesterday are shown as words", () => {
  const days = ["2026-03-01", "2026-02-28", "2026-02-27", "2026-03-02"].map((day) => dayText(day, "2026-03-01"));
  expect(days).toEqual(["today", "yesterday", "2026-02-27", "2026-03-02"]);
});

describe("a count", () => {
  it("is spelled out where it is one", () => {
    expect([deletedText(1, true), deletedText(2, true)]).toEqual([
      expect.stringContaining("delete one of its messages here"),
      expect.stringContaining("delete 2 of its messages here"),
    ]);
    expect([nothingMissed(null), nothingMissed(1), nothingMissed(2)]).toEqual([
      expect.stringContaining("since your last message"),
      expect.stringContaining("in the last hour."),
      expect.stringContaining("in the last 2 hours."),
    ]);
    expect(changeText.reset(0)).toBe(
      "There was no conversation to forget here. Settings, long-term memory and unfinished answers are unchanged.",
    );
    expect([changeText.reset(1), changeText.reset(2)]).toEqual([
      expect.stringContaining("(1 stored message)"),
      expect.stringContaining("(2 stored messages)"),
    ]);
    expect([changeText.reset(0, 1), changeText.reset(0, 2)]).toEqual([
      expect.stringContaining("1 reminder remains;"),
      expect.stringContaining("2 reminders remain;"),
    ]);
  });
});

it("times are whole seconds, as Discord requires", () => {
  expect(summaryHead({ messages: 2, at: AT })).toContain("<t:1800000000:R>");
  const spent = { limit: 5_000_000, resetsAt: AT, channelId: "1" };
  for (const kind of ["day_spent", "month_spent"] as const)
    expect(alertText({ kind, ...spent })).toContain("<t:1800000001:f>");
});

it("who may approve depends on how approval is set up", () => {
  const text = (hasApprovers?: true) =>
    approvalText({ result: "moderators_only", ...(hasApprovers ? { hasApprovers } : {}) });
  expect([text(), text(true)]).toEqual([
    "Only a moderator can approve this. Ask one, or click Deny.",
    "Only a moderator or someone with an approver's role can approve this. Ask one, or click Deny.",
  ]);
});

it("the gateway's state is shown with what it means for people", () => {
  expect([gatewayLine("off"), gatewayLine("connected"), gatewayLine("unknown")]).toEqual([
    null,
    "I hear mentions, replies and direct messages.",
    "I can't tell whether I hear mentions, replies and direct messages.",
  ]);
  expect(gatewayLine("waiting")).toContain("at the moment: I am connecting to Discord.");
  expect(gatewayLine({ refused: "bad_token" })).toContain("at the moment: Discord doesn't know the bot's token");
});

it("a laptop's connection shows its state, or why it was refused", () => {
  expect(laptopStatusText("connected")).toBe("Connected to Discord.");
  expect(laptopStatusText({ refused: "bad_token" })).toContain("Set DISCORD_BOT_TOKEN to the current one.");
});

it("the first page lists what is missing, if anything", () => {
  expect(homeText([])).toContain("and is set up.");
  expect(homeText(["MODELS is missing."])).toContain("is not set up yet:\n- MODELS is missing.\n");
});

describe("reminders", () => {
  const reminder = { number: 1, userId: "2", text: "tea", dueAt: AT };
  const lines = (count: number) => remindersText(Array.from({ length: count }, () => reminder)).split("\n");

  it("are cut after fifteen, and say so", () => {
    expect([lines(15).length, lines(16).length, lines(16).at(-2)]).toEqual([16, 17, "… and 1 more."]);
  });

  it("show their first 60 characters", () => {
    expect(remindersText([{ ...reminder, text: "x".repeat(60) }])).toContain(`\`${"x".repeat(60)}\``);
    expect(remindersText([{ ...reminder, text: "x".repeat(61) }])).toContain(`\`${"x".repeat(59)}…\``);
  });
});

it("a source's address is a link up to the length at which Discord still shows one", () => {
  const line = (length: number) => sourceLines([{ url: "https://a.b/".padEnd(length, "x"), host: "a.b", title: "A" }]);
  expect([line(512), line(513)]).toEqual([expect.stringContaining("[A](<https://a.b/x"), "-# [1] A"]);
});
