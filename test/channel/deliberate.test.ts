// Who may still choose deliberate mode for their own messages: every request reads all of these choices.
import { expect, it } from "vitest";
import { changeDeliberate } from "../../src/channel/change-deliberate.ts";
import { PERSONAL } from "../../src/channel/deliberate.ts";
import { deliberateFaultText } from "../../src/core/copy/deliberate.ts";

const LIMIT = 500;

it("500 people may choose; each of them may change their mind, and only that makes room for another", () => {
  const own: Record<string, string> = Object.fromEntries(
    Array.from({ length: LIMIT - 1 }, (_, n) => [`${PERSONAL}${n}`, "on"]),
  );
  const choose = (userId: string, state: "on" | "off" | "follow") => {
    const changed = changeDeliberate({ own, parent: {}, defaultTurns: 4 }, { what: "me", userId, state }, []);
    if (!changed.ok) return changed.rule;
    for (const [key, value] of Object.entries(changed.write)) {
      if (value === null) delete own[key];
      else own[key] = value;
    }
    return value(userId);
  };
  const value = (userId: string) => own[PERSONAL + userId] ?? null;
  const full = deliberateFaultText({ fault: "too_many_people", limit: LIMIT });
  expect(choose("last", "on")).toBe("on");
  expect([choose("late", "on"), choose("last", "off"), choose("late", "on")]).toEqual([full, "off", full]);
  expect([choose("last", "follow"), choose("late", "on")]).toEqual([null, "on"]);
});
