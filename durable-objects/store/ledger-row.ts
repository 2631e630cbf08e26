// Reads the ledger's rows from SQLite.
import type { LedgerRow } from "../../src/channel/store.ts";
import { type Row, textOrNull } from "./sqlite-storage.ts";

/** Reads one row. */
export function readLedgerRow(row: Row): LedgerRow {
  return {
    messageSeq: Number(row.message_seq),
    position: Number(row.position),
    turnId: String(row.turn_id),
    tool: String(row.tool),
    args: String(row.args),
    modelIndex: Number(row.attempt),
    instance: String(row.instance),
    result: textOrNull(row.result),
    key: textOrNull(row.key),
  };
}
