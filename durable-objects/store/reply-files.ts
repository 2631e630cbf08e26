// Stores the files of replies that are not complete yet, in the object's own SQLite. A file's first row describes it, and further rows have
// the rest of its bytes. The port describes each method.
import type { ChannelStore } from "../../src/channel/store.ts";
import { joinBytes } from "../../src/core/bytes.ts";
import type { FileNote } from "../../src/core/state/reply-files.ts";
import { type Row, type RunSql, readJson } from "./sqlite-storage.ts";

/** The most bytes of one piece, below the limit of a row, which also has the note. */
const PIECE_BYTES = 1_000_000;

/** The table, for the list of migrations. */
export const REPLY_FILES_TABLE =
  "CREATE TABLE reply_files (id INTEGER PRIMARY KEY, turn_id TEXT NOT NULL, note TEXT, data BLOB);";

/** Makes the methods of the store. */
export function createReplyFiles(run: RunSql): Pick<ChannelStore, "addFile" | "fileNotes" | "files" | "dropFiles"> {
  const insert = "INSERT INTO reply_files (turn_id, note, data) VALUES (?, ?, ?)";
  return {
    addFile(turnId, note, data) {
      // Copies each piece, because the bytes may be part of a larger buffer.
      const piece = (from: number) => data && new Uint8Array(data.subarray(from, from + PIECE_BYTES)).buffer;
      run(insert, turnId, JSON.stringify(note), piece(0));
      for (let from = PIECE_BYTES; from < (data?.byteLength ?? 0); from += PIECE_BYTES)
        run(insert, turnId, null, piece(from));
    },
    fileNotes: (turnId) =>
      run("SELECT note FROM reply_files WHERE turn_id = ? AND note IS NOT NULL ORDER BY id", turnId).map(readNote),
    files(turnId) {
      const rows = run("SELECT note, data FROM reply_files WHERE turn_id = ? AND data IS NOT NULL ORDER BY id", turnId);
      const starts = rows.flatMap((row, index) => (row.note === null ? [] : [index]));
      return starts.map((start, index) => {
        const row = rows[start] ?? {};
        const { name, type } = readNote(row);
        const pieces = rows.slice(start, starts[index + 1]).map(({ data }) => new Uint8Array(data as ArrayBuffer));
        return { name, type, data: joinBytes(pieces) };
      });
    },
    dropFiles: (turnId) => void run("DELETE FROM reply_files WHERE turn_id = ?", turnId),
  };
}

const readNote = (row: Row): FileNote => readJson(row.note);
