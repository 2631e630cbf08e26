// The process that starts and ends the lives of deployed Workers (lives.ts). It loads miniflare once for all of them, which takes longer than
// the rest of a start. Each life is a separate workerd process. This process ends with its parent, and all lives end with it.
import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { freePort } from "../../src/playground/port.ts";
import type { Order } from "./lives.ts";
import type { openRuntime } from "./runtime.ts";

/** The running lives by port. */
const lives = new Map<number, ReturnType<typeof openRuntime>>();
/** The processes that this one has started: every workerd. */
const children = new Set<ChildProcess>();
subscribe("child_process", (message) => {
  const { process: child } = message as { process: ChildProcess };
  children.add(child);
  child.once("exit", () => children.delete(child));
});

async function begin({ plan, log }: Extract<Order, { plan: unknown }>): Promise<void> {
  // Loaded only now, because many runs of single files start no life.
  const runtime = await import("./runtime.ts");
  const life = runtime.openRuntime(plan, (line) => note(log, line));
  lives.set(plan.port, life);
  await life.ready;
}

/** Every port that was handed out. Nothing listens on it before its life starts or while the life is being restarted. */
const given = new Set<number>();

async function givePort(): Promise<number> {
  const port = await freePort(0);
  if (given.has(port)) return givePort();
  given.add(port);
  return port;
}

/** A runtime's last lines may come after its test has removed the folder with its log. That must not end any other life. */
function note(log: string, line: string): void {
  try {
    appendFileSync(log, `${line}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Sends `kill -9` to the workerd that listens there, and then disposes of what surrounds it, so that nothing starts it again. */
async function kill(port: number): Promise<void> {
  const life = lives.get(port);
  if (!life) return;
  lives.delete(port);
  const listens = new RegExp(`=127\\.0\\.0\\.1:${port}$`);
  const workerd = [...children].find(({ spawnargs }) => spawnargs.some((arg) => listens.test(arg)));
  const isKilled = workerd?.kill("SIGKILL");
  await life.dispose();
  if (!isKilled) throw new Error(`no workerd listens at ${port}`);
}

const server = createServer(async (request, response) => {
  try {
    const order = JSON.parse(await text(request)) as Order;
    if (order === "port") return void response.end(String(await givePort()));
    await ("plan" in order ? begin(order) : kill(order.kill));
    response.end();
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => void Promise.allSettled([...lives.keys()].map(kill)).then(() => process.exit()));
