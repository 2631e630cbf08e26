// The Discord of a measurement, in a separate process that does nothing else: it accepts every request at once, knows no limits, and
// records when each arrived. `POST /bench/forget` empties the record, `GET /bench/heard` returns it.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { now } from "./clock.ts";
import type { Heard } from "./heard.ts";

let heard: Heard[] = [];
let ids = 1_500_000_000_000_000_000n;
/** By address: the first message of a reply. If each edit had a different id, each would be stored. */
const originals = new Map<string, string>();

/** The id of the message that a request creates or edits. */
function idOf(path: string): string {
  const edited = /\/messages\/(\d+)/.exec(path)?.[1] ?? originals.get(path);
  if (edited !== undefined) return edited;
  ids += 1n;
  const id = String(ids);
  if (path.endsWith("/messages/@original")) originals.set(path, id);
  return id;
}

/** The text of a message, even if files come with it. */
function textOf(body: string, type: string): string {
  const json = type.startsWith("multipart/") ? (/\{"[\s\S]*?\}(?=\r\n--)/.exec(body)?.[0] ?? "{}") : body || "{}";
  const { content } = JSON.parse(json) as { content?: unknown };
  return typeof content === "string" ? content : "";
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const at = now();
    const { method = "GET", url = "/", headers } = request;
    if (url === "/bench/heard") return void response.end(JSON.stringify(heard));
    if (url === "/bench/forget") heard = [];
    if (url.startsWith("/bench/")) return void response.end();
    const text = method === "GET" ? "" : textOf(Buffer.concat(parts).toString("latin1"), headers["content-type"] ?? "");
    heard.push({ at, method, path: url.split("?")[0] ?? "", text });
    const id = idOf(url.split("?")[0] ?? "");
    const author = { id: "1300000000000000002", username: "parley", discriminator: "0", avatar: null, bot: true };
    const more = { embeds: [], attachments: [], mentions: [], mention_roles: [], components: [], flags: 0, type: 19 };
    const stamp = "2026-01-01T00:00:00.000000+00:00";
    const message = { id, channel_id: "1", content: text, author, timestamp: stamp, edited_timestamp: null, ...more };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(message));
  });
});
server.listen(0, "127.0.0.1", 4096, () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
