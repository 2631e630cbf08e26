// The order in which the buttons of a reply's messages change.
import { expect, it } from "vitest";
import type { WantedPart } from "../../../src/discord/delivery/delivery-plan.ts";
import { nextRequest } from "../../../src/discord/delivery/next-request.ts";
import type { Posted } from "../../../src/discord/delivery/part-body.ts";

const shown = { content: "a", endsAt: 1, file: null };

it("new buttons appear on a later message before old ones are removed from an earlier one", () => {
  const wanted: WantedPart[] = [
    { ...shown, buttons: [] },
    { ...shown, buttons: ["approve", "deny"] },
  ];
  const posted: Posted[] = [
    { ...shown, buttons: ["stop"] },
    { ...shown, buttons: [] },
  ];
  const state = { wanted, hoped: wanted, final: false, frozen: 0, isDeferred: true, isBare: false };
  expect(nextRequest({ ...state, posted })).toMatchObject({ kind: "edit", index: 1 });
  expect(nextRequest({ ...state, posted: posted.with(1, { ...shown, buttons: ["approve", "deny"] }) })).toMatchObject({
    kind: "edit",
    index: 0,
  });
});
