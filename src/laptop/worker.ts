// The Worker of laptop mode: the production Worker, of which only `/health` is reachable, and the requests of `npm start` to the gateway's
// object. It answers on loopback only, and never to a web page.
import { channelObject } from "../../durable-objects/channel.ts";
import { createChannelPorts, production } from "../../durable-objects/composition-root.ts";
import { loopbackHost } from "../config/addresses.ts";
import { readProgram, requireConfig } from "../config.ts";
import product from "../index.ts";
import { throughReader } from "./public-web.ts";

export { GatewayObject, ScopeObject } from "../index.ts";

type Env = Parameters<typeof product.fetch>[1] & { LAPTOP_READER_URL: string; LAPTOP_READER_KEY: string };

/** The product's object, except that its tools can't reach this computer's network. */
export class ChannelObject extends channelObject((ctx, env) => {
  const { LAPTOP_READER_URL: url, LAPTOP_READER_KEY: key } = env as Env;
  const web = throughReader(production.fetch, { url, key }, requireConfig(env).fetchUrlPrivateHosts);
  return createChannelPorts(ctx, env, { ...production, web });
}) {}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    // A browser names the page that a request comes from, and no page has a reason to send requests here.
    if (loopbackHost(request.url) === null || request.headers.has("origin")) return new Response(null, { status: 403 });
    if (pathname === "/health") return product.fetch(request, env);
    const gateway = env.GATEWAY.getByName("discord");
    try {
      switch (`${request.method} ${pathname}`) {
        case "POST /laptop/start":
          return Response.json(await gateway.wake(programHere(env), true));
        case "POST /laptop/wake":
          return Response.json(await gateway.wake(programHere(env)));
        case "GET /laptop/status":
          return Response.json(await gateway.status());
        case "POST /laptop/end":
          await gateway.end();
          return Response.json(await gateway.status());
        default:
          return new Response(null, { status: 404 });
      }
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  },
} satisfies ExportedHandler<Env>;

const programHere = (env: Env): ReturnType<typeof readProgram> => readProgram(requireConfig(env), env);
