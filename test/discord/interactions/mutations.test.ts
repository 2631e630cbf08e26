// Requests that are almost Discord's, a thousand of each kind: whatever is changed, the endpoint answers below 500, and no
// object gets an incomplete request.
import fc from "fast-check";
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { NOW, type Scene, scene } from "../../support/endpoint-harness.ts";

const RUNS = 1000;

/** A genuine body of `/chat`, as Discord would sign it. */
async function genuineBody({ discord, calls }: Scene): Promise<string> {
  const act = {
    as: PEOPLE.theo,
    channel: PLACES.thread,
    kind: "command",
    name: "chat",
    options: { message: "hi" },
  } as const;
  const { body } = await discord.interact(act);
  calls.length = 0;
  return body;
}

/** How a genuine request is changed: bytes replaced, cut off or inserted, and headers replaced. */
const bend = fc.record(
  {
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    byte: fc.integer({ min: 0, max: 255 }),
    how: fc.constantFrom("replace", "cut", "insert"),
    signature: fc.oneof(fc.string({ unit: "grapheme-ascii" }), fc.stringMatching(/^[0-9a-f]{128}$/)),
    timestamp: fc.oneof(
      fc.string({ unit: "grapheme-ascii" }),
      fc.integer().map((s) => String(NOW / 1000 + s)),
    ),
  },
  { requiredKeys: ["at", "byte", "how"] },
);

it(`refuses ${RUNS} mutations without a valid signature with 401, and submits nothing`, async () => {
  const world = scene();
  const body = new TextEncoder().encode(await genuineBody(world));
  const genuine = await world.discord.sign(new TextDecoder().decode(body));
  await fc.assert(
    fc.asyncProperty(bend, async ({ at, byte, how, signature, timestamp }) => {
      const cut = Math.floor(at * body.length);
      const tail = {
        replace: [byte, ...body.slice(cut + 1)],
        insert: [byte, ...body.slice(cut)],
        cut: [],
      }[how];
      fc.pre(how !== "replace" || byte !== body[cut]);
      const headers = new Headers(genuine.headers);
      if (signature !== undefined) headers.set("x-signature-ed25519", signature);
      if (timestamp !== undefined) headers.set("x-signature-timestamp", timestamp);
      const mutated = Uint8Array.from([...body.slice(0, cut), ...tail]);
      const response = await world.dispatch(new Request(genuine.url, { method: "POST", headers, body: mutated }));
      expect(response.status).toBe(401);
      expect(world.calls).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

it(`reads or refuses ${RUNS} signed bodies with wrong fields below 500, and submits nothing incomplete`, async () => {
  const world = scene();
  const genuine = JSON.parse(await genuineBody(world));
  const nonsense = fc.oneof(fc.jsonValue(), fc.constantFrom("", "0", -1, 2 ** 53, [], {}, null));
  const paths = pathsOf(genuine);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...paths), nonsense), { minLength: 1, maxLength: 3 }),
      async (changes) => {
        const mutated = structuredClone(genuine);
        for (const [path, value] of changes) put(mutated, path, structuredClone(value));
        const response = await world.dispatch(await world.discord.sign(JSON.stringify(mutated)));
        expect(response.status).toBeLessThan(500);
        for (const call of world.calls.splice(0)) {
          expect(call.to).not.toBe("");
          if ("submit" in call) expect(Object.values(call.submit.trigger)).not.toContain(undefined);
        }
      },
    ),
    { numRuns: RUNS },
  );
});

type Path = (string | number)[];

/** Finds every path in a JSON value. */
function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const below = Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...at, key]));
  return at.length === 0 ? below : [at, ...below];
}

/** Puts a value at a path, as far as that path still exists. */
function put(root: Record<string, unknown>, path: Path, value: unknown): void {
  let at: unknown = root;
  for (const key of path.slice(0, -1)) at = (at as Record<string, unknown> | null)?.[key];
  const last = path.at(-1);
  if (typeof at === "object" && at !== null && last !== undefined) (at as Record<string, unknown>)[last] = value;
}
