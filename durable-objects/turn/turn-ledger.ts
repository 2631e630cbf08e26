// One turn's ledger over the channel's storage: see README.md in durable-objects. A row is stored at the position of its call; if the
// tool names its effects itself, any turn can also find the row by that name.

import type { ChannelStore, LedgerRow } from "../../src/channel/store.ts";
import type { CurrentToolCall } from "../../src/core/state/record.ts";
import { interrupted } from "../../src/toolkit/run/launch-entry.ts";
import type { ToolResult } from "../../src/toolkit/run/runtime.ts";
import type { LaunchEntry, Ledger } from "../../src/toolkit/run/runtime-ports.ts";
import type { NumberedCall } from "../../src/turn/ports.ts";
import { buildCallPlace, readCallPlace } from "../../src/turn/tool-context.ts";
import { keepResultFiles } from "./kept-files.ts";
import { type Fence, heldTurn } from "./turn-fence.ts";

/** The ledger for a turn's runtime, which also knows whether it has stored a call's result in this life. */
export interface TurnLedger extends Ledger {
  hasSettled(call: NumberedCall): boolean;
}

/** Stores a call's open row together with the turn's record. Returns false if this life no longer owns the turn. */
export type Launch = (row: LedgerRow, current: CurrentToolCall, deadlineAt: number) => boolean;

/** Results of calls that did not run, so that a later model's equal call is a new one. */
const NEVER_RAN: ReadonlySet<ToolResult["status"]> = new Set([
  "not_found",
  "invalid_input",
  "truncated_input",
  "denied",
  "needs_approval",
  "blocked",
  "conflict",
]);

/** Creates the ledger of the fence's turn. */
export function createTurnLedger(store: ChannelStore, fence: Fence, launch: Launch): TurnLedger {
  const { turnId, instance } = fence;
  const settled = new Set<string>();
  const modelIndex = () => store.recall(turnId)?.modelIndex ?? 0;
  const buildRow = ({ key, callPlace, tool, args }: LaunchEntry, result: ToolResult | null): LedgerRow => ({
    ...readCallPlace(callPlace),
    turnId,
    tool,
    args,
    modelIndex: modelIndex(),
    instance,
    result: result && JSON.stringify(result),
    key: key === callPlace ? null : key,
  });
  return {
    hasSettled: (call) => settled.has(buildCallPlace(turnId, call)),
    find(entry) {
      const { messageSeq, position } = readCallPlace(entry.callPlace);
      const row =
        entry.key === entry.callPlace ? store.ledgerRow(messageSeq, position) : store.ledgerRowByKey(entry.key);
      if (!row) return null;
      const found = { ...entry, tool: row.tool, args: row.args };
      if (row.result === null) return { ...found, state: "pending", ownLife: row.instance === instance };
      return { ...found, state: "settled", result: JSON.parse(row.result) as ToolResult };
    },
    settledBefore({ tool, args }) {
      const now = modelIndex();
      const ran = store
        .resultsFor(turnId, tool, args)
        .map(({ modelIndex, result }) => ({
          modelIndex,
          result: result === null ? interrupted() : (JSON.parse(result) as ToolResult),
        }))
        .filter(({ result }) => !NEVER_RAN.has(result.status));
      const taken = ran.filter((row) => row.modelIndex === now).length;
      return ran.filter((row) => row.modelIndex < now)[taken]?.result ?? null;
    },
    open: (entry, { callId, at, deadlineAt }) =>
      launch(buildRow(entry, null), { name: entry.tool, callId, since: at }, deadlineAt),
    settle: (entry, result) =>
      store.transaction(() => {
        const turn = heldTurn(store, fence);
        // A stop beats a result: later results reach neither the model nor the transcript.
        if (!turn || turn.stop) return false;
        store.putLedgerRow(buildRow(entry, keepResultFiles(store, turnId, result)));
        settled.add(entry.callPlace);
        return true;
      }),
  };
}
