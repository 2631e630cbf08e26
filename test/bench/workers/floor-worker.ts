// What the product is compared with: hand-written Workers that do the same work and no more. `GET /turn` runs one turn in a separate
// object; `POST /interactions` verifies and acknowledges, and does nothing else; `POST /stored/interactions` first stores a row and sets an
// alarm in the channel's object, which every program must do that keeps its promises after a crash.
import { DurableObject } from "cloudflare:workers";
import { openSqliteStore } from "../../../durable-objects/store/sqlite.ts";
import { findSignatureFault } from "../../../src/discord/interactions/verify.ts";
import { byHand, floorTurn, productRows, twoRows } from "./floor-turn.ts";
import { request } from "./loop-request.ts";

interface Env {
  TURNS: DurableObjectNamespace<TurnObject>;
  DISCORD_PUBLIC_KEY: string;
  OPENAI_BASE_URL: string;
  DISCORD_API_BASE_URL: string;
}

/** As often as the product edits a reply. */
const EDIT_GAP_MS = 1200;
const MESSAGE_CHARACTERS = 2000;
/** Later than the end of every measurement. */
const FAR_MS = 3_600_000;
const RESULT = { pages: "x".repeat(2000) };
const LOOK_UP = {
  name: "look_up",
  description: "Looks a page up.",
  parameters: { type: "object", properties: { page: { type: "string" } }, required: ["page"] },
};

/** Reads a streamed answer piece by piece, and edits one message with it. */
async function stream({ OPENAI_BASE_URL, DISCORD_API_BASE_URL }: Env): Promise<string> {
  const messages = [{ role: "user", content: "go" }];
  const body = JSON.stringify({ model: "m", stream: true, messages });
  const headers = { "content-type": "application/json", authorization: "Bearer k" };
  const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, { method: "POST", headers, body });
  const edit = async (content: string) => {
    const url = `${DISCORD_API_BASE_URL}/webhooks/1/token/messages/@original`;
    const edited = await fetch(url, { method: "PATCH", headers, body: JSON.stringify({ content }) });
    await edited.body?.cancel();
  };
  let text = "";
  let rest = "";
  let editedAt = Date.now();
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines)
      if (line.startsWith("data: {")) text += JSON.parse(line.slice("data: ".length)).choices[0]?.delta?.content ?? "";
    if (Date.now() - editedAt < EDIT_GAP_MS) continue;
    editedAt = Date.now();
    await edit(text.slice(-MESSAGE_CHARACTERS));
  }
  await edit(text.slice(-MESSAGE_CHARACTERS));
  return text;
}

/** Runs one turn in its life. */
export class TurnObject extends DurableObject<Env> {
  async turn(way: string): Promise<string> {
    const { storage } = this.ctx;
    if (way === "stream") return (await stream(this.env)).slice(-10);
    const rows = way === "same rows" ? productRows(storage, request) : twoRows(storage);
    if (way === "same rows") openSqliteStore(storage);
    return floorTurn(rows, byHand(this.env.OPENAI_BASE_URL), [LOOK_UP], RESULT);
  }

  /** Stores what was asked, and sets an alarm for it. */
  async note(id: string): Promise<void> {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE IF NOT EXISTS asked (id TEXT)");
    sql.exec("INSERT INTO asked VALUES (?)", id);
    await this.ctx.storage.setAlarm(Date.now() + FAR_MS);
  }

  override async alarm(): Promise<void> {}

  /** Begins a turn without waiting for it. */
  async begin(way: string): Promise<void> {
    this.ctx.waitUntil(this.turn(way));
  }
}

async function acknowledge(request: Request, { DISCORD_PUBLIC_KEY, TURNS }: Env, isStored: boolean): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  const { headers } = request;
  const parts = {
    signature: headers.get("x-signature-ed25519"),
    timestamp: headers.get("x-signature-timestamp"),
    body,
  };
  const fault = await findSignatureFault(parts, DISCORD_PUBLIC_KEY, Date.now());
  if (fault) return new Response(fault, { status: 401 });
  if (isStored) {
    const { id, channel_id: channel } = JSON.parse(new TextDecoder().decode(body)) as {
      id: string;
      channel_id: string;
    };
    await TURNS.getByName(channel).note(id);
  }
  return Response.json({ type: 5 });
}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith("/interactions")) return acknowledge(request, env, pathname.startsWith("/stored/"));
    const turn = env.TURNS.get(env.TURNS.newUniqueId());
    const way = searchParams.get("way") ?? "";
    if (pathname !== "/begin") return new Response(await turn.turn(way));
    await turn.begin(way);
    return new Response("begun");
  },
} satisfies ExportedHandler<Env>;
