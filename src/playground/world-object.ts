// The one object with the local world, so that requests share it. The world itself lives in the module and not in the object: an
// idle object is evicted within minutes, and with it the streams of the page. It is written to the object's storage before each
// answer, beside the storage of the bot's objects, and so both survive an edit of the source and a restart together.
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
/** How often it is looked whether a socket, a session or an interaction has taken too long. */
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
    // A timer dies with its object, and so each object has one of its own.
    setInterval(() => {
      held?.discord.gateway.sweep();
      held?.save(this.store);
    }, SWEEP_MS);
  }

  /** Runs Parley's cron trigger, as Cloudflare does: at once too, so that it listens to the Gateway from the start. */
  private runCron(): void {
    // A product without such a handler, or one that does not build at the moment, says so by itself.
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
