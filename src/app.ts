// The Worker's routes other than the interactions endpoint. index.ts calls the endpoint without them, so a turn's cold start doesn't load this
// file. It is one of the five places that catch exceptions: every failure is logged and answered.
import type { Context } from "hono";
import { Hono } from "hono/tiny";
import { VERSION } from "./config.ts";
import { gatewayStatusText } from "./core/copy/gateway.ts";
import { homeText } from "./core/copy/health.ts";
import { answerConsent, clientMetadata } from "./discord/answers/consent-pages.ts";
import { createPlaceNames } from "./discord/rest/place-names.ts";
import { userAgent } from "./discord/rest/user-agent.ts";
import { createEndpoint, ENDPOINT, type EndpointPorts, watchGateway } from "./endpoint.ts";
import { describeHealth } from "./health.ts";
import type { InspectedChannelPort } from "./inspector/reader.ts";

/** The ports of the routes. */
export interface AppPorts extends EndpointPorts {
  /** The variables as they were written. */
  variables: unknown;
  /** Returns a channel's object by its name, as the inspector reads it. */
  inspected: (channel: string) => InspectedChannelPort;
  /** Asks Discord and the models for the owner's `/health`. */
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Builds the Worker's application. Its routes never throw. */
export function createApp(ports: AppPorts): Hono {
  const app = new Hono();
  const { config } = ports;
  const gateway = watchGateway(ports);
  const { apiBaseUrl: baseUrl, botToken } = config.ok ? config.config.discord : { apiBaseUrl: "", botToken: null };
  const names = createPlaceNames({ baseUrl, botToken, fetch: ports.fetch, userAgent: userAgent(VERSION) }, ports.now);
  const readerPorts = { ...ports, gateway, names };
  const consentPorts = { ...ports, tokenKey: config.ok ? config.config.tokenKey : null };
  const endpoint = createEndpoint(ports);
  app.get("/", (c) => c.text(homeText(config.ok ? [] : config.problems)));
  app.get("/health", async (c) => {
    const watched = config.ok ? gateway() : null;
    const isOwner = async (token: string) => {
      try {
        const { createReader, tryBearer } = await import("./inspector/inspector.ts");
        return (await tryBearer(c.req.raw, token, createReader(readerPorts))) === "open";
      } catch (error) {
        ports.logError("a scope can't be reached", { scope: "deployment", error: String(error) });
        return false;
      }
    };
    const { status, body } = await describeHealth(ports, c.req.raw, isOwner);
    return c.json(watched ? { ...body, gateway: gatewayStatusText(await watched) } : body, status);
  });
  app.post(ENDPOINT, (c) => endpoint(c.req.raw));
  // A link works only once. A scanner that checks links sends HEAD, which Hono would handle as GET, so HEAD does nothing.
  const consent = (step: "start" | "return") => async (c: Context) =>
    c.req.raw.method === "HEAD" ? c.body(null) : answerConsent(step, new URL(c.req.url).search, consentPorts);
  app.get("/oauth/start", consent("start"));
  app.get("/oauth/callback", consent("return"));
  app.get("/oauth/client.json", (c) =>
    c.json(clientMetadata((config.ok && config.config.publicUrl) || new URL(c.req.url).origin)),
  );
  // For the owner, if INSPECT_TOKEN is set. Its code is loaded only here, so it delays no turn.
  const token = config.ok ? config.config.inspectToken : null;
  const inspect = async (request: Request) => {
    const { answerInspector, createReader } = await import("./inspector/inspector.ts");
    return answerInspector(request, { ...ports, token: token ?? "", reader: createReader(readerPorts) });
  };
  for (const path of ["/inspect", "/inspect.json", "/inspect/*"])
    app.all(path, (c) => (token === null ? c.notFound() : inspect(c.req.raw)));
  app.onError((error, c) => {
    ports.logError("request failed", { path: c.req.path, error: error.message });
    return c.json({ error: "internal error" }, 500);
  });
  return app;
}
