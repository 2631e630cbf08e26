// The answers to a stop and to clicks on Approve, Deny, Continue and Delete.
import type { ApprovalAnswer, ResumeAnswer, StopAnswer } from "../state/rpc.ts";
import { person, voucher } from "./notices.ts";
import { refusalText } from "./refusals.ts";

const entries = (count: number) => (count === 1 ? "one waiting message" : `${count} waiting messages`);

/** Says what a click on Continue did; null if there is nothing to say. */
export function resumeText({ result }: ResumeAnswer): string | null {
  switch (result) {
    case "goes_on":
      return null;
    case "complete":
      return "This answer is already complete.";
    case "forgotten":
      return refusalText({ reason: "forgotten" });
  }
}

/** Says what a click on Delete did. `left`: how many messages could not be deleted. `isModerated`: a moderator can see them. */
export function deletedText(left: number, isModerated: boolean): string {
  const forgotten = "I have forgotten the question and the answer.";
  if (left === 0) return `Deleted. ${forgotten}`;
  return `${forgotten} I can't delete ${left === 1 ? "one" : left} of its messages here.${isModerated ? " A moderator can." : ""}`;
}

/** Says what a stop did. */
export function stopText(answer: StopAnswer): string {
  switch (answer.result) {
    case "stopped": {
      const what = {
        running: `Stopped the answer to ${person(answer.ofUserId)}.`,
        queued: `Removed the waiting message of ${person(answer.ofUserId)} from the queue.`,
        parked: `Stopped the answer to ${person(answer.ofUserId)}, which was waiting for approval.`,
      }[answer.what];
      return answer.cleared > 0 ? `${what} Cleared ${entries(answer.cleared)}.` : what;
    }
    case "cleared_queue":
      return `Nothing was running. Cleared ${entries(answer.cleared)}.`;
    case "already_finished":
      return "That answer has already finished.";
    case "nothing_to_stop":
      return "There is nothing to stop here.";
    case "not_allowed":
      return "Only the person who asked or, in a server, a moderator can stop this.";
  }
}

/** Says what a click on Approve or Deny did. */
export function approvalText(answer: ApprovalAnswer): string {
  switch (answer.result) {
    case "approved":
      return "Approved. The answer continues.";
    case "denied":
      return "Denied. The answer continues without it.";
    case "already_decided":
      return {
        approved: "This was already approved.",
        denied: "This was already denied.",
        expired: "No one answered in time, so this was not done. Ask again if you still want it.",
      }[answer.as];
    case "nothing_asked":
      return "Nothing here is waiting for approval anymore.";
    case "moderators_only":
      return `Only ${voucher(answer.hasApprovers === true)} can approve this. Ask one, or click Deny.`;
    case "owners_only":
      return "Here only my owner can approve this. Click Deny, or ask in a server that has added me.";
    case "kept_out":
      return refusalText({ reason: "denied" });
    case "not_allowed":
      return `Only the person who asked or, in a server, ${voucher(answer.hasApprovers === true)} can decide this.`;
  }
}
