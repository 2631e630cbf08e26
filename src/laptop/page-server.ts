// Serves the live log to a browser on this computer. The same server has the local model, for a bot without a key, and reads public pages for
// the bot's tools. It answers loopback names only, so that no other web page can read from it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { transform } from "esbuild";
import { loopbackHost } from "../config/addresses.ts";
import { type LiveLog, streamLines } from "../playground/live-log.ts";
import { type Served, serve } from "../playground/serve.ts";

/** What the server needs. */
export interface PageParts {
  /** Another start reads this to find out whether the same bot is already running. */
  applicationId: string;
  log: LiveLog;
  /** The local model; null if a real one answers. */
  model: ((request: Request) => Promise<Response>) | null;
  /** Reads public pages for the bot's tools. */
  read: (request: Request) => Promise<Response>;
}

/** The path where the bot's tools have public pages read. */
export const READER_PATH = "/read";

const FOLDER = join(import.meta.dirname, "page");
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** Serves on this port of 127.0.0.1; 0 takes a free one. Rejects if the port is busy. */
export async function servePage(parts: PageParts, port: number): Promise<Served> {
  const [html, css, script] = await Promise.all(
    ["index.html", "style.css", "page.ts"].map((name) => readFile(join(FOLDER, name), "utf8")),
  );
  const files: Record<string, [string, string]> = {
    "/": ["text/html; charset=utf-8", html ?? ""],
    "/style.css": ["text/css; charset=utf-8", css ?? ""],
    "/page.js": ["text/javascript; charset=utf-8", (await transform(script ?? "", { loader: "ts" })).code],
  };
  return serve(
    async (request) => {
      const { pathname } = new URL(request.url);
      const origin = request.headers.get("origin");
      const isFromHere = origin === null || loopbackHost(origin) !== null;
      if (loopbackHost(request.url) === null || !isFromHere) return new Response(null, { status: 403 });
      if (pathname === READER_PATH) return parts.read(request);
      if (parts.model && pathname.startsWith("/v1/")) return parts.model(request);
      if (request.method !== "GET") return new Response(null, { status: 405 });
      if (pathname === "/application") return Response.json({ id: parts.applicationId }, { headers: HEADERS });
      if (pathname === "/events") {
        const body = streamLines(parts.log, Number(request.headers.get("last-event-id") ?? 0));
        return new Response(body, { headers: { ...HEADERS, "content-type": "text/event-stream" } });
      }
      const file = files[pathname];
      if (!file) return new Response("There is only the live log here.\n", { status: 404, headers: HEADERS });
      return new Response(file[1], { headers: { ...HEADERS, "content-type": file[0] } });
    },
    { port },
  );
}
