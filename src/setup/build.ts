// `npm run build`: builds what a deploy uploads into `dist`, without an account and without a network.
import process from "node:process";
import { readFlags } from "../scripts/arguments.ts";

const USAGE = `Usage: npm run build

Builds what a deploy uploads into dist, and sends nothing.

  -h, --help  print this`;

readFlags(USAGE, {});

// Read only now, because a usage needs none of it.
const { failure } = await import("./copy/setup.ts");
const { findUnwritable, writeDeployConfig } = await import("./deploy-config.ts");
const { openPorts } = await import("./real-ports.ts");
const { openTerminal } = await import("./terminal.ts");

const ports = openPorts(openTerminal(false));
const unwritable = findUnwritable(ports.root);
const release = ports.claimFiles();
if (unwritable === null && release !== null) {
  const args = ["deploy", "--dry-run", "--config", writeDeployConfig(ports.root, false), "--outdir", "dist"];
  process.exitCode = (await ports.runWrangler(args, { isShown: true }).finally(release)).code;
} else {
  ports.terminal.fail(unwritable === null ? failure.otherDeploy : failure.notWritable(unwritable));
  process.exitCode = 1;
}
