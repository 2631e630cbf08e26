// `npm run build`: builds what a deploy uploads into `dist`. Needs neither an account nor a network.
import process from "node:process";
import { readFlags } from "../scripts/arguments.ts";

const USAGE = `Usage: npm run build

Builds what a deploy uploads into dist, and sends nothing.

  -h, --help  print this`;

readFlags(USAGE, {});

// Imported only now, because printing the usage needs none of it.
const { failure } = await import("./copy/setup.ts");
const { findUnwritable, writeDeployConfig } = await import("./deploy-config.ts");
const { hasRoomFor } = await import("./full-disk.ts");
const { openPorts } = await import("./real-ports.ts");
const { openTerminal } = await import("./terminal.ts");

const ports = openPorts(openTerminal(false));
const unwritable = findUnwritable(ports.root);
const release = ports.claimFiles();
let config = "";
const hasRoom = hasRoomFor(() => {
  if (unwritable === null && release !== null) config = writeDeployConfig(ports.root, false);
});
if (config !== "" && release !== null) {
  const args = ["deploy", "--dry-run", "--config", config, "--outdir", "dist"];
  process.exitCode = (await ports.runWrangler(args, { isShown: true }).finally(release)).code;
} else {
  release?.();
  const why = hasRoom ? failure.otherDeploy : failure.noRoom;
  ports.terminal.fail(unwritable === null ? why : failure.notWritable(unwritable));
  process.exitCode = 1;
}
