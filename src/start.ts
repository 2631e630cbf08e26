// `npm start`: runs the playground in the foreground, until Ctrl-C. Everything it does is in playground/launch.ts. With a bot's token, it runs the
// bot on the real Discord instead (src/laptop).
import { DEFAULT_PORT, notAPort, readPort } from "./playground/port.ts";
import { leave, mistake, readFlags } from "./scripts/arguments.ts";

const USAGE = `Usage: npm start -- [options]

Runs Parley on this machine with a local Discord and a local model, until Ctrl-C.

  --port <number>  port to listen on (${DEFAULT_PORT})
  --fresh          begin with an empty local Discord instead of where the last start on this port ended
  --verbose        print the log of the Workers
  -h, --help       print this

With DISCORD_BOT_TOKEN set, the bot with that token runs here and answers on the real Discord; no account at Cloudflare and no public
address are needed. The page then shows its log. What it remembers is kept in .wrangler/laptop.

For a real model, set OPENAI_API_KEY and OPENAI_MODEL, and OPENAI_BASE_URL if it is not OpenAI's.`;

const HOW_TO_SET_A_MODEL = "For a real model: OPENAI_API_KEY=… OPENAI_MODEL=… [OPENAI_BASE_URL=…] npm start";

const PARENT_LOOK_MS = 500;

const {
  port: wanted,
  fresh,
  verbose,
} = readFlags(USAGE, {
  port: { type: "string", default: String(DEFAULT_PORT) },
  fresh: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
});
const port = readPort(wanted) ?? leave(mistake(notAPort(wanted), USAGE));

// Imported only now, because printing the usage needs none of it.
const [{ readLogLine }, { laptopToken }, { APPLICATION }, { lastLines }] = await Promise.all([
  import("./laptop/log-lines.ts"),
  import("./laptop/plan.ts"),
  import("./playground/discord/local-discord.ts"),
  import("./playground/log.ts"),
]);

const ending = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => ending.abort());
// Writing to a closed terminal fails, but what was started must be ended all the same.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
// npm sends SIGTERM only to the shell between it and this process, and the shell ends without passing it on. So watch for a new parent.
const { ppid, env } = process;
if (env.npm_lifecycle_event !== undefined)
  setInterval(() => process.ppid !== ppid && ending.abort(), PARENT_LOOK_MS).unref();

const token = laptopToken(process.env, APPLICATION.botToken);
if (token !== null && fresh)
  leave(
    mistake(
      "--fresh empties the local Discord, but with DISCORD_BOT_TOKEN the bot runs on the real one. Leave one of them out.",
      USAGE,
    ),
  );
if (token !== null) {
  const laptop = { token, shell: process.env, port, verbose, signal: ending.signal };
  const { runLaptop } = await import("./laptop/run-laptop.ts");
  process.exit(
    await runLaptop(laptop).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      return 1;
    }),
  );
}

/** Prints one line for each turn and for each failure. */
const printLine = (output: string) => {
  const line = readLogLine(output);
  if (line) console.log(line.text);
};
const printProblems = (problems: readonly string[]) =>
  console.error(
    `Parley is not configured: ${problems.join("; ")}. Correct these variables in the shell, and start it again.`,
  );
const printCrash = (lines: string) => console.error(`A Worker failed. The last lines of the log:\n${lines}`);

try {
  const { launchPlayground } = await import("./playground/launch.ts");
  const { shellModel } = await import("./playground/variables.ts");
  const playground = await launchPlayground({
    port,
    shell: process.env,
    world: fresh ? "emptied" : "kept",
    quiet: !verbose,
    signal: ending.signal,
    onProblems: printProblems,
    ...(!verbose && { onLine: printLine }),
  });
  if (!verbose) playground.onCrash(printCrash);
  ending.signal.addEventListener("abort", () => void playground.stop());
  if (ending.signal.aborted) await playground.stop();
  console.log(`Parley is at ${playground.url} (Ctrl-C ends it).`);
  const model = shellModel(process.env);
  console.log(model === null ? HOW_TO_SET_A_MODEL : `Model: ${model}`);
  console.log("Messages are kept until you start it with: npm start -- --fresh");
  if (!verbose) console.log("To see the log of the Workers: npm start -- --verbose");
  await playground.ended;
  const lines = verbose ? "" : ` The last lines of the log:\n${lastLines(playground.logs())}`;
  if (!ending.signal.aborted) throw new Error(`wrangler stopped unexpectedly.${lines}`);
} catch (error) {
  if (!ending.signal.aborted) console.error(error instanceof Error ? error.message : error);
  process.exitCode = ending.signal.aborted ? 0 : 1;
}
