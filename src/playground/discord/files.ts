// The files of messages, as Discord's CDN serves them.
import type { World } from "./world.ts";

/** What the proxy's address has more than the CDN's: here both are on one host. */
export const BY_PROXY = "?by=proxy";

/** Discord's files are on a host of their own. Here they are on the page's, and a page or a drawing among them must not act for it. */
const POLICY = "script-src 'none'; form-action 'none'";

/**
 * A file of the CDN, if the path is one: `/attachments/{channel}/{attachment}/{filename}`, or its ephemeral variant. A Worker
 * gets only the ephemeral ones (docs: tutorials/hosting-on-cloudflare-workers), and through the media proxy the others if the options
 * say so; here a Worker is recognized by the User-Agent that a bot must send.
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
