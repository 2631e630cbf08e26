// /bot summary and /bot compact: what they show, in private, and what reaches the object.
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { NOW, scene } from "../../support/endpoint-harness.ts";

const SUMMARY = { text: `About: tea. ${"x".repeat(3900)}`, messages: 34, at: NOW };
type Shown = { data: { content: string; flags: number; embeds?: { description: string }[] } };

const use = (subcommand: string, options = {}, summary: typeof SUMMARY | null = SUMMARY, more: object = {}) => {
  const world = scene(summary ? { summary } : {});
  const command = {
    kind: "command",
    as: PEOPLE.mira,
    channel: PLACES.general,
    name: "bot",
    subcommand,
    options,
    ...more,
  } as const;
  return world.answered(command).then((answer) => ({ ...(answer as Shown).data, calls: world.calls }));
};

it("the whole summary is shown to the person who asks, with how much it replaces", async () => {
  const { content, flags, embeds } = await use("summary");
  expect(content).toMatch(/^34 earlier messages are summarized\. .* written by a model <t:\d+:R>/);
  expect([flags, embeds]).toEqual([64, [{ description: SUMMARY.text }]]);
});

it("the answer says so if nothing is summarized", async () => {
  const { content, embeds } = await use("summary", {}, null);
  expect([content, embeds]).toEqual([expect.stringContaining("Nothing is summarized here"), undefined]);
});

it("a moderator's words about what to keep reach the object, and the answer says what happens", async () => {
  const { content, calls } = await use("compact", { focus: "the recipe" });
  expect(content).toContain("summarize 34 messages as soon as nothing else is running");
  expect(calls.at(-1)).toEqual({ to: PLACES.general, compact: "the recipe" });
});

it("a visitor's own object learns whose conversation to summarize", async () => {
  const { calls } = await use("compact", {}, null, { userInstallOnly: true });
  const [own, owner] = [`${PLACES.general}:${PEOPLE.mira}`, PEOPLE.mira];
  expect(calls.at(-1)).toEqual({ to: own, compact: null, owner });
});

it("in a conversation between people everyone sees the answers, so the summary in the visitor's own object belongs to no one", async () => {
  const { calls } = await use("compact", {}, null, { as: PEOPLE.theo, channel: PLACES.groupDm, userInstallOnly: true });
  expect(calls.at(-1)).toEqual({ to: `${PLACES.groupDm}:${PEOPLE.theo}`, compact: null });
});
