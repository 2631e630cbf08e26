// A remote server of the newer protocol for tests, as a request handler: strict about what every request must declare.
// Written from the protocol alone, without looking at our client.

const VERSION = "2026-07-28";
const PREFIX = "io.modelcontextprotocol";

/** One request that arrived. */
export interface ModernRequest {
  method: string;
  id: string | number;
  params: Record<string, unknown>;
  headers: Headers;
}

/** The server, and everything that a test can change or look at. */
export interface ModernServer {
  fetch(request: Request): Promise<Response>;
  heard: ModernRequest[];
  methods(): string[];
  /** Rules of the protocol that the client broke. */
  violations: string[];
  tools: unknown[];
  /** Fields of a list in addition to its tools. */
  listFields: object;
  onCall: (asked: ModernRequest) => object | Response | Promise<object | Response>;
  /** What it answers to a request, unless null. */
  instead: (asked: ModernRequest) => Response | null;
}

/** Makes a refusal in this protocol's form. */
export const refusal = (code: number, message: string, data?: object, status = 400): Response =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code, message, ...(data && { data }) } }, { status });

/** Refuses every version but its own, like a server that dropped the older protocol. */
export const onlyModern = (requested: string | null): Response =>
  refusal(-32022, "Unsupported protocol version", { supported: [VERSION], requested });

/** Makes a server with these tools. */
export function modernServer(...tools: unknown[]): ModernServer {
  const server: ModernServer = {
    heard: [],
    violations: [],
    tools,
    listFields: { ttlMs: 300_000, cacheScope: "public" },
    onCall: ({ params }) => ({
      resultType: "complete",
      content: [{ type: "text", text: `did ${String(params.name)}` }],
    }),
    instead: () => null,
    methods: () => server.heard.map(({ method }) => method),
    async fetch(request) {
      const message = (await request.json()) as Omit<ModernRequest, "headers">;
      const version = request.headers.get("mcp-protocol-version");
      const asked = { ...message, headers: request.headers };
      server.heard.push(asked);
      const other = server.instead(asked);
      if (other) return other;
      if (message.method === "initialize" || version !== VERSION) return onlyModern(version);
      judge(asked);
      const { id, method } = message;
      if (method === "tools/list")
        return Response.json({
          jsonrpc: "2.0",
          id,
          result: { resultType: "complete", ...server.listFields, tools: server.tools },
        });
      if (method !== "tools/call") return refusal(-32601, `no method ${method}`, undefined, 404);
      const answer = await server.onCall(asked);
      return answer instanceof Response ? answer : Response.json({ jsonrpc: "2.0", id, result: answer });
    },
  };

  function judge({ method, params, headers, id }: ModernRequest) {
    const meta = (params._meta ?? {}) as Record<string, unknown>;
    const accept = headers.get("accept") ?? "";
    const rules: [boolean, string][] = [
      [meta[`${PREFIX}/protocolVersion`] === VERSION, "says no version of its own"],
      [typeof meta[`${PREFIX}/clientCapabilities`] === "object", "says nothing of its abilities"],
      [typeof meta[`${PREFIX}/clientInfo`] === "object", "does not say who asks"],
      [headers.get("mcp-method") === method, "has another method in its headers"],
      [headers.get("mcp-name") === (params.name ?? null), "has another name in its headers"],
      [headers.get("mcp-session-id") === null, "names a session"],
      [accept.includes("application/json") && accept.includes("text/event-stream"), "does not accept both kinds"],
      [server.heard.filter((one) => one.id === id).length === 1, "has an id that was used before"],
    ];
    for (const [isKept, rule] of rules) if (!isKept) server.violations.push(`${method}: ${rule}`);
  }
  return server;
}
