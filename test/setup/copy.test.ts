// Every sentence of setup and doctor, printed in one list for review, and the rules that apply to all of them.
import { expect, it } from "vitest";
import * as doctor from "../../src/setup/copy/doctor.ts";
import * as setup from "../../src/setup/copy/setup.ts";
import { withName } from "../../src/setup/named-commands.ts";

/** Sample arguments for the functions among them: each parameter gets the first value that its sentence can print. */
const LISTS = [["one thing"], ["one thing", "another"]];
const samples: Readonly<Record<string, unknown[][]>> = {
  "setup.inviteText": [
    ["https://discord.com/oauth2/authorize?client_id=1", true, "juno"],
    ["https://discord.com/oauth2/authorize?client_id=1", false, "juno"],
  ],
  "setup.endText": [
    [{ servers: ["Lounge"], link: "L", hasWorkersAi: true, dollarsPerDay: 5, isPriced: true, hasGateway: true }],
    [
      {
        servers: [],
        link: "https://discord.com/…",
        hasWorkersAi: false,
        dollarsPerDay: 0,
        isPriced: null,
        hasGateway: false,
      },
    ],
    [{ servers: ["Lounge"], link: "L", hasWorkersAi: false, dollarsPerDay: null, isPriced: null, hasGateway: false }],
    [{ servers: ["Lounge"], link: "L", hasWorkersAi: false, dollarsPerDay: 5, isPriced: false, hasGateway: false }],
    [{ servers: ["Lounge"], link: "L", hasWorkersAi: false, dollarsPerDay: 5, isPriced: null, hasGateway: false }],
  ],
  "setup.done.application": [
    ["Parley", 1],
    ["Parley", 2],
  ],
  "setup.done.servers": LISTS.map((list) => [list]),
  "setup.question.takeCommands": [[["play"]], [["a", "b", "c", "d", "e", "f", "g"]]],
  "setup.warning.takesCommands": [[["play", "skip"]]],
  "setup.failure.severalAccounts": LISTS.map((list) => [list]),
  "setup.failure.healthProblems": LISTS.map((list) => [list]),
  "setup.failure.tokenVariable": [[setup.failure.tokenRefused]],
  "setup.failure.noModel": [
    ["api.example", "model-x", []],
    ["api.example", "model-x", ["model-a"]],
  ],
  "setup.failure.wrongAddress": [
    ["https://api.example", null],
    ["https://api.example", "https://api.example/v1"],
  ],
  "setup.warning.notTaken": [
    ["STRANGERS", ["SERVERS", "VISITORS"]],
    ["MAX_USD_PER_DAY", ["MAX_USD_PER_DAY"]],
  ],
  "doctor.well.servers": LISTS.map((list) => [list]),
  "doctor.wrong.tokenShape": [["public_key"]],
  "doctor.wrong.workerProblems": LISTS.map((list) => [list]),
  "doctor.wrong.permissions": [["Lounge", ["Send Messages"]]],
  "doctor.wrong.severalAccounts": LISTS.map((list) => [list]),
  "doctor.wrong.modelAddress": [
    ["https://api.example", null],
    ["https://api.example", "https://api.example/v1"],
  ],
  "doctor.wrong.noModel": [
    ["api.example", "model-x", []],
    ["api.example", "model-x", ["model-a"]],
  ],
  "doctor.wrong.devVars": [[["one is missing"]]],
  "doctor.summaryText": [[0], [1], [2]],
};
const PLAIN = ["first", "second", "third"];

const sentences: { source: string; text: string }[] = [];
function collect(source: string, value: unknown): void {
  if (typeof value === "string") sentences.push({ source, text: value });
  else if (typeof value === "function")
    for (const given of samples[source] ?? [PLAIN]) collect(source, Reflect.apply(value, undefined, given));
  else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) collect(`${source}.${name}`, member);
}
collect("setup", setup);
collect("doctor", doctor);

it("prints every sentence", () => {
  console.log(sentences.map(({ source, text }) => `${source}: ${text.replaceAll("\n", "\n    ")}`).join("\n"));
  expect(sentences.length).toBeGreaterThan(150);
});

it("has no empty sentence and no missing value", () => {
  const faults = /^\s*$|undefined|NaN|\[object|\bnull\b/;
  expect(sentences.filter(({ text }) => faults.test(text))).toEqual([]);
});

it("is in plain English", () => {
  const tics =
    /stands (above|below)|\bgo(es)? on\b|\bI am no\b|\bno member\b|\bshall\b|any more|\bafresh\b|\btold\b|\bit holds\b|once more say/i;
  expect(sentences.filter(({ text }) => tics.test(text))).toEqual([]);
});

const NEXT_STEP =
  /\b(Open|Run|Set|Wait|Check|Use|Sign up|Try|Add|Make|Choose|Write|Paste|Switch|Redo|Did you mean|choose|use|again|need a few minutes|may need|Add some|Log in|is right|are right|have this address|Only|refuses|needed)\b/;

it("says what to do in every failure of the setup", () => {
  const failures = sentences.filter(({ source }) => source.startsWith("setup.failure."));
  const silent = failures.filter(({ text }) => !NEXT_STEP.test(text)).map(({ source }) => source);
  // The sentence `again` follows each of them and is all that helps: Discord's and wrangler's own words, and a person who stopped.
  expect(silent).toEqual([
    "setup.failure.cancelled",
    "setup.failure.discordRefused",
    "setup.failure.deploy",
    "setup.failure.endpoint",
  ]);
});

it("names the Worker in each command if it is not the first bot's", () => {
  const command = /`?(?:npm run (?:setup|doctor)|npx wrangler (?:secret \w+ \w+|tail))[^`.;]*/g;
  const named = sentences.flatMap(({ text }) => withName(text, "second").match(command) ?? []);
  expect(named.filter((text) => !/(?:--name|tail) (?:second|another)/.test(text))).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
  expect(withName(doctor.FIX, "second")).toBe("npm run doctor -- --name second --fix");
  expect(withName(`${doctor.SETUP} -- --new-key`, "second")).toBe("npm run setup -- --name second --new-key");
  expect(withName(setup.failure.keyStays, "second")).toContain("secret delete OPENAI_API_KEY --name second`");
  expect(sentences.filter(({ text }) => withName(text, "parley") !== text)).toEqual([]);
});
