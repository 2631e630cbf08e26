// The one object with the local world, so that requests share it. The world itself lives in the module and not in the object: an
// idle object is evicted within minutes, and Discord does not forget its messages over lunch.
import { DurableObject } from "cloudflare:workers";
import { type LocalWorldRoutes, localWorldRoutes } from "./control.ts";
import { createLocalDiscord, type LocalDiscord } from "./discord/local-discord.ts";
import { acceptSocket } from "./gateway/socket.ts";
import { createLocalModel } from "./model/model.ts";

interface Env {
  PARLEY: Fetcher;
  /** The playground's address; attachment URLs begin with it. */
  PLAYGROUND_URL?: string;
}

interface Held {
  discord: LocalDiscord;
  routes: LocalWorldRoutes;
}

let held: Held | undefined;

/** How often it is looked whether a socket, a session or an interaction has taken too long. */
const SWEEP_MS = 1000;

/** Serves `/api/v10`, `/v1`, `/local`, the files of messages, and the Gateway. */
export class LocalWorld extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    // A timer dies with its object, and so each object has one of its own.
    setInterval(() => held?.discord.gateway.sweep(), SWEEP_MS);
  }

  override async fetch(request: Request): Promise<Response> {
    held ??= build(this.env);
    const { pathname } = new URL(request.url);
    if (!/^\/gateway(\/|$)/.test(pathname)) return held.routes.fetch(request);
    if (request.headers.get("upgrade")?.toLowerCase() === "websocket")
      return acceptSocket(held.discord.gateway, request);
    return new Response("The Gateway is a WebSocket.\n", { status: 426, headers: { upgrade: "websocket" } });
  }
}

function build(env: Env): Held {
  let aheadMs = 0;
  const url = env.PLAYGROUND_URL ?? "http://127.0.0.1:8787";
  const model = createLocalModel({ now: Date.now, sleep });
  const discord = createLocalDiscord({
    now: () => Date.now() + aheadMs,
    // Moving the local Discord's clock does not move Parley's, which refuses signatures of another time.
    signatureClock: Date.now,
    dispatch: (request) => env.PARLEY.fetch(request),
    // The limits that webhook routes were observed to have (discord/discord-api-docs#6753).
    options: { buckets: { limit: 5, windowMs: 2000 } },
    cdnUrl: url,
    gatewayUrl: `${url.replace(/^http/, "ws")}/gateway`,
    socketClock: Date.now,
  });
  const clock = {
    advance: (ms: number) => {
      aheadMs += ms;
    },
    reset: () => {
      aheadMs = 0;
    },
  };
  return { discord, routes: localWorldRoutes({ discord, model, clock, sleep: (ms) => sleep(ms) }) };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
