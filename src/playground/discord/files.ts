// Serves the files of messages as Discord's CDN does.
import type { World } from "./world.ts";

/** The query that marks the media proxy's address. Here the proxy and the CDN are on the same host. */
export const BY_PROXY = "?by=proxy";

/** Discord's files are on their own host. Here they are on the page's host, so an HTML or SVG file must not be able to run scripts there. */
const POLICY = "script-src 'none'; form-action 'none'";

/**
 * Serves a file of the CDN; null if the path is not `/attachments/{channel}/{attachment}/{filename}` or its ephemeral variant. A Worker gets
 * only the ephemeral files (docs: tutorials/hosting-on-cloudflare-workers), and the others through the media proxy if the options say so. A
 * Worker is recognized here by the User-Agent that a bot must send.
 */
export function serveFile(world: World, request: Request): Response | null {
  const { pathname, search } = new URL(request.url);
  const [, ephemeral, id] = /^\/(ephemeral-)?attachments\/\d+\/(\d+)\//.exec(pathname) ?? [];
  if (id === undefined) return null;
  const isHandedOut = ephemeral !== undefined || (search === BY_PROXY && world.options.proxyHandsOut);
  if (!isHandedOut && request.headers.get("user-agent")?.startsWith("DiscordBot"))
    return new Response("Forbidden", { status: 403 });
  const file = world.attachments.get(id);
  return file
    ? new Response(file.bytes, { headers: { "content-type": file.contentType, "content-security-policy": POLICY } })
    : new Response("This content is no longer available.", { status: 404 });
}
