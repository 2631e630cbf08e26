// What the deploy builds from an incomplete checkout.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildModules, MAIN_MODULE } from "../../src/setup/modules.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "modules-test-"));
  mkdirSync(join(root, "src"));
  writeFileSync(
    join(root, "src/index.ts"),
    'export default { fetch: async () => (await import("./seldom.ts")).answer };\n',
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const build = (seldom: string) => {
  writeFileSync(join(root, "src/seldom.ts"), seldom);
  return buildModules(root, join(root, "out"));
};

it("is nothing if a package is missing, even one that a Worker rarely loads: it would fail only there", async () => {
  await expect(build('export { answer } from "a-package-of-the-next-version";\n')).rejects.toThrow(
    "a-package-of-the-next-version",
  );
  expect(existsSync(join(root, "out", MAIN_MODULE))).toBe(false);
});

it("leaves what the runtime itself provides as it is", async () => {
  const built = await build('import { env } from "cloudflare:workers";\nexport const answer = env;\n');
  expect(built.flatMap(({ sources }) => sources).sort()).toEqual(["src/index.ts", "src/seldom.ts"]);
});
