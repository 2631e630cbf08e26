// Authorization servers that grant a program only the scopes that it was registered for, and those that register no scopes.
import { afterEach, beforeEach, expect, it } from "vitest";
import { connecting, GUILD } from "./connections-arrange.ts";

let world: Awaited<ReturnType<typeof connecting>>;
/** The scopes of each registration, in order; undefined: not stated. */
let registered: (string | undefined)[];
/** Refuses registrations that name scopes. */
let isOwnChoice: boolean;

beforeEach(async () => {
  world = await connecting();
  registered = [];
  isOwnChoice = false;
  const fetched = world.provider.fetch;
  const rights = new Map<string, readonly string[]>();
  world.provider.fetch = async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/authorize") {
      const allowed = rights.get(searchParams.get("client_id") ?? "") ?? [];
      const isAllowed = (searchParams.get("scope") ?? "").split(" ").every((right) => allowed.includes(right));
      if (!isAllowed) throw new Error("invalid_scope");
    }
    if (pathname !== "/register") return fetched(request);
    const { scope } = (await request.clone().json()) as { scope?: string };
    registered.push(scope);
    if (isOwnChoice && scope !== undefined) return Response.json({ error: "invalid_client_metadata" }, { status: 403 });
    const response = await fetched(request);
    const { client_id } = (await response.clone().json()) as { client_id: string };
    rights.set(client_id, isOwnChoice ? ["read"] : (scope ?? "").split(" "));
    return response;
  };
});
afterEach(() => world.close());

it("learn at registration which scopes will be requested", async () => {
  expect(await world.connect()).toMatchObject({ op: "connected" });
  expect([registered, world.provider.violations]).toEqual([["read"], []]);
});

it("get a new registration if more is requested than in the previous one, and only then", async () => {
  await world.connect();
  await world.connect();
  expect(registered).toEqual(["read"]);
  const wish = { op: "token", serverId: "wiki", url: world.server.url } as const;
  const scope = world.scopeOf(GUILD);
  const answer = await scope.connection({ ...wish, refused: null, challenge: null });
  const refused = answer.op === "token" ? answer.token : null;
  await scope.connection({ ...wish, refused, challenge: 'Bearer error="insufficient_scope", scope="write"' });
  const { location } = await world.open(await world.begin());
  expect([new URL(location).searchParams.get("scope"), registered]).toEqual(["read write", ["read", "read write"]]);
});

it("are asked again without naming scopes if that is refused", async () => {
  isOwnChoice = true;
  expect(await world.connect()).toMatchObject({ op: "connected" });
  expect([registered, world.provider.violations]).toEqual([["read", undefined], []]);
  await world.connect();
  expect(registered).toHaveLength(2);
});
