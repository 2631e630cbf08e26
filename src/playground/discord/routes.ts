// Defines routes and finds the route for a path. The routes themselves are in the files named …-routes.ts, in application-settings.ts and in
// channel-webhooks.ts.
import type { Answer } from "./errors.ts";
import type { Payload } from "./rules.ts";
import type { BodyKind } from "./schemas.ts";
import type { Upload, World } from "./world.ts";

/** A request whose token and schema have been checked. */
export interface Call {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  payload?: Payload;
  files: readonly Upload[];
}

/** One route. `body` names the schema that its body must match; without it the handler checks the body itself. */
export interface Route {
  method: string;
  pattern: string;
  auth: "none" | "bot";
  body?: BodyKind;
  /** Returns a promise only if Discord itself calls someone first. */
  run(world: World, call: Call): Answer | Promise<Answer>;
}

/** Declares a route. `{name}` in the pattern stands for one path segment. */
export function route(
  method: string,
  pattern: string,
  needs: { auth: Route["auth"]; body?: BodyKind },
  run: Route["run"],
): Route {
  return { method, pattern, ...needs, run };
}

/** Finds the route for a path below `/api/v10`. "method": the path exists only with another method. "path": it does not exist. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; params: Record<string, string> } | "method" | "path" {
  let isKnown = false;
  for (const candidate of routes) {
    const params = match(candidate.pattern, path);
    if (!params) continue;
    isKnown = true;
    if (candidate.method === method) return { route: candidate, params };
  }
  return isKnown ? "method" : "path";
}

function match(pattern: string, path: string): Record<string, string> | null {
  const names = pattern.split("/");
  const parts = path.split("/");
  if (names.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [n, name] of names.entries()) {
    const part = decoded(parts[n] ?? "");
    if (name.startsWith("{")) params[name.slice(1, -1)] = part;
    else if (name !== part) return null;
  }
  return params;
}

/** Decodes a segment, because clients may send `@original` as `%40original`. A broken escape stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
