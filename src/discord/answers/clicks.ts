// Answers clicks on our buttons. A click whose effect shows in the message with the button is only acknowledged; a click that begins a turn
// gets a new message.
import { approvalText, resumeText } from "../../core/copy/control-answers.ts";
import { refusalForAsker, refusalText, UNAVAILABLE } from "../../core/copy/refusals.ts";
import { isRefusedClick } from "../../core/decisions/approval.ts";
import type { AgainRequest, ResumeRequest } from "../../core/state/rpc.ts";
import type { ButtonClick } from "../components.ts";
import { modalAnswer } from "../interactions/modals.ts";
import type { Actor } from "../interactions/parse.ts";
import { acknowledged, privately, thinking } from "../interactions/respond.ts";
import { buildSubmission, buildTurnRequest, readSpeakers } from "./ask.ts";
import { type AnswerPorts, ownership, reach, readViewer, surroundings } from "./channel-port.ts";
import { stopByButton } from "./stop.ts";

/** Answers a click on the message with this id. May run twice for one interaction. */
export function answerClick(
  actor: Actor,
  ports: AnswerPorts,
  { action, turnId }: ButtonClick,
  messageId: string,
): Promise<object> {
  const { applicationId, token } = actor;
  const pressed: ResumeRequest = { turnId, press: { applicationId, token, messageId } };
  switch (action) {
    case "stop":
      return stopByButton(actor, ports, { turnId, messageId });
    case "resume":
      return resumed(actor, ports, pressed);
    case "approve":
    case "deny":
      return decided(actor, ports, { ...pressed, approved: action === "approve" });
    case "forget":
      return import("./privacy.ts").then(({ forget }) => forget(actor, ports));
    case "enter_code":
      return Promise.resolve(modalAnswer("connect-code"));
    case "go_on":
    case "retry":
      return askedAgain(actor, ports, { turnId });
    case "regenerate":
      return askedAgain(actor, ports, { turnId, replaces: true });
    case "delete":
      return deleted(actor, ports, pressed);
  }
}

/** Delivers the rest of an answer. Anyone may click: the text was asked for already. */
async function resumed(actor: Actor, ports: AnswerPorts, pressed: ResumeRequest): Promise<object> {
  const answer = await reach(actor, ports, "resume", (channel) => channel.resume(pressed));
  const text = answer ? resumeText(answer) : UNAVAILABLE;
  return text === null ? acknowledged() : privately(text);
}

/** Passes on a decision. If the person may decide, the click is acknowledged and the object reports the outcome. Others get a private sentence. */
async function decided(
  actor: Actor,
  ports: AnswerPorts,
  wanted: ResumeRequest & { approved: boolean },
): Promise<object> {
  const { interactionId, userId, userName, moderator, roles } = actor;
  const answer = await reach(actor, ports, "approve", async (channel) =>
    channel.approve({
      interactionId,
      userId,
      userName,
      moderator,
      roles,
      ...ownership(actor, ports),
      ...wanted,
      ...(await surroundings(actor, ports)),
    }),
  );
  if (!answer) return privately(UNAVAILABLE);
  return isRefusedClick(answer) ? privately(approvalText(answer)) : acknowledged();
}

/** Deletes an answer. If the person may, the click is acknowledged and the object deletes the messages. Others get a private sentence. */
async function deleted(actor: Actor, ports: AnswerPorts, pressed: ResumeRequest): Promise<object> {
  const request = { ...readViewer(actor), interactionId: actor.interactionId, ...pressed };
  const answer = await reach(actor, ports, "remove", (channel) => channel.remove(request));
  if (!answer) return privately(UNAVAILABLE);
  return answer.result === "deleted" ? acknowledged() : privately(refusalText(answer.refusal));
}

async function askedAgain(
  actor: Actor,
  ports: AnswerPorts,
  wanted: Pick<AgainRequest, "turnId" | "replaces">,
): Promise<object> {
  const request = buildTurnRequest(actor, ports.now());
  const receipt = await reach(actor, ports, "again", async (channel) =>
    channel.again({ ...wanted, submission: await buildSubmission(actor, ports, request, readSpeakers(actor, ports)) }),
  );
  if (!receipt) return privately(UNAVAILABLE);
  if (receipt.kind === "accepted") return thinking();
  const { refusal, asker } = receipt;
  return privately(asker ? refusalForAsker(refusal, asker) : refusalText(refusal));
}
