// What is known about a reply's messages after requests without an answer and after a click.
import { describe, expect, it } from "vitest";
import type { DeliveredPart } from "../../../src/core/state/record.ts";
import type { Buttons } from "../../../src/discord/components.ts";
import type { Posted } from "../../../src/discord/delivery/part-body.ts";
import { PostedParts } from "../../../src/discord/delivery/posted-parts.ts";

/** The messages of a reply sent with an interaction's token, whose creations Discord does not deduplicate. */
function partsOf(ledger: DeliveredPart[] = []): PostedParts {
  const recorded = { parts: () => ledger, sending: () => true, sent: () => true, removed: () => true };
  return new PostedParts(recorded, { mayRepeat: () => false, isRecognized: () => false, isDeferred: false }, () => 0);
}

describe("an edit without an answer", () => {
  const before = { content: "a", endsAt: 1, buttons: ["stop"] satisfies Buttons, file: null };
  it.each<[string, Partial<Posted>, Partial<Posted>]>([
    ["what it showed, if it was to show the same", {}, before],
    ["perhaps other words", { content: "b" }, { content: null, buttons: ["stop"] }],
    ["perhaps other buttons", { buttons: [] }, { content: null, buttons: null }],
  ])("leaves a message with %s", (_what, change, after) => {
    const parts = partsOf();
    parts.accepted(0, before);
    expect(
      parts.unanswered({
        kind: "edit",
        index: 0,
        part: { ...before, ...change, buttons: change.buttons ?? before.buttons },
      }),
    ).toBe("again");
    expect(parts.all[0]).toMatchObject(after);
  });
});

describe("a message that may exist out of reach", () => {
  const sending: DeliveredPart = { state: "sending", id: null, since: 0 };

  it("is noticed after a click changed the record", () => {
    const ledger: DeliveredPart[] = [];
    const parts = partsOf(ledger);
    parts.lookAgain();
    expect(parts.lost).toBe(false);
    ledger.push(sending);
    parts.lookAgain();
    expect(parts.lost).toBe(true);
  });

  it("stays out of reach after a click cleared the record", () => {
    const ledger = [sending];
    const parts = partsOf(ledger);
    ledger.pop();
    parts.lookAgain();
    expect(parts.lost).toBe(true);
  });

  it("ends a reply that still wants it after it was given up", () => {
    const parts = partsOf([]);
    expect([parts.givenUp(1), parts.givenUp(1), partsOf([]).givenUp(0)]).toEqual(["again", "lost", "lost"]);
  });
});
