// Stores a channel's messages, their summary, and the numbers of the people who speak there. The port describes each method.
import type { ChannelStore, StoredMessage } from "../../src/channel/store.ts";
import type { ModelCallNote } from "../../src/core/state/inspected.ts";
import type { Summary } from "../../src/core/transcript/compaction.ts";
import type { MessageSpeaker } from "../../src/core/transcript/speaker.ts";
import type { NativeParts } from "../../src/core/transcript/transcript.ts";
import { jsonOrNull, putOnlyRecord, type Row, type RunSql, readJson, type SqlValue } from "./sqlite-storage.ts";

/** Makes the methods of the store that read and write messages. */
export function createMessages(
  run: RunSql,
): Pick<
  ChannelStore,
  | "addMessage"
  | "messagesInTurn"
  | "messagesBefore"
  | "saveCalls"
  | "dropAnswers"
  | "numberSpeaker"
  | "summary"
  | "saveSummary"
> {
  return {
    addMessage({ turnId, role, text, details, calls, native, speaker, call }) {
      // Dropped answers leave the results of their calls in the ledger, and a new answer must not find those under its own number. Nor may a new
      // message count as summarized after all summarized messages were deleted.
      const next = `SELECT 1 + max((SELECT coalesce(max(seq), 0) FROM messages),
        (SELECT coalesce(max(message_seq), 0) FROM ledger), (SELECT coalesce(max(json_extract(record, '$.toSeq')), 0) FROM summary))`;
      const insert = `INSERT INTO messages (seq, turn_id, role, text, details, calls, native, speaker, model_call)
        VALUES ((${next}), ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`;
      const json = [calls.length > 0 && calls, native, speaker, call].map((one) => (one ? JSON.stringify(one) : null));
      return Number(run(insert, turnId, role, text, details, ...json)[0]?.seq);
    },
    messagesInTurn: (turnId) => run("SELECT * FROM messages WHERE turn_id = ? ORDER BY seq", turnId).map(readMessage),
    messagesBefore: (turnId, rows, privateTo) =>
      run(
        `SELECT messages.* FROM messages JOIN turns ON turns.id = turn_id
         WHERE turn_id <> ? AND turns.state IN ('closing', 'finished')
           AND json_extract(turns.record, '$.trigger.privateTo') IS ?
           AND json_extract(turns.record, '$.step.ending.silent') IS NULL
           AND json_extract(turns.record, '$.trigger.catchUp') IS NULL
           AND json_extract(turns.record, '$.forgotten') IS NULL ORDER BY seq DESC LIMIT ?`,
        turnId,
        privateTo,
        rows,
      )
        .map(readMessage)
        .reverse(),
    saveCalls: (seq, calls) => void run("UPDATE messages SET calls = ? WHERE seq = ?", JSON.stringify(calls), seq),
    dropAnswers: (turnId) => void run("DELETE FROM messages WHERE turn_id = ? AND role = 'assistant'", turnId),
    summary: () => jsonOrNull<Summary>(run("SELECT record FROM summary")[0]?.record),
    saveSummary: (summary) => putOnlyRecord(run, "summary", summary),
    numberSpeaker(userId) {
      const insert = "INSERT INTO speakers SELECT ?, coalesce(max(number), 0) + 1 FROM speakers RETURNING number";
      const known = run("SELECT number FROM speakers WHERE user_id = ?", userId)[0];
      return Number((known ?? run(insert, userId)[0])?.number);
    },
  };
}

/**
 * Deletes the numbers of these people; `gone` is a condition on `user_id`. The greatest number stays, without its person, so that
 * no number is given twice.
 */
export function dropSpeakers(run: RunSql, gone: string, ...values: SqlValue[]): void {
  const whose = `user_id <> '' AND ${gone}`;
  run(
    `UPDATE OR REPLACE speakers SET user_id = '' WHERE number = (SELECT max(number) FROM speakers) AND ${whose}`,
    ...values,
  );
  run(`DELETE FROM speakers WHERE ${whose}`, ...values);
}

/** Reads one row. */
export function readMessage(row: Row): StoredMessage {
  return {
    seq: Number(row.seq),
    turnId: String(row.turn_id),
    role: row.role === "user" ? "user" : "assistant",
    text: String(row.text),
    details: String(row.details),
    native: jsonOrNull<NativeParts>(row.native),
    calls: jsonOrNull<StoredMessage["calls"]>(row.calls) ?? [],
    ...(row.speaker !== null && { speaker: readJson<MessageSpeaker>(row.speaker) }),
    ...(row.model_call !== null && { call: readJson<ModelCallNote>(row.model_call) }),
  };
}
