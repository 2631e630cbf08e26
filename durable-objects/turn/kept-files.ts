// Keeps the files that a turn's tools and models make until its reply has them, within the limits of a reply.
import type { ChannelStore } from "../../src/channel/store.ts";
import { type FileNote, hasRoomFor, type MadeFile } from "../../src/core/state/reply-files.ts";
import type { ToolResult } from "../../src/toolkit/tool-result.ts";

type FileStore = Pick<ChannelStore, "addFile" | "fileNotes" | "files" | "dropFiles">;

/**
 * Keeps the files of a result that is about to be stored, in the same transaction. Returns the result without their bytes, as it is stored
 * and as the model reads it.
 */
export function keepResultFiles(store: FileStore, turnId: string, result: ToolResult): ToolResult {
  if (!result.files) return result;
  // A file without bytes was already stored with another call.
  const files = result.files.map(({ data, ...note }) => (data ? keepFile(store, turnId, note, data) : note));
  return { ...result, files };
}

/** Keeps the files that a model made, in the transaction that stores its answer. */
export function keepAnswerFiles(store: FileStore, turnId: string, files: readonly MadeFile[] = []): void {
  for (const { name, type, data } of files)
    keepFile(store, turnId, { name, type, bytes: data.byteLength, byModel: true }, data);
}

/** Drops the files that a model made, when its answers are dropped. A tool's files stay, like its result. */
export function dropAnswerFiles(store: FileStore, turnId: string): void {
  const notes = store.fileNotes(turnId);
  if (!notes.some(({ byModel }) => byModel)) return;
  const files = store.files(turnId);
  store.dropFiles(turnId);
  for (const note of notes) {
    const data = note.leftOut ? null : (files.shift()?.data ?? null);
    if (!note.byModel) store.addFile(turnId, note, data);
  }
}

function keepFile(store: FileStore, turnId: string, note: FileNote, data: Uint8Array): FileNote {
  const hasRoom = hasRoomFor(note.bytes, store.fileNotes(turnId));
  const kept: FileNote = hasRoom ? note : { ...note, leftOut: true };
  store.addFile(turnId, kept, hasRoom ? data : null);
  return kept;
}
