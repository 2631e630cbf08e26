// The model of a measurement, in a separate process that does nothing else. It speaks the provider's protocol by hand, so that it costs
// as little as possible. `POST /bench/plan` sets its answers and forgets earlier requests; `GET /bench/asked` returns the requests, and
// with `?until=<count>` waits for that many, so that nobody has to poll while something is measured.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { now } from "./clock.ts";
import { type Asked, type Plan, pieceOf } from "./model-plan.ts";

let plan: Plan = { kind: "calls", calls: 0, tool: "" };
let asked: Asked[] = [];
let waiting: { until: number; response: ServerResponse }[] = [];

const piece = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "local", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const ending = (finish: string) =>
  `${piece({}, finish)}data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "local", choices: [], usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } })}\n\ndata: [DONE]\n\n`;

function answer(body: string, entry: Asked, response: ServerResponse): void {
  const nth = asked.length;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const say = (text: string) => {
    if (Number.isNaN(entry.saidAt)) entry.saidAt = now();
    response.write(piece({ content: text }));
  };
  if (plan.kind === "calls") {
    if (nth > plan.calls) {
      say("Done.");
      return void response.end(ending("stop"));
    }
    const called = { name: plan.tool, arguments: `{"page":"${nth}"}` };
    const calls = [{ index: 0, id: `call${nth}`, type: "function", function: called }];
    return void response.end(piece({ role: "assistant", tool_calls: calls }) + ending("tool_calls"));
  }
  if (plan.kind === "silence") return void say("Well");
  if (plan.kind === "pieces") return void sayInPieces(plan, say, response);
  const words = /say:([^"\\]*)/.exec(body.slice(body.lastIndexOf("say:")))?.[1] ?? "";
  const third = Math.ceil(words.length / 3);
  for (let from = 0; from < words.length; from += third) say(words.slice(from, from + third));
  response.end(ending("stop"));
}

/** On time on the whole: if a timer is late, it sends everything that is due, each piece in a separate write. */
function sayInPieces(
  { pieces, everyMs }: Extract<Plan, { kind: "pieces" }>,
  say: (text: string) => void,
  response: ServerResponse,
): void {
  const begunAt = now();
  let said = 0;
  const timer = setInterval(() => {
    for (const due = Math.min(pieces, (now() - begunAt) / everyMs); said < due; said++) say(pieceOf(said, pieces));
    if (said < pieces) return;
    clearInterval(timer);
    response.end(ending("stop"));
  }, everyMs);
  response.once("close", () => clearInterval(timer));
}

function tellWaiting(): void {
  for (const { until, response } of waiting) if (asked.length >= until) response.end(JSON.stringify(asked));
  waiting = waiting.filter(({ until }) => asked.length < until);
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    if (request.url?.startsWith("/bench/asked")) {
      waiting.push({ until: Number(/until=(\d+)/.exec(request.url)?.[1] ?? 0), response });
      return tellWaiting();
    }
    const body = Buffer.concat(parts).toString();
    if (request.url === "/bench/plan") {
      plan = JSON.parse(body) as Plan;
      asked = [];
      return void response.end();
    }
    const entry = { at: now(), saidAt: Number.NaN };
    asked.push(entry);
    response.socket?.setNoDelay(true);
    answer(body, entry, response);
    tellWaiting();
  });
});
server.listen(0, "127.0.0.1", 4096, () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
