// The addresses that people give on the command line, and flags that never reach it.
import { expect, it } from "vitest";
import { findTaken } from "../../src/scripts/npm-flags.ts";
import { findNameFault, readUrl, takeName } from "../../src/setup/arguments.ts";

it.each([
  ["https://parley.juno.workers.dev", "https://parley.juno.workers.dev"],
  ["parley.juno.workers.dev/", "https://parley.juno.workers.dev"],
  [" https://bot.example/interactions ", "https://bot.example"],
  ["https://bot.example/health", "https://bot.example"],
  ["http://127.0.0.1:8787", "http://127.0.0.1:8787"],
  ["https://bot.example/at/a/path/", "https://bot.example/at/a/path"],
  ["ftp://bot.example", null],
  ["not an address", null],
  ["", null],
])("reads %j as %j", (text, url) => {
  expect(readUrl(text)).toBe(url);
});

it("finds the flags that npm took as its own, and none that people keep in npm's configuration", () => {
  const flags = ["yes", "new-key", "dry-run"];
  expect(findTaken(flags, { npm_config_dry_run: "true" })).toBe("dry-run");
  expect(findTaken(flags, { npm_config_new_key: "true" })).toBe("new-key");
  expect(findTaken(flags, { npm_config_yes: "true", npm_config_new_key: "" })).toBeUndefined();
  // npm reads --as as -a -s: all, and silent.
  const all = { npm_config_all: "true" };
  expect(findTaken(["port", "as"], { ...all, npm_config_loglevel: "silent" })).toBe("as");
  expect(findTaken(["port", "as"], { ...all, npm_config_loglevel: "notice" })).toBeUndefined();
  expect(findTaken(flags, { ...all, npm_config_loglevel: "silent" })).toBeUndefined();
});

it.each([
  [["--name", "parley-2"], null],
  [["--name=Big Bot"], '--name must be lower-case letters, digits and hyphens, not "Big Bot".'],
  [["--name"], "--name needs a value."],
  [["--name="], "--name needs a value."],
  [["--name", "--dry-run"], "--name needs a value."],
])("answers a deploy with %j: %j", (args, fault) => {
  expect(findNameFault(takeName(args).name ?? "parley")).toBe(fault);
});
