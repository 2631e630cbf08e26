// Stopping while the object above does not answer: that of a thread's channel, or of a channel to which a person brought the bot along.
import { expect, it } from "vitest";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type Scene, scene } from "../../support/endpoint-harness.ts";

const IN_THREAD = { as: PEOPLE.theo, channel: PLACES.thread } as const;
const click = (customId: string): Interact => ({
  ...IN_THREAD,
  kind: "raw",
  type: 3,
  data: { custom_id: customId },
  extra: { message: { id: "5" } },
});
const stopped = ({ calls }: Scene) => calls.flatMap((call) => ("stop" in call ? [[call.to, call.stop]] : []));
const STOPPED = { result: "stopped", ofUserId: PEOPLE.theo, what: "running", cleared: 0 } as const;

it.each([
  ["/stop", { ...IN_THREAD, kind: "command", name: "stop" }, "stop"],
  ["/bot kill", { ...IN_THREAD, kind: "command", name: "bot", subcommand: "kill" }, "kill"],
  ["the button", click("stop:77"), "stop"],
] as const)("%s reaches a thread's object with the settings of its channel", async (_, act, kind) => {
  const world = scene({ stop: STOPPED });
  await world.answered(act);
  expect(stopped(world)).toMatchObject([[PLACES.thread, { kind, parentSettings: { follow_up: "queue" } }]]);
});

it.each([
  ["that can't be reached", new Error("this object can't be opened")],
  ["that never answers", new Promise<never>(() => {})],
])(
  "a click on Stop in a thread reaches the thread despite a channel %s, with what is known of the server",
  async (_, settings) => {
    const world = scene({
      stop: STOPPED,
      settings,
      after: (ms, late) => {
        if (ms !== 1000) return () => {};
        const timer = setImmediate(late);
        return () => clearImmediate(timer);
      },
    });
    expect(await world.answered(click("stop:77"))).toEqual({ type: 6 });
    const [[to, request] = []] = stopped(world);
    expect([to, request]).toEqual([
      PLACES.thread,
      expect.objectContaining({ scope: { settings: {}, isLimited: false } }),
    ]);
    expect(request).not.toHaveProperty("parentSettings");
    const error = settings instanceof Error ? String(settings) : "Error: no answer in time";
    expect(world.errors).toEqual([{ line: "channel object unreachable", method: "settings", error }]);
  },
);
