// The routes of the local world: Discord's, the model's, and those under /local, through which the page and tests read and change the
// world. Only handles HTTP and JSON; Discord and the model decide what anything means.
import { Hono, type HonoRequest } from "hono";
import {
  array,
  base64,
  boolean,
  int,
  literal,
  looseObject,
  maximum,
  minimum,
  nullable,
  optional,
  partial,
  prettifyError,
  strictObject,
  string,
  union,
} from "zod/mini";
import { $ZodError } from "zod/v4/core";
import type { Interact } from "./discord/acts.ts";
import { FORECASTS, type Forecast } from "./discord/forecast.ts";
import type { LocalDiscord } from "./discord/local-discord.ts";
import type { Options } from "./discord/options.ts";
import { addGatewayRoutes } from "./gateway/control.ts";
import type { LocalModel } from "./model/model.ts";
import { scriptSchema } from "./model/script.ts";
import { addPanelRoutes } from "./panel-control.ts";
import { addPeopleRoutes } from "./people-control.ts";
import { NotJson, readGiven, readJson } from "./read-json.ts";
import { eventStream, snapshots } from "./snapshots.ts";

/** What the routes need. `clock` moves the local Discord's time; `sleep` is real time, in milliseconds. */
export interface LocalWorldParts {
  discord: LocalDiscord;
  model: LocalModel;
  clock: { advance(ms: number): void; reset(): void };
  sleep(ms: number): Promise<void>;
}

/** The local world behind one `fetch`. */
export interface LocalWorldRoutes {
  fetch(request: Request): Promise<Response>;
}

/** How many requests one period of bad weather may last. */
const MAX_STORM = 1000;
const DAY_MS = 86_400_000;
/** A file in JSON. */
const PICKED = strictObject({ filename: string(), contentType: string(), base64: base64() });
const SAY = strictObject({
  channel: string(),
  as: string(),
  command: optional(string()),
  message: string(),
  file: optional(PICKED),
});
const CLICK = strictObject({ channel: string(), as: string(), messageId: string(), customId: string() });
const ACT = looseObject({
  channel: string(),
  as: string(),
  kind: literal(["command", "autocomplete", "message-command", "click", "submit", "ping", "raw"]),
});
const NOTHING = strictObject({});
const DELETE = strictObject({ messageId: string() });
const CLOCK = strictObject({ advanceMs: int().check(minimum(0), maximum(DAY_MS)) });
const OPTIONS = partial(
  strictObject({
    firstAnswerMs: int().check(minimum(0)),
    webhookRaceMs: int().check(minimum(0)),
    webhookRaceRequests: int().check(minimum(0)),
    requireSilentMentions: boolean(),
    messageContentIntent: boolean(),
    botIsMember: boolean(),
    buckets: union([
      literal(null),
      strictObject({ limit: int().check(minimum(1)), windowMs: int().check(minimum(1)) }),
    ]),
    forceEphemeral: boolean(),
    botManagesWebhooks: boolean(),
    directMessagesOpen: boolean(),
    team: nullable(array(string())),
    botSends: boolean(),
    botReadsHistory: boolean(),
    interactionsEndpoint: boolean(),
    roleMentionShowsContent: boolean(),
    replyShowsReferenced: boolean(),
    proxyHandsOut: boolean(),
  }),
);

const WEATHER = strictObject({
  forecast: literal(Object.keys(FORECASTS) as Forecast[]),
  count: optional(int().check(minimum(1), maximum(MAX_STORM))),
  method: optional(literal(["GET", "POST", "PATCH", "DELETE"])),
});

/** Creates the routes of a local Discord and a local model. */
export function localWorldRoutes(parts: LocalWorldParts): LocalWorldRoutes {
  const app = new Hono();
  app.all("/api/*", ({ req }) => parts.discord.fetch(req.raw));
  app.all("/attachments/*", ({ req }) => parts.discord.fetch(req.raw));
  app.all("/ephemeral-attachments/*", ({ req }) => parts.discord.fetch(req.raw));
  app.all("/v1/*", ({ req }) => parts.model.fetch(req.raw));
  addViews(app, parts);
  addActs(app, parts);
  addLevers(app, parts);
  addPeopleRoutes(app, parts.discord);
  addPanelRoutes(app, parts);
  addGatewayRoutes(app, parts.discord.gateway);
  app.onError((error, c) => {
    if (error instanceof $ZodError) return c.json({ ok: false, error: prettifyError(error) }, 400);
    if (error instanceof NotJson) return c.json({ ok: false, error: error.message }, 400);
    return c.json({ ok: false, error: String(error.stack) }, 500);
  });
  return { fetch: async (request) => app.fetch(request) };
}

