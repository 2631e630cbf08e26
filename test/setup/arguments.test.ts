// The addresses that people give on the command line.
import { expect, it } from "vitest";
import { readUrl } from "../../src/setup/arguments.ts";

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
