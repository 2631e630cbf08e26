// Clicks on our buttons, from Discord's request body to the answer: what reaches the channel's object, and what the person
// reads.
import { describe, expect, it } from "vitest";
import { approvalText, resumeText, stopText } from "../../../src/core/copy/control-answers.ts";
import { forgetQuestion, forgottenText } from "../../../src/core/copy/privacy.ts";
import { refusalForAsker, refusalText } from "../../../src/core/copy/refusals.ts";
import type { ApprovalAnswer } from "../../../src/core/state/rpc.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { NOW, scene, VARIABLES } from "../../support/endpoint-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { silently } from "../../support/shown-answer.ts";

const clickOn = (customId: string): Interact => ({
  as: PEOPLE.theo,
  channel: PLACES.general,
  kind: "raw",
  type: 3,
  extra: { message: { id: "5" } },
  data: { custom_id: customId },
});

describe("a click on Stop", () => {
  const click = clickOn("stop:77");

  it("reaches the object with its turn and a token to reply with, and is acknowledged", async () => {
    const world = scene({ stop: { result: "stopped", ofUserId: PEOPLE.theo, what: "running", cleared: 0 } });
    expect(await world.answered(click)).toEqual({ type: 6 });
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
          // The role that everyone has.
          roles: [PLACES.guild],
          reply: { applicationId: APPLICATION.id, token: expect.any(String) },
          scope: { settings: {}, isLimited: false },
        },
      },
    ]);
  });

  it("is refused at once if the person may not stop the turn", async () => {
    const answer = { result: "not_allowed" } as const;
    expect(await scene({ stop: answer }).answered(click)).toEqual(silently(stopText(answer)));
  });
});

describe("a click on Approve or Deny", () => {
  it.each([
    ["approve", true],
    ["deny", false],
  ])("(%s) reaches the object with its turn and token, and is acknowledged", async (action, approved) => {
    const world = scene({ approve: { result: approved ? "approved" : "denied" } });
    expect(await world.answered(clickOn(`${action}:77`))).toEqual({ type: 6 });
    const approve = {
      interactionId: expect.stringMatching(/^\d+$/),
      turnId: "77",
      approved,
      userId: PEOPLE.theo,
      userName: "Theo",
      moderator: false,
      // The role that everyone has.
      roles: [PLACES.guild],
      press: { applicationId: APPLICATION.id, token: expect.any(String), messageId: "5" },
      scope: { settings: {}, isLimited: false },
    };
    expect(world.calls).toEqual([{ to: PLACES.general, approve }]);
  });

  it.each<[string, Partial<Interact>]>([
    ["in a direct message", { channel: PLACES.dmOfTheo }],
    ["where only a person brought the bot along", { userInstallOnly: true }],
  ])("says %s whether an owner clicked, if the owners are known", async (_, place) => {
    const told = async (ownerIds: string | null) => {
      const owners = ownerIds === null ? {} : { OWNER_IDS: ownerIds };
      const world = scene({ variables: { ...VARIABLES, ...owners } });
      await world.answered({ ...clickOn("approve:77"), ...place, as: PEOPLE.theo } as Interact);
      const [call] = world.calls;
      return call && "approve" in call ? call.approve.isOwner : "no call";
    };
    expect([await told(PEOPLE.theo), await told(PEOPLE.mira), await told(null)]).toEqual([true, false, undefined]);
  });

  it.each<ApprovalAnswer>([
    { result: "already_decided", as: "denied" },
    { result: "already_decided", as: "expired" },
    { result: "nothing_asked" },
  ])("is acknowledged if it comes too late: the object answers %j", async (approve) => {
    expect(await scene({ approve }).answered(clickOn("approve:77"))).toEqual({ type: 6 });
  });

  it("gets the reason at once if the person may not decide or the object can't be reached", async () => {
    const answer = { result: "not_allowed" } as const;
    const click = clickOn("approve:77");
    expect(await scene({ approve: answer }).answered(click)).toEqual(silently(approvalText(answer)));
    const lost = scene({ approve: new Error("reset") });
    expect(await lost.answered(click)).toEqual(silently(refusalText({ reason: "unavailable" })));
  });
});

