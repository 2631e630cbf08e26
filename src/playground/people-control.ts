// The routes under /local for what people do without the application: write, reply, forward, edit, delete, react, type.
import type { Hono } from "hono";
import {
  base64,
  boolean,
  discriminatedUnion,
  literal,
  minimum,
  number,
  optional,
  strictObject,
  string,
} from "zod/mini";
import type { LocalDiscord } from "./discord/local-discord.ts";
import type { Touch, Words } from "./discord/people-acts.ts";
import { readJson } from "./read-json.ts";

const HERE = { channel: string(), as: string() };
const SPEAK = strictObject({
  ...HERE,
  content: string(),
  file: optional(
    strictObject({
      filename: string(),
      contentType: optional(string()),
      text: optional(string()),
      base64: optional(base64()),
    }),
  ),
  voice: optional(number().check(minimum(0))),
  replyTo: optional(string()),
  ping: optional(boolean()),
  forward: optional(string()),
  nonce: optional(string()),
});
const ON_MESSAGE = { as: string(), messageId: string() };
const TOUCH = discriminatedUnion("kind", [
  strictObject({ kind: literal("edit"), ...ON_MESSAGE, content: string() }),
  strictObject({ kind: literal("delete"), ...ON_MESSAGE }),
  strictObject({ kind: literal(["react", "unreact"]), ...ON_MESSAGE, emoji: string() }),
]);

/** Adds the routes. If a person can't do something, the answer is `ok: false` with the reason. */
export function addPeopleRoutes(app: Hono, discord: LocalDiscord): void {
  // An absent field and an undefined one are the same here.
  app.post("/local/speak", async (c) => c.json(discord.write((await readJson(c.req, SPEAK)) as Words)));
  app.post("/local/touch", async (c) => c.json(discord.touch((await readJson(c.req, TOUCH)) as Touch)));
  app.post("/local/typing", async (c) => {
    discord.type(await readJson(c.req, strictObject(HERE)));
    return c.json({ ok: true });
  });
}
