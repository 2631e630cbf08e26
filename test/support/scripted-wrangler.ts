// A program that replaces wrangler in tests that run the setup as a process: it says that somebody is logged in, and passes each deploy
// with its secrets to the test's own server, which answers with the Worker's address once the Worker runs.
import { appendFileSync, readFileSync } from "node:fs";
import process from "node:process";

const [command = "", ...args] = process.argv.slice(2);
const after = (flag: string) => args[args.indexOf(flag) + 1] ?? "";
const print = (json: object) => process.stdout.write(JSON.stringify(json));

if (command === "whoami") print({ loggedIn: true, accounts: [{ id: "acc1", name: "The test's account" }] });
if (command === "auth") print({ type: "oauth", token: "token-of-cloudflare" });
if (command === "deploy") {
  const secrets = readFileSync(after("--secrets-file"), "utf8");
  const response = await fetch(`${process.env.PARLEY_TEST_CLOUD}/deploy`, { method: "POST", body: secrets });
  const line = { type: "deploy", worker_name: after("--name"), targets: [await response.text()] };
  appendFileSync(process.env.WRANGLER_OUTPUT_FILE_PATH ?? "", `${JSON.stringify(line)}\n`);
}
