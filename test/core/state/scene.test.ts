// What the prompt of a persona says of the others in its scene.
import { expect, it } from "vitest";
import { personaPrompt } from "../../../src/core/state/scene.ts";
import { testRequest } from "../../support/store-contract.ts";

const ada = { name: "Ada", prompt: "You are Ada.", avatarUrl: null };
const promptIn = (names: string[]) =>
  personaPrompt({ ...testRequest("1", "10"), persona: ada, scene: { names, index: 0 } as never });

it.each([[["Ada"]], [["Ada", "Ada"]]])("tells nothing of a scene where nobody else speaks: %j", (names) => {
  expect(promptIn(names)).not.toContain("scene");
});

it("names each of the others once", () => {
  expect(promptIn(["Ada", "Bob", "Cleo", "Bob"])).toContain("This is a scene with Bob, Cleo.");
});
