// The one object with the local world, so that requests share it. The world itself lives in the module and not in the object: an
// idle object is evicted within minutes, and Discord does not forget its messages over lunch.
import { DurableObject } from "cloudflare:workers";
import { type LocalWorldRoutes, localWorldRoutes } from "./control.ts";
import { createLocalDiscord } from "./discord/local-discord.ts";
import { createLocalModel } from "./model/model.ts";

interface Env {
  PARLEY: Fetcher;
  /** The playground's address; attachment URLs begin with it. */
  PLAYGROUND_URL?: string;
}

let held: LocalWorldRoutes | undefined;

/** Serves `/api/v10`, `/v1`, `/local` and the files of messages. */
export class LocalWorld extends DurableObject<Env> {
  override fetch(request: Request): Promise<Response> {
    held ??= build(this.env);
    return held.fetch(request);
  }
}

function build(env: Env): LocalWorldRoutes {
  let aheadMs = 0;
  const model = createLocalModel({ now: Date.now, sleep });
  const discord = createLocalDiscord({
    now: () => Date.now() + aheadMs,
    // Moving the local Discord's clock does not move Parley's, which refuses signatures of another time.
    signatureClock: Date.now,
    dispatch: (request) => env.PARLEY.fetch(request),
    // The limits that webhook routes were observed to have (discord/discord-api-docs#6753).
    options: { buckets: { limit: 5, windowMs: 2000 } },
    cdnUrl: env.PLAYGROUND_URL ?? "http://127.0.0.1:8787",
  });
  const clock = {
    advance: (ms: number) => {
      aheadMs += ms;
    },
    reset: () => {
      aheadMs = 0;
    },
  };
  return localWorldRoutes({ discord, model, clock, sleep: (ms) => sleep(ms) });
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
