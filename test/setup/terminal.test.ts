// The person's screen in a process of its own: Ctrl-C while something takes time.
import { spawn } from "node:child_process";
import process from "node:process";
import { expect, it } from "vitest";
import { failure } from "../../src/setup/copy/setup.ts";

const TERMINAL = new URL("../../src/setup/terminal.ts", import.meta.url).href;
/** A program that waits for ever, in what it takes for a terminal. */
const PROGRAM = `
  process.stdin.isTTY = process.stdout.isTTY = true;
  const { openTerminal } = await import(${JSON.stringify(TERMINAL)});
  const stop = openTerminal(true).wait("Deploying");
  setInterval(() => {}, 1000);
  if (process.argv[1] === "well") {
    stop();
    process.exit(0);
  }
`;

async function run(how: "well" | "stopped") {
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM, how], { stdio: "pipe" });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
    // As a terminal in raw mode hands on Ctrl-C.
    if (how === "stopped" && out.includes("Deploying")) child.stdin.write("\u0003");
  });
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, out };
}

it("ends at Ctrl-C with a code that says so, and with its sentence", async () => {
  const { code, out } = await run("stopped");
  expect([code, out.includes(failure.cancelled)]).toEqual([130, true]);
});

it("leaves the code alone when the wait is over", async () => {
  const { code, out } = await run("well");
  expect([code, out.includes(failure.cancelled)]).toEqual([0, false]);
});
