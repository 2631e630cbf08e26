// What .ci/run says about a lane, however the lane ended. A fake npm, which only leaves a report or none, replaces the real one. Also how
// long it may take.
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const CHECK = join(import.meta.dirname, "../../.ci/run");
const file = (status: string, ...tests: object[]) => ({ name: "/a.test.ts", status, assertionResults: tests });
const passed = { status: "passed", fullName: "it works" };
const report = (...testResults: object[]) => JSON.stringify({ testResults });

/** Runs the check with an npm that leaves this as each lane's report and ends each lane in this way. */
async function check(left: string | null, ending: string): Promise<{ code: number; last: string }> {
  const folder = await mkdtemp(join(tmpdir(), "parley-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "report"), left ?? "");
  const npm = `#!/usr/bin/env bash
    for word in "$@"; do
      [[ $word == --outputFile.json=* ]] || continue
      ${left === null ? "" : `cp "${folder}/report" "\${word#*=}"`}
      ${ending}
    done`;
  for (const [name, text] of [
    ["npm", npm],
    ["apt-get", "#!/usr/bin/env bash"],
  ] as const) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o700);
  }
  const env = { ...process.env, FORCE_COLOR: "1", PATH: `${folder}:${process.env.PATH}` };
  return new Promise((resolve) =>
    execFile(CHECK, { env }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), last: stdout.trimEnd().split("\n").at(-1) ?? "" }),
    ),
  );
}

it.each<[string, string | null, string, { code: number; last: string }]>([
  ["passes", report(file("passed", passed)), "exit 0", { code: 0, last: "5 passed, 0 failed" }],
  [
    "has a failed test and a file that could not be read",
    report(file("failed", passed, { status: "failed", fullName: "it works not" }), file("failed")),
    "exit 1",
    { code: 1, last: "5 passed, 4 failed" },
  ],
  ["fails in addition to its tests", report(file("passed", passed)), "exit 1", { code: 1, last: "5 passed, 2 failed" }],
  [
    "is killed while it writes its report",
    '{"testResults":[{"na',
    "kill -9 $$",
    { code: 1, last: "3 passed, 2 failed" },
  ],
  ["ends successfully and has run no test", report(), "exit 0", { code: 1, last: "3 passed, 2 failed" }],
  ["ends successfully and leaves no report", null, "exit 0", { code: 1, last: "3 passed, 2 failed" }],
])("a lane that %s", async (_, left, ending, expected) => {
  expect(await check(left, ending)).toEqual(expected);
});

it("gives up, at the latest, before the hosted workflow does", async () => {
  const [script, workflow] = await Promise.all(
    [CHECK, join(CHECK, "../../.github/workflows/ci.yml")].map((path) => readFile(path, "utf8")),
  );
  const limits = [...(script ?? "").matchAll(/(?:bounded|^tests \w+) (\d+)m /gm)].map(([, minutes]) => Number(minutes));
  expect(limits).toHaveLength(8);
  const together = limits.reduce((sum, minutes) => sum + minutes, 0);
  expect(Number(/timeout-minutes: (\d+)/.exec(workflow ?? "")?.[1])).toBeGreaterThan(together);
});
