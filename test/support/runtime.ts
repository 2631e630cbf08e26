// Plain miniflare with the project's own workerd, for one life of a Worker.
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { COMPATIBILITY_DATE } from "./production.ts";
import type { RuntimePlan } from "./runtime-plan.ts";

// `import` would read its megabytes two more times, to detect that they are CommonJS and what they export.
const { convertV4MiniflareOptions, Miniflare } = createRequire(import.meta.url)(
  "miniflare",
) as typeof import("miniflare");

/** Starts a life by this plan. `hear` gets each line of its output; without it the lines are printed. */
export function openRuntime(plan: RuntimePlan, hear?: (line: string) => void): InstanceType<typeof Miniflare> {
  const files = readdirSync(plan.folder).filter((file) => /\.(js|wasm)$/.test(file));
  const inOrder = [plan.main, ...files.filter((file) => file !== plan.main)];
  // In the form of miniflare 4, which has a field for each of these and needs no further configuration.
  const options = convertV4MiniflareOptions({
    name: "parley",
    modules: inOrder.map((file) => ({
      type: file.endsWith(".wasm") ? ("CompiledWasm" as const) : ("ESModule" as const),
      path: join(plan.folder, file),
    })),
    modulesRoot: plan.folder,
    compatibilityDate: COMPATIBILITY_DATE,
    compatibilityFlags: plan.flags,
    bindings: plan.bindings,
    durableObjects: Object.fromEntries(
      Object.entries(plan.objects).map(([binding, className]) => [binding, { className, useSQLite: true }]),
    ),
    ratelimits: { REFUSED: { namespace_id: "1001", simple: { limit: plan.refusals, period: 60 } } },
    versionMetadata: "CF_VERSION_METADATA",
    // Adds a route that runs the cron trigger.
    unsafeTriggerHandlers: true,
    host: "127.0.0.1",
    port: plan.port,
    cf: false,
    ...(hear && { handleStructuredLogs: ({ message }: { message: string }) => hear(message) }),
    ...(plan.isInspected && { inspectorPort: 0 }),
  });
  return new Miniflare({ ...options, ...(plan.state !== null && { resourcePersistencePath: plan.state }) });
}
