// The configuration of Discord's Gateway: its switch, and what makes another program of a deployment.
import { expect, it } from "vitest";
import { parseConfig, readProgram, VERSION } from "../../src/config.ts";

const REQUIRED = { DISCORD_PUBLIC_KEY: "ab".repeat(32), DISCORD_APPLICATION_ID: "42", OPENAI_API_KEY: "sk-secret" };
const configOf = (variables: object = {}) => {
  const parsed = parseConfig({ ...REQUIRED, ...variables });
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return parsed.config;
};
const problemsOf = (variables: object) => {
  const parsed = parseConfig({ ...REQUIRED, ...variables });
  return parsed.ok ? [] : parsed.problems;
};

it("a configuration has the gateway if there is its switch and a token, and names what is wrong", () => {
  const gateway = (word: string, token = "bot") => ({ DISCORD_GATEWAY: word, DISCORD_BOT_TOKEN: token });
  expect(["on", "ON ", "off", ""].map((word) => configOf(gateway(word)).discord.hasGateway)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(problemsOf(gateway("yes"))).toEqual(["DISCORD_GATEWAY is not one of on, off"]);
  expect(problemsOf(gateway("on", ""))).toEqual(["DISCORD_GATEWAY is on, but DISCORD_BOT_TOKEN is missing"]);
});

it("a configuration counts as another program after a deploy, with another token or with another switch, and shows no token", () => {
  const program = (variables: object, id = "one") =>
    JSON.stringify(
      readProgram(configOf({ DISCORD_BOT_TOKEN: "secret", ...variables }), { CF_VERSION_METADATA: { id } }),
    );
  const programs = [
    program({}),
    program({}, "two"),
    program({ DISCORD_BOT_TOKEN: "other" }),
    program({ DISCORD_GATEWAY: "on" }),
  ];
  expect(new Set(programs).size).toBe(4);
  expect(program({ OPENAI_MODEL: "m" })).toBe(programs[0]);
  expect(programs.join()).not.toContain("secret");
  expect(readProgram(configOf(), {}).version).toBe(VERSION);
});
