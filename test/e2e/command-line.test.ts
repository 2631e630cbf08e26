// The usage of each script of package.json and what the script refuses: its output, and the exit code that a shell sees.
import { describe, expect, it } from "vitest";
import { runCommand, runUnread } from "../support/process.ts";

describe("the command line", () => {
  it.each([
    ["start", ["--port", "--fresh", "--verbose"]],
    ["chat", ["--port", "--url", "--as", "--channel"]],
    ["register", ["--guild", "--dry-run"]],
    ["build", []],
    ["cards", []],
    ["setup", ["--yes", "--name", "--new-key"]],
    ["doctor", ["--fix", "--json", "--name", "--url", "--channel"]],
    ["soak", ["--minutes", "--turns", "--channels", "--seed", "--at-once"]],
    ["mutants", ["--count", "--seed"]],
    ["bench", ["--quick", "--write"]],
    ["bench:peers", ["--quick"]],
    ["bench:acknowledge", []],
    ["bench:deliberate", []],
    ["bench:delivery", []],
    ["bench:gateway", []],
    ["bench:loop", []],
    ["bench:toolkit", []],
  ])("of %s has a usage that names its flags, and refuses an unknown one with it", async (script, flags) => {
    const [help, refusal] = await Promise.all([runCommand(script, ["--help"]), runCommand(script, ["--frobnicate"])]);
    expect([help.code, help.err]).toEqual([0, ""]);
    expect(help.out).toMatch(new RegExp(`^Usage: npm (run )?${script}\\b`));
    for (const flag of [...flags, "-h, --help"]) expect(help.out).toContain(`  ${flag} `);
    const refused = `Unknown option --frobnicate.\n${help.out}`;
    expect(refusal).toEqual({ code: 2, out: "", err: refused });
  });

  it.each([
    ["start", ["--port", "0"], '--port must be a number from 1 to 65535, not "0".'],
    ["start", ["--port"], "--port needs a value."],
    ["chat", ["hello", "--port", "70000"], '--port must be a number from 1 to 65535, not "70000".'],
    ["register", ["--guild"], "--guild needs a value."],
    ["setup", ["--name", "Big Bot"], '--name must be lower-case letters, digits and hyphens, not "Big Bot".'],
    ["doctor", ["--url"], "--url needs a value."],
    ["doctor", ["--channel", "#general"], '--channel must be the id of a channel, not "#general".'],
    ["soak", ["--minutes", "0"], '--minutes must be a number above 0, not "0".'],
    ["mutants", ["--count", "1.5"], '--count must be a whole number above 0, not "1.5".'],
    ["bench", ["speed"], "There is no part speed."],
    ["register", ["--guild", "home"], '--guild must be the id of a server, not "home".'],
  ])("of %s with %j is refused in one sentence", async (script, args, sentence) => {
    const { code, out, err } = await runCommand(script, args);
    expect([code, out]).toEqual([2, ""]);
    expect(err.startsWith(`${sentence}\nUsage: `)).toBe(true);
  });

  it.each([
    ["deploy", "dry-run"],
    ["register", "dry-run"],
    ["start", "fresh"],
    ["doctor", "fix"],
  ])("of %s is refused if npm took --%s as its own", async (script, flag) => {
    const { code, out, err } = await runCommand(script, [], { [`npm_config_${flag.replace("-", "_")}`]: "true" });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(
      new RegExp(`^npm took --${flag} for one of its own options\\. Write -- before the options\\.\nUsage: `),
    );
  });

  it.each([
    ["register", "--dry-run"],
    ["chat", "--help"],
    ["trace", "--help"],
  ])("of %s ends silently if nobody reads what %s prints", async (script, flag) => {
    expect(await runUnread(script, [flag])).toEqual({ code: 0, out: "", err: "" });
  });

  it.each(["crash", "faults", "kill9", "bench:stop"])(
    "of %s has a usage, and leaves everything else to vitest",
    async (script) => {
      const flags = [["--help"], ["-h"], ["--frobnicate"]];
      const [help, short, unknown] = await Promise.all(flags.map((args) => runCommand(script, args)));
      expect([help?.code, help?.err]).toEqual([0, ""]);
      expect(help?.out).toMatch(new RegExp(`^Usage: npm run ${script}\\b`));
      expect(short?.out).toBe(help?.out);
      expect([unknown?.code, unknown?.err]).toEqual([1, expect.stringContaining("--frobnicate")]);
    },
  );
});
