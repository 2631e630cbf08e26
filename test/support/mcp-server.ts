// A remote MCP server for tests, as a request handler: strict about the protocol's rules for a client, and as slow, forgetful or
// dishonest as a test wants. Written from the protocol alone, without looking at our client.

/** One message that arrived, and the session that it named. */
export interface Heard {
  method: string;
  id?: string | number;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number };
  session: string | null;
}

/** The answer to a call or a list: a JSON-RPC result, or a whole response. */
export type McpAnswer = object | Response | Promise<object | Response>;

/** The server, and everything that a test can change or look at. */
export interface McpServerUnderTest {
  fetch(request: Request): Promise<Response>;
  heard: Heard[];
  /** Methods in the order of their arrival. */
  methods(): string[];
  /** Requests of the newer protocol, which this server refuses without reading them. */
  probes: number;
  /** Rules of the protocol that the client broke. */
  violations: string[];
  /** Methods of the requests whose client hung up before the answer was complete. */
  lost: string[];
  /** The tools in its list. */
  tools: unknown[];
  /** Tools per page. */
  pageSize: number;
  protocolVersion: string;
  /** Whether the server has sessions. */
  keepsSessions: boolean;
  /** Whether it answers with an event stream instead of JSON. */
  streams: boolean;
  /** Messages in the stream before the answer. */
  before: object[];
  onCall: (params: Record<string, unknown>, request: Request) => McpAnswer;
  /** The answer to every request, if set. */
  instead: ((request: Request) => Response | Promise<Response>) | null;
  /** Stops answering, and counts clients that ask and that hang up. */
  hang(): { asked: number; lost: number };
  /** Forgets every session. `status` is the answer to a request of a forgotten session. */
  forget(status?: number): void;
}

/** A tool in a server's form. */
export const listed = (name: string, over: object = {}): object => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object", properties: { note: { type: "string" } } },
  ...over,
});

/** Makes the result of a call: one text. */
export const says = (text: string, over: object = {}): object => ({ content: [{ type: "text", text }], ...over });

/** Makes a server with these tools. */
export function mcpServer(...tools: unknown[]): McpServerUnderTest {
  const sessions = new Map<string, { ready: boolean }>();
  let made = 0;
  let forgottenStatus = 404;

  const server: McpServerUnderTest = {
    heard: [],
    probes: 0,
    violations: [],
    lost: [],
    tools,
    pageSize: 100,
    protocolVersion: "2025-11-25",
    keepsSessions: true,
    streams: false,
    before: [],
    onCall: ({ name }) => says(`did ${String(name)}`),
    instead: null,
    methods: () => server.heard.map(({ method }) => method),
    hang() {
      const count = { asked: 0, lost: 0 };
      server.instead = ({ signal }) => {
        count.asked++;
        signal.addEventListener("abort", () => count.lost++);
        return new Promise(() => {});
      };
      return count;
    },
    forget(status = 404) {
      forgottenStatus = status;
      sessions.clear();
    },
    async fetch(request) {
      if (server.instead) return server.instead(request);
      const message = (await request.json()) as Heard & { jsonrpc?: string };
      const session = request.headers.get("mcp-session-id");
      const spoken = request.headers.get("mcp-protocol-version");
      if (spoken === "2026-07-28") {
        server.probes++;
        const error = { code: -32000, message: `Unsupported protocol version: ${spoken}` };
        return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 400 });
      }
      server.heard.push({ ...message, method: message.method ?? "answer", session });
      request.signal.addEventListener("abort", () => server.lost.push(message.method));
      judge(request, message);
      if (message.method === "initialize") return initialize(message);
      const known = session === null ? null : sessions.get(session);
      if (server.keepsSessions && session === null) return new Response("no session", { status: 400 });
      if (server.keepsSessions && !known) return new Response("session not found", { status: forgottenStatus });
      if (message.method === "notifications/initialized" && known) known.ready = true;
      if (known && !known.ready) server.violations.push(`${message.method} before initialized`);
      if (message.id === undefined || message.method === undefined) return new Response(null, { status: 202 });
      return respond(message, request);
    },
  };

  function judge({ method, headers }: Request, message: Heard & { jsonrpc?: string }) {
    const accept = headers.get("accept") ?? "";
    const isFirst = message.method === "initialize";
    const version = headers.get("mcp-protocol-version");
    const rules: [boolean, string][] = [
      [method === "POST", "a message not posted"],
      [message.jsonrpc === "2.0", "no JSON-RPC 2.0"],
      [accept.includes("application/json") && accept.includes("text/event-stream"), "does not accept both kinds"],
      [headers.get("content-type") === "application/json", "not sent as JSON"],
      [isFirst ? version === null : version === server.protocolVersion, `says version ${version}`],
      [!isFirst || headers.get("mcp-session-id") === null, "initializes within a session"],
      [message.id !== null, "an id of null"],
    ];
    for (const [isKept, rule] of rules) if (!isKept) server.violations.push(`${message.method}: ${rule}`);
  }

  function initialize({ id }: Heard): Response {
    const session = `session-${++made}`;
    sessions.set(session, { ready: false });
    const headers = server.keepsSessions ? { "mcp-session-id": session } : undefined;
    const { protocolVersion } = server;
    const result = {
      protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "t", version: "1" },
    };
    return answered({ jsonrpc: "2.0", id, result }, headers);
  }

  async function respond({ id, method, params = {} }: Heard, request: Request): Promise<Response> {
    switch (method) {
      case "tools/list": {
        const from = Number(params.cursor ?? 0);
        const next = from + server.pageSize;
        const more = next < server.tools.length ? { nextCursor: String(next) } : {};
        return answered({ jsonrpc: "2.0", id, result: { tools: server.tools.slice(from, next), ...more } });
      }
      case "tools/call": {
        const answer = await server.onCall(params, request);
        if (answer instanceof Response) return answer;
        return answered({ jsonrpc: "2.0", id, ...("error" in answer ? answer : { result: answer }) });
      }
      default:
        return answered({ jsonrpc: "2.0", id, error: { code: -32601, message: `no method ${method}` } });
    }
  }

  function answered(message: object, headers: Record<string, string> = {}): Response {
    if (!server.streams) return Response.json(message, { headers });
    const events = [...server.before, message].map(
      (one, index) => `id: ${index}\nevent: message\ndata: ${JSON.stringify(one)}\n\n`,
    );
    return new Response(events.join(""), {
      headers: { ...headers, "content-type": "text/event-stream; charset=utf-8" },
    });
  }
  return server;
}
