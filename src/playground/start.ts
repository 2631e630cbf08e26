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

const started = launchPlayground({ port, quiet: true });
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    await started.then(({ stop }) => stop()).catch(() => {});
    process.exit(0);
  });

try {
  const playground = await started;
  console.log(`Parley is at ${playground.url} (Ctrl-C ends it).`);
  console.log("For a real model: OPENAI_API_KEY=… OPENAI_MODEL=… [OPENAI_BASE_URL=…] npm start");
  await playground.ended;
  console.error(`wrangler ended.\n${playground.logs()}`);
  process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
