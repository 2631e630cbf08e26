// The reference server of the protocol's own project as it ships, in its own process and limited to loopback. Stops the process
// that it started.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const MAIN = join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");

/** Loaded before the server, which would listen on every interface and does not say which port it was given. */
const onLoopback = (port: number) => `
  import { Server } from "node:net";
  const { listen } = Server.prototype;
  Server.prototype.listen = function (_port, ...rest) {
    this.once("listening", () => console.log("PORT=" + this.address().port));
    return listen.call(this, ${port}, "127.0.0.1", ...rest);
  };`;

export interface ReferenceServer {
  url: string;
  stop(): Promise<void>;
}

/** Starts it; `at` 0 takes a free port. It doesn't inherit this process's variables, because one of its tools shows them. */
export async function startReferenceServer(at = 0): Promise<ReferenceServer> {
  const preload = `data:text/javascript,${encodeURIComponent(onLoopback(at))}`;
  const child = spawn(process.execPath, ["--import", preload, MAIN, "streamableHttp"], {
    env: { PATH: process.env.PATH, REFERENCE: "yes" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const port = await portOf(child);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async stop() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

function portOf(child: ChildProcess): Promise<string> {
  let output = "";
  return new Promise((found, failed) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      const [, port] = /PORT=(\d+)/.exec(output) ?? [];
      if (port) found(port);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", () => failed(new Error(`the reference server did not start: ${output}`)));
  });
}
