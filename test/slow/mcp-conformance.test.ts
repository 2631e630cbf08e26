// The protocol's own conformance suites judge our client of remote tools: the newest release, and the preview of the next. What
// we do not pass is listed with its reason, and the lists are checked against the suites, so that they can't go stale.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const CLIENT = join(ROOT, "test/slow/mcp-conformance-client.ts");
/** Far more than a scenario needs, because the machine may be busy. */
const SCENARIO_LIMIT_MS = 150_000;

interface Suite {
  main: string;
  /** Requested with each scenario; null if the suite takes none. */
  version: string | null;
}
const SUITES: Record<string, Suite> = {
  "0.1.16": { main: "@modelcontextprotocol/conformance/dist/index.js", version: null },
  "0.2 at 2025-11-25": { main: "mcp-conformance-next/dist/index.js", version: "2025-11-25" },
  "0.2 at 2026-07-28": { main: "mcp-conformance-next/dist/index.js", version: "2026-07-28" },
};

/** What every version of signing in includes. */
const SIGNING_IN = [
  "metadata-default",
  "metadata-var1",
  "metadata-var2",
  "metadata-var3",
  "basic-cimd",
  "scope-from-www-authenticate",
  "scope-from-scopes-supported",
  "scope-omitted-when-undefined",
  "scope-step-up",
  "scope-retry-limit",
  "token-endpoint-auth-basic",
  "token-endpoint-auth-post",
  "token-endpoint-auth-none",
  "pre-registration",
].map((name) => `auth/${name}`);
const OLD_SIGNING_IN = ["auth/2025-03-26-oauth-metadata-backcompat", "auth/2025-03-26-oauth-endpoint-fallback"];
const NEWER_SIGNING_IN = ["auth/resource-mismatch", "auth/offline-access-scope", "auth/offline-access-not-supported"];
const NEWEST_SIGNING_IN = [
  "authorization-server-migration",
  "iss-supported",
  "iss-not-advertised",
  "iss-supported-missing",
  "iss-wrong-issuer",
  "iss-unexpected",
  "iss-normalized",
  "metadata-issuer-mismatch",
].map((name) => `auth/${name}`);

const PASSED: Record<string, readonly string[]> = {
  "0.1.16": ["initialize", "tools_call", "sse-retry", ...SIGNING_IN, ...OLD_SIGNING_IN, ...NEWER_SIGNING_IN],
  "0.2 at 2025-11-25": ["initialize", "tools_call", "sse-retry", "json-schema-2020-12-preservation", ...SIGNING_IN],
  "0.2 at 2026-07-28": [
    "tools_call",
    "request-metadata",
    "sep-2322-client-request-state",
    "http-standard-headers",
    "http-custom-headers",
    "http-invalid-tool-headers",
    "json-schema-ref-no-deref",
    "json-schema-2020-12-preservation",
    ...SIGNING_IN,
    ...NEWER_SIGNING_IN,
    ...NEWEST_SIGNING_IN,
  ],
};

/** Why a scenario is not run: it requires something that a bot acting for one consenting person does not do. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "elicitation-sep1034-client-defaults": "a server's questions to a person are declined, so no default is filled in",
  "auth/client-credentials-jwt": "an extension: signing in as a program, without a person",
  "auth/client-credentials-basic": "an extension: signing in as a program, without a person",
  "auth/cross-app-access-complete-flow": "an extension: tokens of a company's own identity provider",
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-conformance-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the suite. Returns what it printed, and whether it was satisfied. */
function run(main: string, args: string[]): Promise<{ output: string; isContent: boolean }> {
  const command = [join(ROOT, "node_modules", main), ...args];
  return new Promise((done) => {
    execFile(process.execPath, command, { cwd: folder, timeout: SCENARIO_LIMIT_MS }, (error, out, err) =>
      done({ output: `${out}\n${err}`, isContent: error === null }),
    );
  });
}

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
  details?: { expectedRetryMs?: number; tooEarly?: boolean };
}

/** Whether the suite only measured a longer pause before a reconnection than the client intended, because the machine is busy. */
const isOnlyLate = ({ id, details }: Check, said: string): boolean =>
  id === "client-sse-retry-timing" &&
  details?.tooEarly === false &&
  said.split("\n").includes(`waits ${details.expectedRetryMs} ms`);

/** Returns the checks of a scenario that did not succeed. */
async function judge({ main, version }: Suite, scenario: string): Promise<string[]> {
  const results = await mkdtemp(join(folder, "results-"));
  const asked = version === null ? [] : ["--spec-version", version];
  const { output, isContent } = await run(main, [
    ...["client", "--command", `${process.execPath} ${CLIENT}`, "--scenario", scenario],
    ...["--timeout", "120000", "--output-dir", results, ...asked],
  ]);
  const files = await readdir(results, { recursive: true });
  const read = async (name: string) => {
    const file = files.find((one) => one.endsWith(name));
    return file ? readFile(join(results, file), "utf8") : "";
  };
  const checks = JSON.parse((await read("checks.json")) || "[]") as Check[];
  const said = await read("stdout.txt");
  const unhappy = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const bad = unhappy.filter((check) => !isOnlyLate(check, said));
  const faults = bad.map(({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage ?? ""}`);
  const isExplained = isContent || unhappy.length > bad.length;
  if (checks.length === 0 || !isExplained) faults.push(output.slice(-2000));
  return faults;
}

describe.each(Object.entries(SUITES))("the suite %s", (name, suite) => {
  it.each(PASSED[name] ?? [])("is satisfied with us in %s", async (scenario) => {
    expect(await judge(suite, scenario)).toEqual([]);
  });

  it("has no scenario that is neither run nor left out for a reason", async () => {
    const { output } = await run(suite.main, ["list", "--client"]);
    const all = [...output.matchAll(/^\s+- (\S+) \[(.*)\]$/gm)];
    const here = all.filter(([, , versions = ""]) => suite.version === null || versions.includes(suite.version));
    const known = (scenario: string) => PASSED[name]?.includes(scenario) || Object.hasOwn(NOT_RUN, scenario);
    expect(here.length).toBeGreaterThan(10);
    const names = here.map(([, scenario = ""]) => scenario);
    expect(names.filter((scenario) => !known(scenario))).toEqual([]);
    expect(PASSED[name]?.filter((scenario) => !names.includes(scenario))).toEqual([]);
  });
});
