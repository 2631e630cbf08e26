// A remote server for tests that breaks at random, in the ways in which servers and networks do: it refuses, hangs, loses an answer or half of
// it, forgets sessions, and changes the era of the protocol and its tools. It counts what it has executed. Written from the protocol alone,
// without looking at our client.

const MODERN = "2026-07-28";
const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;
const SPEAKS = ["modern", "legacy", "both"] as const;
const LISTS = [["send", "look", "fail"], ["send"], ["look", "fail", "other"]] as const;
const ENCODER = new TextEncoder();

interface Message {
  id?: number | string;
  method?: string;
  params?: { name?: string; arguments?: { note?: string }; inputResponses?: object };
}

/** What it does to a request instead of looking at it, or after it was executed. */
const REFUSALS = [302, 400, 401, 403, 404, 429, 500, 502, 503, "unreachable", "hangs", "executes and breaks"] as const;
const LOSSES = [
  "half of it",
  "half an event",
  "the rest of a stream",
  "a broken stream",
  "all of it",
  "its id",
  "its form",
  "its body",
] as const;

/** A server and what it has executed. */
export class RandomMcpServer {
  /** How often each call was executed, by its note. The tool `fail` executes nothing. */
  readonly executed = new Map<string, number>();
  /** How likely each request is to be refused, and each answer to be lost. */
  badness: number;
  readonly #random: () => number;
  readonly #keepsSessions: boolean;
  readonly #version: string;
  readonly #sessions = new Set<string | null>();
  /** The events of streams that a client may continue. */
  readonly #streams = new Map<string, string[]>();
  #speaks: (typeof SPEAKS)[number];
  #tools: readonly string[] = LISTS[0];
  #made = 0;

  constructor(random: () => number) {
    this.#random = random;
    this.#speaks = this.pick(SPEAKS);
    this.#version = this.pick(LEGACY);
    this.#keepsSessions = random() < 0.8;
    this.badness = this.pick([0, 0.1, 0.3]);
  }

