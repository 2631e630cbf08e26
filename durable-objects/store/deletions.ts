// Deletes rows of a channel's storage: what people ask to forget, and what is too old or too many. The port describes each method.
import type { ChannelStore } from "../../src/channel/store.ts";
import { withoutName, withoutWords } from "../../src/core/decisions/forgotten.ts";
import { dropSpeakers } from "./messages.ts";
import type { RunSql } from "./sqlite-storage.ts";
import { readTurnText, writeTurnText } from "./turn-text.ts";

/** No limit (SQLite). */
const ALL = -1;

/** Makes the methods of the store that delete. */
export function createDeletions(
  run: RunSql,
): Pick<ChannelStore, "forgetTranscript" | "forgetTurn" | "forgetPerson" | "expire" | "prune"> {
  /** Deletes messages of turns that are no longer stored: nobody can read them, and nobody knows whose they are. */
  const dropOrphans = (limit: number): number => {
    const gone = "turn_id NOT IN (SELECT id FROM turns)";
    run(`DELETE FROM ledger WHERE ${gone}`);
    run(`DELETE FROM reply_files WHERE ${gone}`);
    return run(
      `DELETE FROM messages WHERE seq IN (SELECT seq FROM messages WHERE ${gone} LIMIT ?) RETURNING seq`,
      limit,
    ).length;
  };
  return {
    forgetTranscript() {
      const finished = "SELECT id FROM turns WHERE state IN ('finished', 'refused')";
      run(`DELETE FROM ledger WHERE turn_id IN (${finished})`);
      run(`DELETE FROM reply_files WHERE turn_id IN (${finished})`);
      const forgotten = run(`DELETE FROM messages WHERE turn_id IN (${finished}) RETURNING seq`).length;
      for (const { id = null, record } of run("SELECT id, record FROM turns WHERE state IN ('finished', 'refused')"))
        run("UPDATE turns SET record = ? WHERE id = ?", writeTurnText(withoutWords(readTurnText(String(record)))), id);
      run("DELETE FROM summary");
      return forgotten + dropOrphans(ALL);
    },
    forgetTurn(turnId) {
      const first = "SELECT min(seq) FROM messages WHERE turn_id = ?";
      run(`DELETE FROM summary WHERE json_extract(record, '$.toSeq') >= (${first})`, turnId);
      run("DELETE FROM ledger WHERE turn_id = ?", turnId);
      run("DELETE FROM messages WHERE turn_id = ?", turnId);
      run("DELETE FROM reply_files WHERE turn_id = ?", turnId);
    },
    forgetPerson(userId) {
      const theirs =
        "SELECT id FROM turns WHERE state IN ('finished', 'refused') AND json_extract(record, '$.trigger.userId') = ?";
      run(`DELETE FROM ledger WHERE turn_id IN (${theirs})`, userId);
      const forgotten = run(`DELETE FROM messages WHERE turn_id IN (${theirs}) RETURNING seq`, userId).length;
      run(`DELETE FROM turns WHERE id IN (${theirs})`, userId);
      dropOrphans(ALL);
      dropSpeakers(run, "user_id = ?", userId);
      run("DELETE FROM summary WHERE EXISTS (SELECT 1 FROM json_each(record, '$.users') WHERE value = ?)", userId);
      // Answers to stops name the person whose turn it was.
      run("DELETE FROM answers WHERE instr(answer, json_quote(?)) > 0", userId);
      // Other people's turns name those who stopped them or approved a call.
      for (const { id = null, record } of run(
        "SELECT id, record FROM turns WHERE instr(record, json_quote(?)) > 0",
        userId,
      )) {
        const turn = withoutName(readTurnText(String(record)), userId);
        run("UPDATE turns SET record = ? WHERE id = ?", writeTurnText(turn), id);
      }
      return forgotten;
    },
    expire(before, batch) {
      const old = run(
        `DELETE FROM turns WHERE id IN (
             SELECT id FROM turns WHERE state IN ('finished', 'refused')
               AND created_at <= ? ORDER BY created_at LIMIT ?)
           RETURNING id`,
        before,
        batch,
      ).length;
      const messages = dropOrphans(batch);
      dropSpeakers(run, "user_id NOT IN (SELECT json_extract(record, '$.trigger.userId') FROM turns)");
      run("DELETE FROM summary WHERE json_extract(record, '$.at') <= ?", before);
      if (old < batch && run("SELECT 1 FROM turns LIMIT 1").length === 0) {
        run("DELETE FROM answers");
        run("DELETE FROM summary");
      }
      return Math.max(old, messages);
    },
    prune({ turns, refused, messages }, batch) {
      const pruneTurns = (of: "finished" | "refused", kept: number) =>
        run(
          `DELETE FROM turns WHERE id IN (
             SELECT id FROM turns WHERE state IN ('finished', 'refused')
               AND iif(json_extract(record, '$.step.ending.silent'), 'refused', state) = ?
             ORDER BY created_at DESC LIMIT ? OFFSET ?)
           RETURNING id`,
          of,
          batch,
          kept,
        ).map(({ id }) => id);
      const unread = pruneTurns("refused", refused);
      const oldTurns = pruneTurns("finished", turns).length + unread.length;
      // The messages of these unread turns go first, so that they don't push out messages that are still read.
      run("DELETE FROM messages WHERE turn_id IN (SELECT value FROM json_each(?))", JSON.stringify(unread));
      const oldMessages = run(
        `DELETE FROM messages WHERE seq IN (
           SELECT seq FROM messages
           WHERE seq <= (SELECT seq FROM messages ORDER BY seq DESC LIMIT 1 OFFSET ?1)
             AND turn_id NOT IN (SELECT id FROM turns WHERE state NOT IN ('finished', 'refused'))
           ORDER BY seq LIMIT ?2)
         RETURNING seq`,
        messages,
        batch,
      ).length;
      const orphans = run(
        `DELETE FROM ledger WHERE message_seq IN (
           SELECT message_seq FROM ledger WHERE message_seq NOT IN (SELECT seq FROM messages)
             AND turn_id NOT IN (SELECT id FROM turns WHERE state NOT IN ('finished', 'refused')) LIMIT ?)
         RETURNING message_seq`,
        batch,
      ).length;
      run("DELETE FROM reply_files WHERE turn_id NOT IN (SELECT id FROM turns)");
      return oldTurns + oldMessages + orphans;
    },
  };
}
