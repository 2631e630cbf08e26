// The one object with the local world, so that all requests share it. The world itself lives in the module and not in the object: an idle
// object is evicted within minutes, and the page's streams with it. The world is written to the object's storage before each answer. That
// storage is next to that of the bot's objects, so both survive an edit of the source or a restart together.
import { DurableObject } from "cloudflare:workers";
import { type LocalWorldRoutes, localWorldRoutes } from "./control.ts";
import { createLocalDiscord, type LocalDiscord } from "./discord/local-discord.ts";
import { acceptSocket } from "./gateway/socket.ts";
import { createLocalModel } from "./model/model.ts";
import { openWorldStore, type WorldStore } from "./world-store.ts";

interface Env {
  PARLEY: Fetcher & Scheduled;
  /** The playground's address; attachment URLs begin with it. */
  PLAYGROUND_URL?: string;
}

/** What a service binding has besides `fetch`, with the flag `service_binding_extra_handlers`. */
interface Scheduled {
  scheduled(options: { scheduledTime: Date; cron: string }): Promise<unknown>;
}

interface Held {
  discord: LocalDiscord;
  routes: LocalWorldRoutes;
  /** Writes what has changed since the last time. */
  save(store: WorldStore): void;
}

let held: Held | undefined;

/** The record of how far the local Discord's clock was moved, in milliseconds. */
const AHEAD = "clock";
/** How often to look for sockets, sessions and interactions that have taken too long. */
const SWEEP_MS = 1000;
/** The cron trigger of /wrangler.toml, which `wrangler dev` never fires. */
const CRON = { text: "*/5 * * * *", everyMs: 5 * 60_000 };

/** Serves `/api/v10`, `/v1`, `/local`, the files of messages, and the Gateway. */
export class LocalWorld extends DurableObject<Env> {
  private readonly store: WorldStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.store = openWorldStore({
      sql: ctx.storage.sql,
      transactionSync: (work) => ctx.storage.transactionSync(work),
    });
    this.runCron();
    setInterval(() => this.runCron(), CRON.everyMs);
    // A timer dies with its object, so each object sets its own.
    setInterval(() => {
      held?.discord.gateway.sweep();
      held?.save(this.store);
    }, SWEEP_MS);
  }

  /** Runs Parley's cron trigger, as Cloudflare does. It also runs at once, so that the bot is on the Gateway from the start. */
  private runCron(): void {
    // Errors are ignored: if the product has no such handler, or does not build at the moment, the log already says so.
    this.env.PARLEY.scheduled({ scheduledTime: new Date(), cron: CRON.text }).catch(() => {});
  }

  override async fetch(request: Request): Promise<Response> {
    held ??= build(this.env, this.store);
    const { pathname } = new URL(request.url);
    if (!/^\/gateway(\/|$)/.test(pathname)) {
      const response = await held.routes.fetch(request);
      held.save(this.store);
      return response;
    }
    if (request.headers.get("upgrade")?.toLowerCase() === "websocket")
      return acceptSocket(held.discord.gateway, request);
    return new Response("The Gateway is a WebSocket.\n", { status: 426, headers: { upgrade: "websocket" } });
  }
}

function build(env: Env, store: WorldStore): Held {
  const kept = store.read();
  let aheadMs = Number(kept.get(AHEAD) ?? 0);
  let isChanged = false;
  const url = env.PLAYGROUND_URL ?? "http://127.0.0.1:8787";
  const model = createLocalModel({ now: Date.now, sleep });
  const discord = createLocalDiscord({
    now: () => Date.now() + aheadMs,
    // Moving the local Discord's clock does not move Parley's, and Parley refuses signatures from another time.
    signatureClock: Date.now,
    dispatch: (request) => env.PARLEY.fetch(request),
    // The observed limits of webhook routes (discord/discord-api-docs#6753).
    options: { buckets: { limit: 5, windowMs: 2000 } },
    cdnUrl: url,
    gatewayUrl: `${url.replace(/^http/, "ws")}/gateway`,
    socketClock: Date.now,
  });
  const clock = {
    advance: (ms: number) => {
      aheadMs += ms;
      isChanged = true;
    },
    reset: () => {
      aheadMs = 0;
    },
  };
  discord.restore(kept);
  discord.onChange(() => {
    isChanged = true;
  });
  return {
    discord,
    routes: localWorldRoutes({ discord, model, clock, sleep }),
    save(to) {
      if (!isChanged) return;
      isChanged = false;
      to.write(discord.record().set(AHEAD, String(aheadMs)));
    },
  };
}

const sleep = (ms: number, signal?: AbortSignal): Promise<void> => scheduler.wait(ms, signal ? { signal } : {});
