// The files of messages, as Discord's CDN serves them.
import type { World } from "./world.ts";

/**
 * A file of the CDN, if the path is one: `/attachments/{channel}/{attachment}/{filename}`, or its ephemeral variant. A Worker
 * gets only the ephemeral ones (docs: tutorials/hosting-on-cloudflare-workers); here a Worker is recognized by the User-Agent
 * that a bot must send.
 */
export function serveFile(world: World, request: Request): Promise<Response> | null {
  const [, ephemeral, id] = /^\/(ephemeral-)?attachments\/\d+\/(\d+)\//.exec(new URL(request.url).pathname) ?? [];
  if (id === undefined) return null;
  if (!ephemeral && request.headers.get("user-agent")?.startsWith("DiscordBot"))
    return Promise.resolve(new Response("Forbidden", { status: 403 }));
  const file = world.attachments.get(id);
  const response = file
    ? new Response(file.bytes, { headers: { "content-type": file.contentType } })
    : new Response("This content is no longer available.", { status: 404 });
  return Promise.resolve(response);
}
