// `npm run deploy`: deploys this program to a Worker that is already set up. `npm run setup` does the same and checks everything.
import process from "node:process";
import { leave, mistake } from "../scripts/arguments.ts";
import { findTaken, takenText } from "../scripts/npm-flags.ts";
import { checkName, takeName, WORKER_NAME } from "./arguments.ts";

const USAGE = `Usage: npm run deploy -- [options]

Deploys this program, but not over another program's Worker. Where the Worker may need it, it gets the binding of Workers AI.

  --name <name> the Worker's name (default ${WORKER_NAME})
  -h, --help    print this

All other options are passed on to wrangler deploy.`;

const args = process.argv.slice(2);
if (args.includes("--help") || args.includes("-h")) {
  process.stdout.write(`${USAGE}\n`);
} else {
  const taken = findTaken(["dry-run", "name"], process.env);
  if (taken !== undefined) leave(mistake(takenText(taken), USAGE));
  const { name, more } = takeName(args);
  const checked = checkName(name ?? WORKER_NAME, USAGE);
  // Imported only now, because printing the usage needs none of it.
  const { openPorts } = await import("./real-ports.ts");
  const { runDeploy } = await import("./run-deploy.ts");
  const { openTerminal } = await import("./terminal.ts");
  process.exitCode = await runDeploy(openPorts(openTerminal(false)), checked, more);
}
