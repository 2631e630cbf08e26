// Presses of our buttons, from Discord's body to the answer: what reaches the channel's object, and what the person reads.
import { describe, expect, it } from "vitest";
import { approvalText, resumeText, stopText } from "../../../src/core/copy/control-answers.ts";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import type { ApprovalAnswer } from "../../../src/core/state/rpc.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { NOW, scene } from "../../support/endpoint-harness.ts";

const silently = (content: string) => ({ type: 4, data: { content, flags: 64, allowed_mentions: { parse: [] } } });
const pressOf = (customId: string): Interact => ({
  as: PEOPLE.theo,
  channel: PLACES.general,
  kind: "raw",
  type: 3,
  extra: { message: { id: "5" } },
  data: { custom_id: customId },
});

describe("a press of Stop", () => {
  const press = pressOf("stop:77");

  it("goes to the object with its turn and a way to reply, and is acknowledged", async () => {
    const world = scene({ stop: { result: "stopped", ofUserId: PEOPLE.theo, what: "running", cleared: 0 } });
    expect(await world.answered(press)).toEqual({ type: 6 });
    expect(world.calls).toEqual([
      {
        to: PLACES.general,
        stop: {
          interactionId: expect.stringMatching(/^\d+$/),
          kind: "stop",
          turnId: "77",
          userId: PEOPLE.theo,
          userName: "Theo",
          moderator: false,
          messageId: "5",
          reply: { applicationId: APPLICATION.id, token: expect.any(String) },
        },
      },
    ]);
  });

  it("by one who may not is told so at once", async () => {
    const answer = { result: "not_allowed" } as const;
    expect(await scene({ stop: answer }).answered(press)).toEqual(silently(stopText(answer)));
  });
});

describe("a press of Approve or Deny", () => {
  it.each([
    ["approve", true],
    ["deny", false],
  ])("(%s) goes to the object with its turn and its token, and is acknowledged", async (action, approved) => {
    const world = scene({ approve: { result: approved ? "approved" : "denied" } });
    expect(await world.answered(pressOf(`${action}:77`))).toEqual({ type: 6 });
    const approve = {
      interactionId: expect.stringMatching(/^\d+$/),
      turnId: "77",
      approved,
      userId: PEOPLE.theo,
      userName: "Theo",
      moderator: false,
      press: { applicationId: APPLICATION.id, token: expect.any(String), messageId: "5" },
    };
    expect(world.calls).toEqual([{ to: PLACES.general, approve }]);
  });

  it.each<ApprovalAnswer>([
    { result: "already_decided", as: "denied" },
    { result: "already_decided", as: "expired" },
    { result: "nothing_asked" },
  ])("that comes too late is acknowledged: the object says %j", async (approve) => {
    expect(await scene({ approve }).answered(pressOf("approve:77"))).toEqual({ type: 6 });
  });

  it("by one who may not, or while the object can't be reached, is told so at once", async () => {
    const answer = { result: "not_allowed" } as const;
    const press = pressOf("approve:77");
    expect(await scene({ approve: answer }).answered(press)).toEqual(silently(approvalText(answer)));
    const lost = scene({ approve: new Error("reset") });
    expect(await lost.answered(press)).toEqual(silently(refusalText({ reason: "unavailable" })));
  });
});

describe("a press of Continue at the token's end", () => {
  const press = pressOf("resume:77");

  it("goes to the object with its turn and its token, and is acknowledged", async () => {
    const world = scene({ resume: { result: "goes_on" } });
    expect(await world.answered(press)).toEqual({ type: 6 });
    const reply = { applicationId: APPLICATION.id, token: expect.any(String), messageId: "5" };
    expect(world.calls).toEqual([{ to: PLACES.general, resume: { turnId: "77", press: reply } }]);
  });

  it.each(["complete", "forgotten"] as const)("that finds the answer %s is told so", async (result) => {
    expect(await scene({ resume: { result } }).answered(press)).toEqual(silently(resumeText({ result }) ?? ""));
  });
});

describe("a press of Retry", () => {
  const press = pressOf("retry:77");

  it("asks for a turn of its own, which shows that it thinks", async () => {
    const world = scene();
    expect(await world.answered(press)).toEqual({ type: 5 });
    const trigger = expect.objectContaining({ userId: PEOPLE.theo, text: "", receivedAt: NOW });
    expect(world.calls).toEqual([
      { to: PLACES.general, again: { turnId: "77", submission: { trigger, roles: expect.any(Array) } } },
    ]);
  });

  it("that is refused is told why", async () => {
    const refusal = { reason: "asked_again" } as const;
    const world = scene({ receipts: [{ kind: "refused", refusal }] });
    expect(await world.answered(press)).toEqual(silently(refusalText(refusal)));
  });
});
