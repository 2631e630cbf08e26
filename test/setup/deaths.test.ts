// The setup dies at every call of a port, or gets nonsense for an answer, and is run again: never a second Worker, never a lost secret,
// never a secret in a file.
import { expect, it } from "vitest";
import { registration } from "../../src/discord/commands/registration.ts";
import { failure, question } from "../../src/setup/copy/setup.ts";
import { runSetup } from "../../src/setup/run-setup.ts";
import { createSetupWorld, MODEL_KEY, SECRETS, type SetupWorld, TOKEN } from "../support/setup-harness.ts";

const FLAGS = { yes: false, name: "parley", newKey: false };
/** `isNew`: logged out, and without a workers.dev name. */
const person = (isNew: boolean): SetupWorld => {
  const world = createSetupWorld();
  world.answers.push([question.token, TOKEN], [question.modelKey, MODEL_KEY], [question.dollars, "7"]);
  if (isNew) Object.assign(world.cloud, { accounts: null, subdomain: null });
  return world;
};
/** What the world contains in the end: the same after any death, except for the counted deploys and the server that was claimed. */
const ending = ({ cloud, discord }: SetupWorld) => {
  const { ALLOWED_SERVERS: _, ...secrets } = cloud.workers.get("parley")?.secrets ?? {};
  return { names: [...cloud.workers.keys()], secrets, commands: discord.commands().length, url: cloud.subdomain };
};

it.each([
  ["an account that is ready", false],
  ["someone who is new at Cloudflare", true],
])("for %s: at each of its calls, before and after it took effect", async (_, isNew) => {
  const whole = person(isNew);
  expect(await runSetup(whole.ports, FLAGS)).toBe(0);
  const calls = whole.calls();
  const expected = ending(whole);
  whole.close();
  expect(expected.commands).toBe(registration().length);
  for (let death = 1; death <= calls; death++) {
    const world = person(isNew);
    await world.runUntil(death, () => runSetup(world.ports, FLAGS));
    const before = { ...world.cloud.workers.get("parley")?.secrets };
    expect([death, await runSetup(world.ports, FLAGS)]).toEqual([death, 0]);
    const after = world.cloud.workers.get("parley")?.secrets ?? {};
    expect(Object.keys(before).filter((name) => after[name] !== before[name])).toEqual([]);
    expect([ending(world), world.leftovers()]).toEqual([expected, []]);
    const seen = [...world.screen, ...world.sent, ...world.ran.flat()];
    expect(seen.filter((line) => SECRETS.some((secret) => line.includes(secret)))).toEqual([]);
    world.close();
  }
  expect(calls).toBeGreaterThan(30);
});

const NONSENSE: readonly (() => Promise<Response>)[] = [
  async () => new Response("<html>Log in to this network</html>"),
  async () => new Response("<html>Bad gateway</html>", { status: 502 }),
  async () => new Response("<html>error 1015</html>", { status: 429 }),
  async () => Response.json({ message: "oops" }, { status: 403 }),
  async () => new Response("[null]"),
  async () => new Response(null, { status: 204 }),
  () => Promise.reject(new TypeError("fetch failed")),
];

it("ends well or with a sentence if any one request is answered with nonsense, and the next run completes it", async () => {
  const whole = person(false);
  expect(await runSetup(whole.ports, FLAGS)).toBe(0);
  const [requests, expected] = [whole.sent.length, ending(whole)];
  whole.close();
  for (const nonsense of NONSENSE) {
    for (let at = 0; at < requests; at++) {
      const world = person(false);
      const { send } = world.ports;
      let count = 0;
      world.ports.send = (url, init) => (count++ === at ? nonsense() : send(url, init));
      const code = await runSetup(world.ports, FLAGS);
      expect(world.screen.at(-1) === failure.again).toBe(code === 1);
      world.ports.send = send;
      expect([at, await runSetup(world.ports, FLAGS), ending(world)]).toEqual([at, 0, expected]);
      expect(world.screen.filter((line) => SECRETS.some((secret) => line.includes(secret)))).toEqual([]);
      world.close();
    }
  }
  expect(requests).toBeGreaterThan(10);
});

it("says where a deploy was stopped after the upload, and continues once its address is turned on", async () => {
  const world = person(false);
  // Wrangler turns the address on in a separate request, and was killed before it.
  world.cloud.workers.set("parley", { secrets: {}, hasAi: false, deploys: 1, isParley: true });
  world.cloud.isOnWorkersDev = false;
  world.hosts.set("parley.juno.workers.dev", () => new Response("error code: 1042", { status: 404 }));
  expect(await runSetup(world.ports, FLAGS)).toBe(1);
  expect(world.screen.find((line) => line.startsWith("✗"))).toMatch(/turned off.+A deploy that was interrupted/);
  world.cloud.isOnWorkersDev = true;
  world.hosts.delete("parley.juno.workers.dev");
  expect(await runSetup(world.ports, FLAGS)).toBe(0);
  world.close();
});
