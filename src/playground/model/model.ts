// The local model as a server: an OpenAI-compatible endpoint behind `fetch`, with a log and a queue of script steps. Refuses what a hosted
// provider refuses. Runs in workerd and in Node; uses no product code and stores nothing on disk.
import { serveMedia } from "./media.ts";
import { answer } from "./mind.ts";
import { type ChatRequest, type Fault, readContent, readRequest } from "./request.ts";
import type { ScriptStep } from "./script.ts";
import { type Sleep, streamCompletion, streamEvents } from "./wire.ts";

const LOG_LIMIT = 1_000;
const MODEL_NAME = "parley-local";

/**
 * One call to the completions endpoint, whatever its result. `at` in ms; `body` is the parsed JSON, or the raw text if it was not
 * JSON. `aborted`: the client left before the end. `finished`: everything was sent. A stream that was cut is neither.
 */
export type ModelLogEntry = { at: number; body: unknown; status: number; aborted: boolean; finished: boolean };

/** The local model. `log` is live: the newest thousand calls in order of arrival. `reset` clears log and script. */
export type LocalModel = {
  /**
   * Serves `POST …/v1/chat/completions`, `GET …/v1/models`, and sounds and pictures (media.ts); anything else is 404. Rejects for a request that
   * is already aborted, and for a broken body of a sound or a picture.
   */
  fetch(request: Request): Promise<Response>;
  /** Appends steps to the queue. A request takes the first step whose `when` matches; without one, mind.ts answers. */
  script(steps: readonly ScriptStep[]): void;
  readonly log: ModelLogEntry[];
  reset(): void;
};

/** Creates a model with its own queue and log. `now` in ms since the epoch. */
export function createLocalModel(ports: { now: () => number; sleep: Sleep }): LocalModel {
  const log: ModelLogEntry[] = [];
  const queue: ScriptStep[] = [];
  let answers = 0;

  async function complete(request: Request): Promise<Response> {
    const atMs = ports.now();
    const text = await request.text();
    const parsed = parse(text);
    const entry = { at: atMs, body: parsed.ok ? parsed.value : text, status: 200, aborted: false, finished: false };
    log.push(entry);
    if (log.length > LOG_LIMIT) log.shift();
    const refuse = (status: number, fault: Fault, code: string | null = null) => {
      Object.assign(entry, { status, finished: true });
      return failure(status, fault, code);
    };

    if (!/^Bearer\s+\S/i.test(request.headers.get("authorization") ?? ""))
      return refuse(401, { message: "You did not provide an API key.", param: null }, "invalid_api_key");
    if (!parsed.ok) return refuse(400, { message: "Invalid request: the body is not JSON", param: null });
    const read = readRequest(parsed.value);
    if (!read.ok) return refuse(400, read.fault);

    const step = takeStep(queue, read.request) ?? answer(read.request);
    const plain = plainResponse(step);
    if (plain) {
      Object.assign(entry, { status: plain.status, finished: true });
      return plain;
    }
    const streams = read.request.stream === true;
    const gone = new AbortController();
    const serial = `${atMs.toString(36)}${(answers++).toString(36)}`;
    const delivery = { request: read.request, step, atMs, serial, sleep: ports.sleep, gone: gone.signal };
    entry.status = step.status ?? 200;
    return new Response(
      streamBody(streams ? streamEvents(delivery) : streamCompletion(delivery), request.signal, gone, entry),
      {
        status: entry.status,
        headers: {
          "content-type": streams ? "text/event-stream; charset=utf-8" : "application/json",
          "cache-control": "no-cache",
          ...step.headers,
        },
      },
    );
  }

  return {
    async fetch(request) {
      request.signal.throwIfAborted();
      const { pathname } = new URL(request.url);
      if (request.method === "POST" && pathname.endsWith("/v1/chat/completions")) return complete(request);
      if (request.method === "GET" && pathname.endsWith("/v1/models"))
        return Response.json({
          object: "list",
          data: [{ id: MODEL_NAME, object: "model", created: 0, owned_by: "playground" }],
        });
      const made = await serveMedia(request);
      if (made) return made;
      return failure(
        404,
        { message: `Unknown request URL: ${request.method} ${pathname}.`, param: null },
        "unknown_url",
      );
    },
    script: (steps) => void queue.push(...steps),
    log,
    reset() {
      log.length = 0;
      queue.length = 0;
    },
  };
}

function takeStep(queue: ScriptStep[], request: ChatRequest): ScriptStep | undefined {
  const newest = readContent(request.messages.findLast((message) => message.role === "user")?.content);
  const index = queue.findIndex((step) => newest.includes(step.when?.userTextIncludes ?? ""));
  return index < 0 ? undefined : queue.splice(index, 1)[0];
}

function plainResponse(step: ScriptStep): Response | undefined {
  const status = step.status ?? 200;
  if (step.body === undefined)
    return status < 400
      ? undefined
      : failure(status, { message: `The local model answers ${status}.`, param: null }, null, step.headers);
  const isText = typeof step.body === "string";
  const headers = { "content-type": isText ? "text/plain; charset=utf-8" : "application/json", ...step.headers };
  return new Response(isText ? String(step.body) : JSON.stringify(step.body), { status, headers });
}

function failure(status: number, fault: Fault, code: string | null, headers: Record<string, string> = {}): Response {
  const type =
    status >= 500
      ? "server_error"
      : status === 429
        ? "rate_limit_error"
        : status === 401
          ? "authentication_error"
          : "invalid_request_error";
  return Response.json({ error: { message: fault.message, type, param: fault.param, code } }, { status, headers });
}

// A client leaves in one of two ways: over a socket, the body is canceled; with an injected fetch, only the request's signal aborts, and then
// the body must fail as a real one does.
function streamBody(
  frames: AsyncGenerator<string>,
  client: AbortSignal,
  gone: AbortController,
  entry: ModelLogEntry,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let open = true;
  const leave = (reason: unknown) => {
    if (!open) return;
    open = false;
    entry.aborted = true;
    gone.abort(reason);
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      client.addEventListener(
        "abort",
        () => {
          leave(client.reason);
          controller.error(client.reason);
        },
        { once: true },
      );
    },
    async pull(controller) {
      try {
        const { done, value } = await frames.next();
        if (!open) return;
        if (!done) return controller.enqueue(encoder.encode(value));
        open = false;
        entry.finished = true;
        controller.close();
      } catch (error) {
        if (open) controller.error(error);
        open = false;
      }
    },
    cancel: leave,
  });
}

function parse(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}
