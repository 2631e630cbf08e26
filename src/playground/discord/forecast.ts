// Named kinds of bad weather, for tests and for people who want to see their effect. Each name is one failure of Discord, or of the proxy in
// front of it. Does not decide which requests fail; rest.ts does.
import { cutOnPurpose } from "../on-purpose.ts";
import { tooMany } from "./buckets.ts";
import { refuse } from "./errors.ts";

/** Every kind of bad weather, with the page's words for it. */
export const FORECASTS = {
  limited: "429: this webhook's own limit (3 s)",
  shared: "429: the channel's limit, shared by all (5 s)",
  global: "429: the bot's or the address's limit (4 s)",
  proxy: "429 from the proxy before Discord, in HTML",
  outage: "503: Discord is down",
  cut: "the connection breaks before Discord has it",
  cut_after: "the connection breaks after Discord has it",
  deleted: "10008: the message was deleted",
  race: "10015: the token is not known yet",
  expired: "50027: the token has expired",
  forbidden: "50013: the bot may not write here",
  blocked: "200000: AutoMod blocks the text",
  malformed: "50035: a field is wrong",
} as const;

/** The name of one kind. */
export type Forecast = keyof typeof FORECASTS;

/** Returns the answer to a request in this weather. `lose the answer`: Discord does what was asked, but its answer never arrives. */
export function answerIn(forecast: Forecast): Response | "lose the answer" {
  switch (forecast) {
    case "limited":
      return tooMany(3, "user");
    case "shared":
      return tooMany(5, "shared");
    case "global":
      return tooMany(4, "global");
    case "proxy":
      return new Response("<html><title>Access denied</title>error code: 1015</html>", {
        status: 429,
        headers: { "content-type": "text/html" },
      });
    case "outage":
      return new Response("upstream connect error", { status: 503 });
    case "cut":
      return broken();
    case "cut_after":
      return "lose the answer";
    case "deleted":
      return refused("unknownMessage");
    case "race":
      return refused("unknownWebhook");
    case "expired":
      return refused("invalidToken");
    case "forbidden":
      return refused("missingPermissions");
    case "blocked":
      return Response.json({ message: "Message was blocked by automatic moderation", code: 200_000 }, { status: 400 });
    case "malformed":
      return Response.json(
        {
          message: "Invalid Form Body",
          code: 50_035,
          errors: { content: { _errors: [{ code: "BASE_TYPE_BAD_LENGTH", message: "A field is wrong." }] } },
        },
        { status: 400 },
      );
  }
}

/** An answer that never completes: the reader finds the connection broken. */
export const broken = (): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.error(cutOnPurpose("The connection"));
      },
    }),
  );

function refused(refusal: Parameters<typeof refuse>[0]): Response {
  const { status, body } = refuse(refusal);
  return Response.json(body, { status });
}
