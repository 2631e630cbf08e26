// The routes of the page's side panel under /local: what it watches, as a stream and one entry at a time, and the trouble that it causes for
// the model and its tools.
import type { Hono } from "hono";
import { int, literal, maximum, minimum, optional, strictObject } from "zod/mini";
import type { LocalDiscord } from "./discord/local-discord.ts";
import { answersIn, MISHAPS, type Mishap } from "./model/mishaps.ts";
import type { LocalModel } from "./model/model.ts";
import { troublesomePages } from "./pages.ts";
import { readJson } from "./read-json.ts";
import { eventStream, snapshots } from "./snapshots.ts";
import { watch } from "./watching.ts";

/** What the routes need. `sleep` is real time, in milliseconds. */
export interface PanelParts {
  discord: LocalDiscord;
  model: LocalModel;
  sleep(ms: number): Promise<void>;
}

const MAX_COUNT = 20;
const KINDS = [...Object.keys(MISHAPS.model), ...Object.keys(MISHAPS.tools)] as Mishap[];
const MISHAP = strictObject({
  mishap: literal(KINDS),
  count: optional(int().check(minimum(1), maximum(MAX_COUNT))),
});

/** Adds the routes. */
export function addPanelRoutes(app: Hono, { discord, model, sleep }: PanelParts): void {
  const watching = watch(discord, model);
  app.get("/local/watch", (c) => {
    const list = c.req.query("list") === "calls" ? watching.calls : watching.requests;
    return eventStream(snapshots({ read: () => JSON.stringify(list()), onChange: discord.onChange, sleep }));
  });
  app.get("/local/log/:n", (c) => {
    const entry = watching.request(Number(c.req.param("n")));
    return entry ? c.json(entry) : c.notFound();
  });
  app.get("/local/model/log/:n", (c) => {
    const entry = watching.call(Number(c.req.param("n")));
    return entry ? c.json(entry) : c.notFound();
  });
  app.get("/local/mishaps", (c) => c.json(MISHAPS));
  app.post("/local/mishaps", async (c) => {
    const { mishap, count = 1 } = await readJson(c.req, MISHAP);
    const { origin } = new URL(c.req.url);
    const steps = answersIn(mishap, (kind) => `${origin}/local/pages/${kind}`);
    model.script(Array.from({ length: count }, () => steps).flat());
    return c.json({ ok: true });
  });
  const pages = new Map(Object.entries(troublesomePages(sleep)));
  app.get("/local/pages/:kind", (c) => pages.get(c.req.param("kind"))?.() ?? c.notFound());
}
