// `npm run build`: builds what a deploy uploads into `dist`, without an account and without a network.
import process from "node:process";
import { writeDeployConfig } from "./deploy-config.ts";
import { openPorts } from "./real-ports.ts";
import { openTerminal } from "./terminal.ts";

const ports = openPorts(openTerminal(false));
const args = ["deploy", "--dry-run", "--config", writeDeployConfig(ports.root, false), "--outdir", "dist"];
process.exitCode = (await ports.runWrangler(args, { isShown: true })).code;