  /** Chooses one at random. */
  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item;
  }

  /** Forgets its sessions, as after a restart. */
  forget(): void {
    this.#sessions.clear();
  }

  /** Becomes another version of itself, or gets other tools. */
  change(what: "era" | "tools"): void {
    if (what === "tools") this.#tools = this.pick(LISTS);
    else this.#speaks = this.pick(SPEAKS);
    if (what === "era") this.forget();
  }

  /** Breaks no more, and has all tools. */
  recover(): void {
    this.badness = 0;
    this.#tools = LISTS[0];
  }

  /** Answers a request. Rejects like `fetch` if the connection breaks or the signal fires. */
  async fetch(request: Request, signal: AbortSignal | null | undefined): Promise<Response> {
    if (request.method === "GET") return this.#continue(request.headers.get("last-event-id") ?? "");
    const message = (await request.json()) as Message;
    const version = request.headers.get("mcp-protocol-version");
    const session = request.headers.get("mcp-session-id");
    if (this.#random() < this.badness) {
      const how = this.pick(REFUSALS);
      if (typeof how === "number") return new Response(how === 502 ? "<html>" : "no", { status: how });
      if (how === "hangs")
        return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      const isExecuted = how === "executes and breaks" && message.method === "tools/call";
      if (isExecuted && this.#refuses(message, version, session) === null) this.#execute(message);
      throw new TypeError("fetch failed");
    }
    return this.#refuses(message, version, session) ?? this.#answer(message, version);
  }

  /** Refuses without looking at the request: it is of the other era, or of a session that is over. */
  #refuses(
    { id = null, method }: Omit<Message, "id"> & { id?: unknown },
    version: string | null,
    session: string | null,
  ) {
    const refuse = (code: number, message: string, status: number, of: unknown, data?: object) =>
      Response.json({ jsonrpc: "2.0", id: of, error: { code, message, ...(data && { data }) } }, { status });
    if (version === MODERN) {
      if (this.#speaks !== "legacy") return null;
      return this.pick([
        () => refuse(-32000, "Unsupported protocol version", 400, null),
        () => new Response("what?", { status: 404 }),
        () => refuse(-32002, "not initialized", 200, id),
      ])();
    }
    if (this.#speaks === "modern")
      return refuse(-32022, "Unsupported protocol version", 400, id, { supported: [MODERN], requested: version });
    if (method === "initialize" || method === undefined || !this.#keepsSessions || this.#sessions.has(session))
      return null;
    return this.pick([
      () => refuse(-32001, "Session not found", 404, null),
      () => new Response("bad session", { status: 400 }),
    ])();
  }

  #answer(message: Message, version: string | null): Response {
    const { id, method, params = {} } = message;
    if (id === undefined || method === undefined) return new Response(null, { status: 202 });
    const complete = version === MODERN ? { resultType: "complete" } : {};
    if (method === "initialize") {
      const session = `session-${++this.#made}`;
      this.#sessions.add(session);
      const result = {
        protocolVersion: this.#version,
        capabilities: { tools: {} },
        serverInfo: { name: "x", version: "1" },
      };
      return this.#sent(id, result, this.#keepsSessions ? { "mcp-session-id": session } : {});
    }
    if (method === "tools/list") return this.#sent(id, { ...complete, tools: this.#tools.map(listed) });
    if (!this.#tools.includes(params.name ?? ""))
      return Response.json({ jsonrpc: "2.0", id, error: { code: -32602, message: "unknown tool" } });
    const isAsked = version === MODERN && !params.inputResponses && this.#random() < 0.15;
    if (isAsked) return Response.json({ jsonrpc: "2.0", id, result: QUESTION });
    return this.#sent(id, { ...complete, ...this.#execute(message) });
  }

  #execute({ params = {} }: Message): object {
    const note = params.arguments?.note ?? "";
    if (params.name === "fail") return { isError: true, content: [{ type: "text", text: `failed ${note}` }] };
    this.executed.set(note, (this.executed.get(note) ?? 0) + 1);
    return { content: [{ type: "text", text: `did ${note}` }] };
  }

  /** Sends an answer, or loses it. */
  #sent(id: number | string, result: object, headers: Record<string, string> = {}): Response {
    const answer = { jsonrpc: "2.0", id, result };
    const text = JSON.stringify(answer);
    const stream = (body: string | ReadableStream<Uint8Array>) =>
      new Response(body, { headers: { ...headers, "content-type": "text/event-stream" } });
    if (this.#random() >= this.badness) {
      if (this.#random() < 0.5) return Response.json(answer, { headers });
      const end = this.pick(["\n", "\r\n"]);
      const others = Array.from({ length: Math.floor(this.#random() * 4) }, () => JSON.stringify(this.#noise(id)));
      return stream([...others, text].map((data) => `event: message${end}data: ${data}${end}${end}`).join(""));
    }
    switch (this.pick(LOSSES)) {
      case "half of it":
        return new Response(text.slice(0, text.length / 2), {
          headers: { ...headers, "content-type": "application/json" },
        });
      case "half an event":
        return stream(`data: ${text.slice(0, 10)}`);
      case "the rest of a stream": {
        const name = `s${++this.#made}`;
        this.#streams.set(name, [JSON.stringify(this.#noise(id)), text]);
        return stream(`id: ${name}:0\nretry: ${this.pick([0, 100, 3000])}\ndata:\n\n`);
      }
      case "a broken stream": {
        const first = `id: x${++this.#made}\ndata: ${JSON.stringify(this.#noise(id))}\n\n`;
        return stream(
          new ReadableStream({
            start: (controller) => controller.enqueue(ENCODER.encode(first)),
            pull: (controller) => controller.error(new TypeError("terminated")),
          }),
        );
      }
      case "all of it":
        return new Response("", { headers });
      case "its id":
        return Response.json({ ...answer, id: 9999 }, { headers });
      case "its form":
        return new Response("<html>ok</html>", { headers: { ...headers, "content-type": "text/html" } });
      case "its body":
        return new Response(null, { status: 202, headers });
    }
  }

  /** Continues a stream from where a client was, or only some of it. */
  #continue(lastEventId: string): Response {
    const [name = "", at = ""] = lastEventId.split(":");
    const events = this.#streams.get(name);
    if (!events || this.#random() < this.badness) return new Response("no", { status: this.pick([404, 405, 503]) });
    const from = Number(at);
    const rest = events.slice(from, from === 0 && this.#random() < 0.5 ? 1 : undefined);
    const body = rest.map((data, index) => `id: ${name}:${from + index + 1}\ndata: ${data}\n\n`).join("");
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  /** Something else that a server may say before its answer. */
  #noise(id: number | string): object {
    return this.pick([
      { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } },
      { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: id, progress: 1 } },
      { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
      { jsonrpc: "2.0", id: 900, method: "ping" },
      { jsonrpc: "2.0", id: "e1", method: "elicitation/create", params: {} },
      { jsonrpc: "2.0", id: 8888, result: { content: [{ type: "text", text: "of another call" }] } },
    ]);
  }
}

/** A question of the newer era in place of a result. */
const QUESTION = {
  resultType: "input_required",
  inputRequests: { name: { method: "elicitation/create", params: {} } },
  requestState: "unchanged",
};

const listed = (name: string): object => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object", properties: { note: { type: "string" } }, required: ["note"] },
});
