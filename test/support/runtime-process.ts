// One runtime: plain miniflare with the project's own workerd, in a process of its own that `kill -9` can end together with workerd. Its
// argument is a file with a RuntimePlan. It tells its address when it listens, and that of its inspector. It ends with its parent.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { RuntimePlan } from "./runtime-plan.ts";

// `import` would read its megabytes twice more, to learn that they are CommonJS and what they export.
const { convertV4MiniflareOptions, Miniflare } = createRequire(import.meta.url)(
  "miniflare",
) as typeof import("miniflare");

const plan = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as RuntimePlan;
const files = readdirSync(plan.folder).filter((file) => /\.(js|wasm)$/.test(file));
const inOrder = [plan.main, ...files.filter((file) => file !== plan.main)];
// In the form of miniflare 4, which has a place for each of these and needs no configuration around them.
const options = convertV4MiniflareOptions({
  name: "parley",
  modules: inOrder.map((file) => ({
    type: file.endsWith(".wasm") ? ("CompiledWasm" as const) : ("ESModule" as const),
    path: join(plan.folder, file),
  })),
  modulesRoot: plan.folder,
  compatibilityDate: "2026-10-01",
  compatibilityFlags: plan.flags,
  bindings: plan.bindings,
  durableObjects: Object.fromEntries(
    Object.entries(plan.objects).map(([binding, className]) => [binding, { className, useSQLite: true }]),
  ),
  ratelimits: { REFUSED: { namespace_id: "1001", simple: { limit: plan.refusals, period: 60 } } },
  versionMetadata: "CF_VERSION_METADATA",
  // A route by which a cron trigger is started by hand.
  unsafeTriggerHandlers: true,
  host: "127.0.0.1",
  port: plan.port,
  cf: false,
  ...(plan.isInspected && { inspectorPort: 0 }),
});
const miniflare = new Miniflare({ ...options, ...(plan.state !== null && { resourcePersistencePath: plan.state }) });
const url = await miniflare.ready;
const inspector = plan.isInspected ? (await miniflare.getInspectorURL()).host : "";
console.log(`Ready on ${url.origin}`);
process.send?.(`${url.origin} ${inspector}`);
process.once("disconnect", () => void miniflare.dispose().then(() => process.exit()));
