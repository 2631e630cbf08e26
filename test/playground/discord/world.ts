// A local Discord under a clock that only a test moves, and an application whose endpoint answers as the test says.
import { APPLICATION, createLocalDiscord, type LocalDiscord } from "../../../src/playground/discord/local-discord.ts";
import type { Options } from "../../../src/playground/discord/options.ts";

/** What an endpoint sees of an interaction. */
export interface Received {
  id: string;
  token: string;
  type: number;
  [field: string]: unknown;
}

/** An answer of Discord's REST API, parsed. */
export interface Reply {
  status: number;
  code: number | null;
  body: Record<string, unknown>;
}

export interface TestWorld {
  discord: LocalDiscord;
  clock: { now: number };
  /** The interactions the endpoint received, oldest first. */
  received: Received[];
  /** Sets how the endpoint answers from now on. */
  endpoint(answer: (interaction: Received) => Response | Promise<Response>): void;
  /** Handles the requests to the endpoint before `endpoint` does. */
  onCall(answer: (request: Request) => Response): void;
  rest(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

export const SILENT = { allowed_mentions: { parse: [] } };
export const AS_BOT = { authorization: `Bot ${APPLICATION.botToken}` };
export const inline = (answer: object): Response => Response.json(answer);

export function testWorld(options: Partial<Options> = {}): TestWorld {
  const clock = { now: Date.parse("2026-11-20T12:00:00Z") };
  const received: Received[] = [];
  let call: ((request: Request) => Response) | null = null;
  let answer: (interaction: Received) => Response | Promise<Response> = () => inline({ type: 5 });
  const discord = createLocalDiscord({
    now: () => clock.now,
    options,
    dispatch: async (request) => {
      if (call) return call(request);
      const interaction = (await request.json()) as Received;
      received.push(interaction);
      return answer(interaction);
    },
  });
  return {
    discord,
    clock,
    received,
    onCall: (next) => {
      call = next;
    },
    endpoint: (next) => {
      answer = next;
    },
    rest: async (method, path, body, headers = {}) => {
      const isForm = body instanceof FormData;
      const response = await discord.fetch(
        new Request(`http://discord.local/api/v10${path}`, {
          method,
          headers: {
            "user-agent": "DiscordBot (https://example.org, 1.0)",
            ...(body !== undefined && !isForm && { "content-type": "application/json" }),
            ...headers,
          },
          ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      const read = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
      return { status: response.status, code: typeof read.code === "number" ? read.code : null, body: read };
    },
  };
}

/** Someone runs /chat, the endpoint defers inline, and the token is ready for use. */
export async function deferred(
  world: TestWorld,
  { as = "21", channel = "10" } = {},
): Promise<{ webhook: string; token: string; messageId: string; interactionId: string }> {
  const {
    token,
    messageId = "",
    interactionId,
  } = await world.discord.interact({
    as,
    channel,
    kind: "command",
    name: "chat",
    options: { message: "hello" },
  });
  return { webhook: `/webhooks/${APPLICATION.id}/${token}`, token, messageId, interactionId };
}

/** The `_errors` codes of a 50035 answer, as "path: CODE", in the order of the tree. */
export function faultsIn(reply: Reply): string[] {
  const walk = (node: Record<string, unknown>, path: string[]): string[] =>
    Object.entries(node).flatMap(([key, value]) =>
      key === "_errors"
        ? (value as { code: string }[]).map(({ code }) => `${path.join(".")}: ${code}`)
        : walk(value as Record<string, unknown>, [...path, key]),
    );
  return walk((reply.body.errors ?? {}) as Record<string, unknown>, []);
}
