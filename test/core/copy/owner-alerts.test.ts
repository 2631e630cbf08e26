// What owners read when the money for a day or a month is spent, or when a model is gone.
import { expect, it } from "vitest";
import { alertText } from "../../../src/core/copy/owner-alerts.ts";

it.each([
  ["day_spent", "for today", "MAX_USD_PER_DAY"],
  ["month_spent", "for this month", "MAX_USD_PER_MONTH"],
] as const)("%s names the limit, and when it ends in whole seconds", (kind, when, variable) => {
  const text = alertText({ kind, limit: 5_000_000, resetsAt: 1_999_001, channelId: "14" });
  expect(text.split("\n")).toEqual([
    `I have used up my $5 ${when}, so I answer no one until <t:2000:f>. Raise \`${variable}\` to change that.`,
    "-# Noticed in <#14>. You get this at most once a day.",
  ]);
});

it("if a model that is gone might be one that only listens or draws, the alert names the variables of those too", () => {
  const [text] = alertText({ kind: "no_model", channelId: "14", isAnswered: true }).split("\n");
  expect(text).toContain("so only my other models work.");
  for (const variable of ["OPENAI_MODEL", "MODELS", "TRANSCRIBE_MODEL", "IMAGE_MODEL"])
    expect(text).toContain(`\`${variable}\``);
});

it("a missing model may have been retired by its provider: the owner reads which variable names another", () => {
  const [text] = alertText({ kind: "no_model", channelId: "14" }).split("\n");
  expect(text).toBe(
    "The model provider does not know my model, or no longer offers it, so I can't answer. Name another in `OPENAI_MODEL` or `MODELS`, or check its address.",
  );
});
