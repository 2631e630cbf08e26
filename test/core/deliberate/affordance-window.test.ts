// The affordance window alone. durable-objects/settings/deliberate.test.ts tests that turns keep it when the object dies.
import { describe, expect, it } from "vitest";
import {
  type AffordanceWindow,
  afterUse,
  closedWindow,
  openedBy,
} from "../../../src/core/deliberate/affordance-window.ts";

describe("the affordance window", () => {
  it("offers a tool for exactly the configured number of requests, then closes", () => {
    let window = afterUse(closedWindow, ["recall"], 3);
    const offered: string[][] = [];
    for (let trigger = 0; trigger < 5; trigger++) {
      const opened = openedBy(window);
      offered.push(opened.offered);
      window = opened.left;
    }
    expect(offered).toEqual([["recall"], ["recall"], ["recall"], [], []]);
    expect(window).toEqual({});
  });

  it("is refreshed rather than extended by another use, and counts each tool separately", () => {
    const half = openedBy(afterUse(closedWindow, ["recall", "roll_dice"], 4)).left;
    expect(afterUse(half, ["recall"], 4)).toEqual({ recall: 4, roll_dice: 3 });
  });

  it("keeps nothing if it is set to zero turns, and closes what was open for the tool", () => {
    expect(afterUse({ recall: 2 }, ["recall", "roll_dice"], 0)).toEqual({});
  });

  it("has the same order whatever the order of uses", () => {
    const uses: AffordanceWindow[] = [afterUse(closedWindow, ["b", "a"], 2), afterUse(closedWindow, ["a", "b"], 2)];
    expect(uses.map((window) => JSON.stringify(window))).toEqual(['{"a":2,"b":2}', '{"a":2,"b":2}']);
  });
});
