// Who speaks in a scene, and what a persona's prompt says about the others.
import { describe, expect, it } from "vitest";
import { castRequests, personaPrompt, type WantedSpeakers } from "../../../src/core/state/scene.ts";
import type { TurnRequest } from "../../../src/core/state/turn-request.ts";
import { testRequest } from "../../support/store-contract.ts";

const ada = { name: "Ada", prompt: "You are Ada.", avatarUrl: null };
const promptIn = (names: string[]) =>
  personaPrompt({ ...testRequest("1", "10"), persona: ada, scene: { names, index: 0 } as never });

it.each([[["Ada"]], [["Ada", "Ada"]]])("says nothing about a scene if nobody else speaks: %j", (names) => {
  expect(promptIn(names)).not.toContain("scene");
});

it("names each of the others once", () => {
  expect(promptIn(["Ada", "Bob", "Cleo", "Bob"])).toContain("This is a scene with Bob, Cleo.");
});

describe("a message", () => {
  const cast = (wanted: WantedSpeakers, more: Partial<TurnRequest> = {}, inUse: string | null = null) => {
    const request = { ...testRequest("1", "10"), ...more };
    const made = castRequests(request, wanted, { personas: [ada], inUse });
    return made.ok ? made.requests.map(({ persona, scene }) => [persona?.name, scene?.index]) : made.refusal.reason;
  };

  it("becomes a turn for each of one to five speakers of a scene", () => {
    const speakers = (count: number) => cast({ scene: Array(count).fill("ada") });
    expect([0, 1, 5, 6].map(speakers)).toEqual([
      "scene_size",
      [["Ada", 0]],
      [0, 1, 2, 3, 4].map((index) => ["Ada", index]),
      "scene_size",
    ]);
  });

  it("is answered by the persona it asks for, else by the one in use, else by the bot itself", () => {
    expect([cast({ persona: "Ada" }), cast({}, {}, "Ada"), cast({}), cast({ persona: "Bob" }, {}, "Ada")]).toEqual([
      [["Ada", undefined]],
      [["Ada", undefined]],
      [[undefined, undefined]],
      "unknown_persona",
    ]);
  });

  it("that asks what was missed is answered by the bot itself", () => {
    expect(cast({ persona: "Ada" }, { catchUp: { hours: null } })).toEqual([[undefined, undefined]]);
  });
});
