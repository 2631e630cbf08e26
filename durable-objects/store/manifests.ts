// Stores the manifests of remote servers in the object's own SQLite: one row per server, always replaced as a whole.
import type { ManifestStore } from "../../src/mcp/remote-tools.ts";
import { openSql } from "./row-size.ts";
import { type SqliteStorage, textOrNull } from "./sqlite-storage.ts";

/** Opens the store. The database's schema must be up to date. */
export function openManifests(storage: Pick<SqliteStorage, "sql">): ManifestStore {
  const run = openSql(storage);
  return {
    manifest: (serverId) => textOrNull(run("SELECT record FROM manifests WHERE server = ?", serverId)[0]?.record),
    putManifest: (serverId, json) =>
      void run(
        "INSERT INTO manifests VALUES (?, ?) ON CONFLICT (server) DO UPDATE SET record = excluded.record",
        serverId,
        json,
      ),
  };
}
