// The gateway's session under random faults of Discord, the network, the channels and the object's own life, in virtual time.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Place } from "../../src/gateway/message.ts";
import { BOT } from "../support/gateway-discord.ts";
import { type ChannelMood, GatewayWorld } from "../support/gateway-life.ts";

const RUNS = 1000;
const CALM_MS = 12 * 60_000;
/** A question may be lost if no connection lasted during its five minutes; a little less than that, because answers take time. */
const CHANCE_MS = 290_000;
/** How long a channel that fails four times in a row, or a read, takes with all its tries. */
const LASTING_MS = 120_000;

const PLACES: Record<string, Place> = {
  "600": { kind: "channel", guildId: "700" },
  "601": { kind: "thread", guildId: "700" },
  "602": { kind: "dm" },
};
const CHANNELS = Object.keys(PLACES);

interface Scene {
  world: GatewayWorld;
  asked: { id: string; at: number }[];
}
type Deed = { name: string; run: (scene: Scene) => void };

function ask({ world, asked }: Scene, channelId: string): void {
  const place = PLACES[channelId];
  if (!place) return;
  const { id } = world.discord.post({ place, channelId, mentions: [BOT], text: `<@${BOT}> why?` });
  asked.push({ id, at: world.time.now });
}

const deed = (name: string, run: Deed["run"]): fc.Arbitrary<Deed> => fc.constant({ name, run });
const counted = (name: "refusedUpgrades" | "mutedHellos" | "mutedReadies" | "refusedResumes" | "failedLookUps") =>
  fc.integer({ min: 1, max: 2 }).map(
    (count): Deed => ({
      name: `${name} ${count}`,
      run: ({ world }) => {
        world.discord.switches[name] = count;
      },
    }),
  );
/** More than four in a row could take the five minutes in which a question is tried again. */
const mood = (one: ChannelMood) =>
  deed(one, ({ world }) => {
    if (world.moods.length < 4) world.moods.push(one);
  });

const deeds: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.constantFrom(...CHANNELS).map((id): Deed => ({ name: `ask ${id}`, run: (scene) => ask(scene, id) })),
  },
  {
    weight: 4,
    arbitrary: deed(
      "noise",
      ({ world }) => void world.discord.post({ place: PLACES["600"] as Place, channelId: "600" }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(1000, 1001, 1006, 4000, 4001, 4003, 4007, 4008, 4009).map(
      (code): Deed => ({
        name: `close ${code}`,
        run: ({ world }) => world.discord.close(code),
      }),
    ),
  },
  deed("freeze", ({ world }) => world.discord.freeze()),
  deed("op 7", ({ world }) => world.discord.say({ op: "reconnect" })),
  deed("op 9", ({ world }) => world.discord.say({ op: "invalid_session", mayResume: false })),
  deed("op 9, resumable", ({ world }) => world.discord.say({ op: "invalid_session", mayResume: true })),
  deed("op 1", ({ world }) => world.discord.say({ op: "heartbeat_wanted" })),
  deed("nonsense", ({ world }) => world.discord.say({ op: "unreadable", why: "no JSON" })),
  deed("no seq", ({ world }) => world.discord.say({ op: "dispatch", seq: null, event: { kind: "ignored" } })),
  deed("forget sessions", ({ world }) => world.discord.forgetSessions()),
  deed("no acks", ({ world }) => {
    world.discord.switches.acknowledges = false;
  }),
  deed("acks", ({ world }) => {
    world.discord.switches.acknowledges = true;
  }),
  counted("refusedUpgrades"),
  counted("mutedHellos"),
  counted("mutedReadies"),
  counted("refusedResumes"),
  counted("failedLookUps"),
  { weight: 4, arbitrary: fc.oneof(mood("broken"), mood("lost"), mood("deaf"), mood("slow")) },
  deed("failed reads", ({ world }) => {
    world.failedReads += 2;
  }),
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(0, 800, 5000, 40_000)
      .map((downMs): Deed => ({ name: `die ${downMs}`, run: ({ world }) => world.die(downMs) })),
  },
  deed("deploy", ({ world }) => {
    world.program = { ...world.program, version: `${world.program.version}.` };
    world.caller = world.program;
    world.feed({ kind: "wake", caller: world.caller });
  }),
  deed("stray alarm", ({ world }) => world.feed({ kind: "alarm" })),
);

const history = fc.array(fc.record({ afterMs: fc.constantFrom(0, 3, 30, 300, 2000, 9000, 45_000), deed: deeds }), {
  minLength: 12,
  maxLength: 40,
  size: "max",
});

function play(steps: { afterMs: number; deed: Deed }[]) {
  const world = new GatewayWorld();
  const scene: Scene = { world, asked: [] };
  world.pass(2000);
  // The channels are known, as they are when someone has asked there before.
  for (const id of CHANNELS) ask(scene, id);
  world.pass(2000);
  for (const step of steps) {
    world.pass(step.afterMs);
    step.deed.run(scene);
  }
  // In the end Discord and the network are well again.
  Object.assign(world.discord.switches, {
    acknowledges: true,
    refusedUpgrades: 0,
    mutedHellos: 0,
    mutedReadies: 0,
    failedLookUps: 0,
  });
  world.pass(CALM_MS);
  const isTaken = (id: string) => world.taken.includes(`asked:${id}`);
  const hadChance = (at: number) =>
    world.connected.some(({ from, to }) => Math.min(to, at + CHANCE_MS) - Math.max(from, at) >= LASTING_MS);
  const missed = scene.asked.filter(({ id }) => !isTaken(id));
  return { world, asked: scene.asked.length, lost: missed.filter(({ at }) => hadChance(at)), excused: missed.length };
}

it(`loses no question younger than five minutes, whatever happens in ${RUNS} histories, and never breaks a rule of Discord's`, () => {
  const sums = { asked: 0, excused: 0, identifies: 0, resumes: 0, reads: 0 };
  fc.assert(
    fc.property(history, (steps) => {
      const { world, asked, lost, excused } = play(steps);
      sums.asked += asked;
      sums.excused += excused;
      sums.identifies += world.discord.identifies.length;
      sums.resumes += world.discord.resumes.length;
      sums.reads += world.did("read").length;
      expect({ lost, faults: [...world.violations, ...world.discord.violations] }).toEqual({ lost: [], faults: [] });
      expect(world.state?.live.connection.stage).toBe("ready");
      expect(world.disk.outbox.size).toBe(0);
    }),
    { numRuns: RUNS, seed: 20_261_101 },
  );
  console.log(sums);
  expect(sums.excused).toBeLessThan(sums.asked / 200);
});
