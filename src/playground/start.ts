// `npm start`: the playground in the foreground, until Ctrl-C. Everything it does is in launch.ts.
import { parseArgs } from "node:util";
import { launchPlayground } from "./launch.ts";

const DEFAULT_PORT = 8787;

const { values } = parseArgs({ options: { port: { type: "string", default: String(DEFAULT_PORT) } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`--port must be a number from 1 to 65535, not ${values.port}.`);
  process.exit(2);
}

const ending = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => ending.abort());

try {
  const playground = await launchPlayground({ port, quiet: true, signal: ending.signal });
  ending.signal.addEventListener("abort", () => void playground.stop());
  if (ending.signal.aborted) await playground.stop();
  console.log(`Parley is at ${playground.url} (Ctrl-C ends it).`);
  console.log("For a real model: OPENAI_API_KEY=… OPENAI_MODEL=… [OPENAI_BASE_URL=…] npm start");
  await playground.ended;
  if (!ending.signal.aborted) throw new Error(`wrangler ended by itself.\n${playground.logs()}`);
} catch (error) {
  if (!ending.signal.aborted) console.error(error instanceof Error ? error.message : error);
  process.exitCode = ending.signal.aborted ? 0 : 1;
}
