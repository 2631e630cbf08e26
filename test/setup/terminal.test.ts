// The person's screen in a separate process: Ctrl-C while something takes time, and a second try at a question.
import { spawn } from "node:child_process";
import process from "node:process";
import { expect, it } from "vitest";
import { failure } from "../../src/setup/copy/setup.ts";

const TERMINAL = new URL("../../src/setup/terminal.ts", import.meta.url).href;
/** The exit code of the program below if the person gave up. */
const GAVE_UP = 3;
/** A program that believes it has a terminal: it waits forever, ends at once, or asks until the answer is "right". */
const PROGRAM = `
  process.stdin.isTTY = process.stdout.isTTY = true;
  process.stdin.setRawMode = () => process.stdin;
  const { openTerminal } = await import(${JSON.stringify(TERMINAL)});
  const terminal = openTerminal(true);
  if (process.argv[1] === "asks") {
    const faults = { right: null, wrong: "No." };
    const given = await terminal.askSecret("Secret?", (text) => (text in faults ? faults[text] : "Both."));
    process.exit(given === null ? ${GAVE_UP} : given === "right" ? 0 : 1);
  }
  const stop = terminal.wait("Deploying");
  setInterval(() => {}, 1000);
  if (process.argv[1] === "well") {
    stop();
    process.exit(0);
  }
`;

/** Types each text once the one before it has been printed, as a terminal in raw mode passes it on. */
async function run(how: "well" | "stopped" | "asks", typed: readonly [printed: string, text: string][] = []) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM, how], { stdio: "pipe" });
  const left = [...typed];
  let out = "";
  let seen = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
    const at = left[0] ? out.indexOf(left[0][0], seen) : -1;
    if (at < 0) return;
    seen = out.length;
    child.stdin.write(left.shift()?.[1] ?? "");
  });
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, out };
}

it.each([
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
])("ends at %s with a code that says so, and with its sentence", async (_, key) => {
  const { code, out } = await run("stopped", [["Deploying", key]]);
  expect([code, out.includes(failure.cancelled)]).toEqual([130, true]);
});

it.each([
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
])("treats %s at a question as giving up, and lets the program say so", async (_, key) => {
  const { code } = await run("asks", [["Secret?", key]]);
  expect(code).toBe(GAVE_UP);
});

it("doesn't change the exit code once the wait is over", async () => {
  const { code, out } = await run("well");
  expect([code, out.includes(failure.cancelled)]).toEqual([0, false]);
});

it("joins nothing to what is pasted after a wrong answer, which nobody can see", async () => {
  const { code } = await run("asks", [
    ["Secret?", "wrong\r"],
    ["No.", "right\r"],
    ["Both.", "\u0003"],
  ]);
  expect(code).toBe(0);
});
