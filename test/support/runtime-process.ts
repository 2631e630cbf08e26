// One runtime in a process of its own that `kill -9` can end together with workerd. Its argument is a file with a RuntimePlan. Once it
// listens, it reports its address and that of its inspector. It ends with its parent.
import { readFileSync } from "node:fs";
import { openRuntime } from "./runtime.ts";
import type { RuntimePlan } from "./runtime-plan.ts";

const plan = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as RuntimePlan;
const miniflare = openRuntime(plan);
const url = await miniflare.ready;
const inspector = plan.isInspected ? (await miniflare.getInspectorURL()).host : "";
process.send?.(`${url.origin} ${inspector}`);
process.once("disconnect", () => void miniflare.dispose().then(() => process.exit()));
