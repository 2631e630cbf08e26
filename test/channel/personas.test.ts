// Personas: which names, pictures and prompts are allowed, and how a thread inherits them.
import { describe, expect, it } from "vitest";
import { changePersonas, MAX_PERSONAS, type PersonaChange } from "../../src/channel/change-personas.ts";
import { findPersona, personaInUse, readPersonas } from "../../src/channel/personas.ts";
import { resolveSettings } from "../../src/channel/setting-scopes.ts";
import type { StoredSettings } from "../../src/channel/settings.ts";

const create = (name: string, prompt = "You are kind.", avatarUrl: string | null = null): PersonaChange => ({
  action: "create",
  name,
  prompt,
  avatarUrl,
});

/** What is stored after these changes, all of which must be accepted. */
function storedAfter(changes: PersonaChange[], own: StoredSettings = {}, parent: StoredSettings = {}): StoredSettings {
  const stored = new Map(Object.entries(own));
  for (const change of changes) {
    const changed = changePersonas(Object.fromEntries(stored), parent, change);
    if (!changed.ok) throw new Error(changed.fault.fault);
    for (const [key, value] of Object.entries(changed.write))
      if (value === null) stored.delete(key);
      else stored.set(key, value);
  }
  return Object.fromEntries(stored);
}
const names = (own: StoredSettings, parent: StoredSettings = {}) => readPersonas(own, parent).map(({ name }) => name);
const fault = (change: PersonaChange, own: StoredSettings = {}, parent: StoredSettings = {}) => {
  const changed = changePersonas(own, parent, change);
  return changed.ok ? null : changed.fault;
};

describe("a persona", () => {
  it.each([
    ["", { fault: "name_length", limit: 80 }],
    ["\u200b\u3164 \u2063", { fault: "name_length", limit: 80 }],
    ["x".repeat(81), { fault: "name_length", limit: 80 }],
    ["Ada, Bob", { fault: "name_characters" }],
    ["@everyone", { fault: "name_characters" }],
    ["**Ada**", { fault: "name_characters" }],
    ["Ada\u202e", { fault: "name_characters" }],
    ["\u2067Ada", { fault: "name_characters" }],
    ["مرحبا 👩\u200d👧", null],
    ["My Discord", { fault: "name_forbidden", word: "discord" }],
    ["CLYDE", { fault: "name_forbidden", word: "clyde" }],
    ["Ada", null],
    ["アダ", null],
  ])("named %j is checked against the rules for webhook names", (name, expected) => {
    expect(fault(create(name))).toEqual(expected);
  });

  it.each([
    ["https://example.org/a.png", true],
    ["http://example.org/a.png", false],
    ["https://user:pass@example.org/a.png", false],
    ["javascript:alert(1)", false],
    ["a.png", false],
    [`https://example.org/${"a".repeat(2048)}`, false],
  ])("accepts a picture over https only: %j", (url, allowed) => {
    expect(fault(create("Ada", "Be kind.", url))).toEqual(allowed ? null : { fault: "avatar" });
  });

  it("isn't reported as changed if nothing new was given for it", () => {
    expect(fault({ action: "edit", name: "Ada" }, storedAfter([create("Ada")]))).toEqual({ fault: "nothing_given" });
  });

  it("needs a prompt that is not empty and not too long", () => {
    const wrong = { fault: "prompt_length", limit: 4000 };
    expect([fault(create("A", "  ")), fault(create("A", "x".repeat(4001))), fault(create("A", "x"))]).toEqual([
      wrong,
      wrong,
      null,
    ]);
  });
});

describe("the personas of a channel", () => {
  it("find a name in any case, refuse a duplicate, and keep the first spelling", () => {
    const own = storedAfter([create(" Ada "), { action: "edit", name: "ADA", prompt: "Be brief." }]);
    expect(readPersonas(own, {})).toEqual([{ name: "Ada", prompt: "Be brief.", avatarUrl: null }]);
    expect(fault(create("aDa"), own)).toEqual({ fault: "exists", name: "Ada" });
  });

  it("list the existing names if one is not found", () => {
    const own = storedAfter([create("Ada"), create("Bob")]);
    expect(fault({ action: "use", name: "Cy" }, own)).toEqual({ fault: "unknown", name: "Cy", known: ["Ada", "Bob"] });
  });

  it("are limited to as many as Discord can offer to choose from", () => {
    const own = storedAfter(Array.from({ length: MAX_PERSONAS }, (_, n) => create(`P${n}`)));
    expect(fault(create("One more"), own)).toEqual({ fault: "too_many", limit: MAX_PERSONAS });
  });

  it("are no longer in use once the one in use is deleted", () => {
    const own = storedAfter([create("Ada"), { action: "use", name: "ada" }]);
    expect(personaInUse(own, {})?.name).toBe("Ada");
    expect(storedAfter([{ action: "delete", name: "ada" }], own)).toEqual({});
  });

  it("are inherited by a thread, which may change one, use another or use none", () => {
    const parent = storedAfter([create("Ada"), create("Bob"), { action: "use", name: "Ada" }]);
    expect([names({}, parent), personaInUse({}, parent)?.name]).toEqual([["Ada", "Bob"], "Ada"]);
    const thread = storedAfter(
      [
        { action: "edit", name: "Ada", prompt: "Whisper." },
        { action: "use", name: "Bob" },
      ],
      {},
      parent,
    );
    expect(findPersona(readPersonas(thread, parent), "ada")?.prompt).toBe("Whisper.");
    expect(personaInUse(thread, parent)?.name).toBe("Bob");
    expect(personaInUse(storedAfter([{ action: "use", name: null }], thread, parent), parent)).toBeNull();
    expect(fault({ action: "delete", name: "Bob" }, thread, parent)).toEqual({ fault: "of_parent", name: "Bob" });
  });

  it("do not affect the settings stored with them", () => {
    const own = storedAfter([create("Ada"), { action: "use", name: "Ada" }], { follow_up: "queue" });
    const settings = (stored: StoredSettings) => resolveSettings({ own: stored, parent: {}, server: {}, modelIds: [] });
    expect(settings(own)).toEqual(settings({ follow_up: "queue" }));
  });

  it("leave out stored ones that can't be read", () => {
    expect(names({ "persona:x": "{", "persona:y": '{"name":1}' })).toEqual([]);
  });
});