function addViews(app: Hono, { discord, model, sleep }: LocalWorldParts): void {
  const readView = (req: HonoRequest) => {
    const as = req.query("as") || (discord.people()[0]?.id ?? "");
    return { as, channel: req.query("channel") || (discord.channels(as)[0]?.id ?? "") };
  };
  app.get("/local/state", (c) => {
    const { as, channel } = readView(c.req);
    const servers = discord.servers().map(({ id, name }) => ({ id, name }));
    return c.json({ servers, people: discord.people(), ...viewChannel(discord, channel, as) });
  });
  app.get("/local/events", (c) => {
    const { as, channel } = readView(c.req);
    const read = () => JSON.stringify(viewChannel(discord, channel, as));
    return eventStream(snapshots({ read, onChange: discord.onChange, sleep }));
  });
  app.get("/local/forecasts", (c) => c.json(FORECASTS));
  app.get("/local/log", (c) => c.json(discord.log));
  app.get("/local/violations", (c) => c.json(discord.violations));
  app.get("/local/pinged", (c) => c.json(discord.pinged()));
  app.get("/local/commands", (c) => c.json(discord.commands(c.req.query("scope") ?? "global")));
  app.get("/local/model/log", (c) => c.json(model.log));
}

/** Shows a channel as one person sees it, and the other channels that they can open. `typing`: the ids of the others who are typing. */
function viewChannel(discord: LocalDiscord, channel: string, as: string) {
  const newest = discord.newestOfOthers(as);
  return {
    bot: discord.bot(),
    channels: discord.channels(as).map(({ id, name, type, serverId, parentId }) => ({
      ...{ id, name, type },
      ...(serverId && { serverId }),
      ...(parentId && { parentId }),
      ...(newest.has(id) && { newest: newest.get(id) }),
    })),
    messages: discord.messages(channel, as),
    typing: discord.typing(channel).filter((id) => id !== as),
  };
}

function addActs(app: Hono, { discord }: LocalWorldParts): void {
  const act = async (input: Interact) => {
    const { ok, seen, messageId, shown, error } = await discord.interact(input);
    return {
      ok,
      seen,
      ...(messageId && { messageId }),
      ...(shown !== undefined && { shown }),
      ...(error && { error }),
    };
  };
  app.post("/local/say", async (c) => {
    const { channel, as, command = "chat", message, file } = await readJson(c.req, SAY);
    const options = { message, ...(file && { file: { attachment: file } }) };
    return c.json(await act({ kind: "command", channel, as, name: command, options }));
  });
  app.post("/local/click", async (c) => c.json(await act({ kind: "click", ...(await readJson(c.req, CLICK)) })));
  // The other fields are up to the test. If they are wrong, Discord's requests show it.
  app.post("/local/interact", async (c) =>
    c.json(await discord.interact((await readJson(c.req, ACT)) as unknown as Interact)),
  );
  app.post("/local/delete", async (c) => c.json({ ok: discord.delete((await readJson(c.req, DELETE)).messageId) }));
}

function addLevers(app: Hono, { discord, model, clock }: LocalWorldParts): void {
  const done = { ok: true };
  app.post("/local/clock", async (c) => {
    clock.advance((await readJson(c.req, CLOCK)).advanceMs);
    return c.json(done);
  });
  app.post("/local/options", async (c) => {
    discord.configure((await readGiven(c.req, OPTIONS)) as Partial<Options>);
    return c.json(done);
  });
  app.post("/local/weather", async (c) => {
    const { forecast, count = 1, method } = await readJson(c.req, WEATHER);
    discord.brew(forecast, count, (request) => method === undefined || request.method === method);
    return c.json(done);
  });
  app.post("/local/reset", async (c) => {
    await readJson(c.req, NOTHING);
    clock.reset();
    model.reset();
    discord.reset();
    return c.json(done);
  });
  app.post("/local/model/script", async (c) => {
    model.script(await readJson(c.req, scriptSchema));
    return c.json(done);
  });
}