describe("a click on Continue at the end of the token's life", () => {
  const click = clickOn("resume:77");

  it("reaches the object with its turn and token, and is acknowledged", async () => {
    const world = scene({ resume: { result: "goes_on" } });
    expect(await world.answered(click)).toEqual({ type: 6 });
    const reply = { applicationId: APPLICATION.id, token: expect.any(String), messageId: "5" };
    expect(world.calls).toEqual([{ to: PLACES.general, resume: { turnId: "77", press: reply } }]);
  });

  it.each(["complete", "forgotten"] as const)("informs the person if the answer is %s", async (result) => {
    expect(await scene({ resume: { result } }).answered(click)).toEqual(silently(resumeText({ result }) ?? ""));
  });
});

describe("a click on Retry", () => {
  const click = clickOn("retry:77");

  it("requests a new turn and shows that it is thinking", async () => {
    const world = scene();
    expect(await world.answered(click)).toEqual({ type: 5 });
    const trigger = expect.objectContaining({ userId: PEOPLE.theo, text: "", receivedAt: NOW });
    const scope = { settings: {}, isLimited: false };
    const speakers = { webhookChannelId: null };
    expect(world.calls).toEqual([
      {
        to: PLACES.general,
        again: { turnId: "77", submission: { trigger, roles: expect.any(Array), speakers, scope } },
      },
    ]);
  });

  it("informs the person why, if the turn is refused", async () => {
    const refusal = { reason: "asked_again" } as const;
    const world = scene({ receipts: [{ kind: "refused", refusal }] });
    expect(await world.answered(click)).toEqual(silently(refusalText(refusal)));
  });

  it("shows a moderator whose question was refused", async () => {
    const refusal = { reason: "denied" } as const;
    const world = scene({ receipts: [{ kind: "refused", refusal, asker: "10" }] });
    expect(await world.answered(clickOn("regenerate:77"))).toEqual(silently(refusalForAsker(refusal, "10")));
  });
});

describe("/privacy forget", () => {
  it("deletes nothing before the person clicks, and then only what is stored about that person", async () => {
    const asks: string[] = [];
    const elsewhere = { channels: 3, left: 1 };
    const world = scene({
      scope: (name) =>
        openScopes({
          async forgetPerson(userId, except) {
            asks.push(`${name}: ${userId} but in ${except}`);
            return elsewhere;
          },
        })(name),
    });
    const here = { as: PEOPLE.theo, channel: PLACES.general, kind: "command", name: "privacy" } as const;
    const asked = await world.answered({ ...here, subcommand: "forget" });
    expect([world.calls, world.discord.violations]).toEqual([[], []]);
    expect(asked).toMatchObject({ type: 4, data: { content: forgetQuestion("server"), flags: 64 } });
    expect(JSON.stringify(asked)).toContain(`"custom_id":"forget:${PEOPLE.theo}"`);
    const forgotten = { messages: 4, memories: 1, reminders: 2 };
    expect(await world.answered(clickOn(`forget:${PEOPLE.mira}`))).toEqual(
      silently(forgottenText(forgotten, elsewhere, "server")),
    );
    expect(world.calls).toEqual([{ to: PLACES.general, forgetPerson: PEOPLE.theo }]);
    expect(asks).toEqual([`guild:${PLACES.guild}: ${PEOPLE.theo} but in ${PLACES.general}`]);
  });

  it("says how many channels are still to come, unless all are done", () => {
    const told = (left: number) =>
      forgottenText({ messages: 4, memories: 1, reminders: 0 }, { channels: 3, left }, "server");
    expect([told(0), told(1)].map((text) => text.split("\n")[1])).toEqual([
      "Forgot you in 3 other channels of this server.",
      "Forgot you in 3 other channels of this server. 1 channel is left; I'll keep trying until all are done.",
    ]);
  });

  it("says so if the rest of the server can't be reached", async () => {
    const scope = openScopes({ forgetPerson: () => Promise.reject(new Error("down")) });
    const world = scene({ scope });
    expect(await world.answered(clickOn(`forget:${PEOPLE.theo}`))).toEqual(
      silently(forgottenText({ messages: 4, memories: 1, reminders: 2 }, null, "server")),
    );
    expect(world.errors).toHaveLength(1);
  });
});
