// Serves what only the process that runs the Workers can do for the page: their live log, and killing them. It listens on loopback for the
// playground's Worker, which alone has the token.
import { type LiveLog, streamLines } from "./live-log.ts";
import { type Served, serve } from "./serve.ts";

/** What the desk serves. */
export interface DeskParts {
  token: string;
  log: LiveLog;
  /** Kills the Workers without notice, and restarts them. */
  killNine(): Promise<void>;
}

/** The answer to a kill must leave the Worker before it dies. */
const LAST_WORDS_MS = 100;

/** Serves `GET /launcher/log` and `POST /launcher/kill` on a free port. */
export const openDesk = ({ token, log, killNine }: DeskParts): Promise<Served> =>
  serve(
    (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (request.headers.get("authorization") !== `Bearer ${token}`) return new Response(null, { status: 403 });
      if (pathname === "/launcher/log" && request.method === "GET")
        return new Response(streamLines(log, Number(searchParams.get("after") ?? 0)), {
          headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
        });
      if (pathname !== "/launcher/kill" || request.method !== "POST") return new Response(null, { status: 404 });
      setTimeout(() => void killNine(), LAST_WORDS_MS);
      return Response.json({ ok: true });
    },
    { keepsAlive: false },
  );
