// /help: six lines for everyone, with commands that exist and a notice that is there.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { helpText } from "../../../src/core/copy/help.ts";
import { commandAt } from "../../../src/discord/commands/commands.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { scene } from "../../support/endpoint-harness.ts";

const lines = helpText.split("\n");

it("is shown to the person alone, without waking a channel", async () => {
  const world = scene();
  const answer = await world.answered({ as: PEOPLE.theo, channel: PLACES.general, kind: "command", name: "help" });
  expect(answer).toMatchObject({ type: 4, data: { content: helpText, flags: 64 } });
  expect([world.calls, world.discord.violations]).toEqual([[], []]);
});

it("has six lines that fit into one message", () => {
  expect([lines.length, helpText.length <= 2000]).toEqual([6, true]);
});

it("names only commands that exist", () => {
  const named = [...helpText.matchAll(/`\/([a-z-]+)(?: ([a-z-]+))?`/g)];
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(([, name = "", subcommand]) => commandAt(name, subcommand) === null)).toEqual([]);
});

it("leads to the privacy notice of this repository", () => {
  const [, path = "nowhere"] = helpText.match(/\/blob\/main\/([^>]+)>/) ?? [];
  expect(existsSync(join(import.meta.dirname, "../../..", path))).toBe(true);
});
