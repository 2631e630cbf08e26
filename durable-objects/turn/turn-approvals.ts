// A turn's approvals: the one request in its record, and the call for which to request one.
import type { ChannelStore } from "../../src/channel/store.ts";
import { hasVoucher } from "../../src/core/decisions/approval.ts";
import type { AskedCall } from "../../src/core/state/approval-request.ts";
import { buildMessageLink } from "../../src/discord/message-link.ts";
import { isForModerator } from "../../src/toolkit/define/tool.ts";
import { buildLaunchEntry } from "../../src/toolkit/run/launch-entry.ts";
import type { Approvals, Ledger } from "../../src/toolkit/run/runtime-ports.ts";

/** The approvals of one turn, and the call that needs approval. */
export interface TurnApprovals extends Approvals {
  asked(): AskedCall | null;
}

/** Builds the approvals of a turn from its ledger. `approvers`: the roles that approve as moderators do. */
export function createTurnApprovals(
  store: Pick<ChannelStore, "recall">,
  turnId: string,
  ledger: Pick<Ledger, "settledBefore">,
  approvers: () => readonly string[],
): TurnApprovals {
  let asked: AskedCall | null = null;
  return {
    asked: () => asked,
    verdict(call, isNeeded) {
      const turn = store.recall(turnId);
      const request = turn?.approval;
      // Most calls: nobody needs to be asked, and nobody was.
      if (!isNeeded && !request) return "approved";
      const entry = buildLaunchEntry(call);
      const isHere = request?.callPlace === entry.callPlace;
      const isEqual = request?.tool === entry.tool && request.args === entry.args;
      const decided = request?.decision?.kind;
      if (isHere && isEqual) return decided ?? "open";
      // The result of an earlier model is only repeated, which needs no approval.
      const mayRun = isNeeded ? ledger.settledBefore(entry) : decided === "approved" || !(isHere || isEqual);
      if (mayRun) return "approved";
      if (request) return "spent";
      const isHopeless = isForModerator(call.tool) && turn !== null && !hasVoucher(turn.request, approvers());
      return isHopeless ? "no_approver" : "open";
    },
    ask(call, { messageId, ...words }) {
      const { callPlace, tool, args } = buildLaunchEntry(call);
      const { guildId, channelId } = call.context;
      const link = messageId === undefined ? {} : { link: buildMessageLink(guildId, channelId, messageId) };
      // Of calls that run together, only the first asks for an approval.
      asked ??= { callPlace, tool, args, ...words, ...link };
    },
  };
}
