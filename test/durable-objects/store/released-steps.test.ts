// Migration steps have run in databases everywhere, so a released step never changes: databases that ran the old step would miss what the new one
// makes, and no new database would show it. Each step is recorded here by its digest; a new step adds its own.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { openGatewayStore } from "../../../durable-objects/gateway/gateway-store.ts";
import { openScopeStore } from "../../../durable-objects/scope/scope-store.ts";
import { migrations, OLDEST_READER } from "../../../durable-objects/store/migrations.ts";
import { openSqliteStore } from "../../../durable-objects/store/sqlite.ts";
import type { SqliteStorage } from "../../../durable-objects/store/sqlite-storage.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";

const CHANNEL = [
  "14ae1240 7cc87069 aaccf0a3 2a0e608f 1503c808 0838c875 6d0a5bfc bb8e7caf 4916d65b 19920766",
  "29de819a f6adb6b8 e9cfba3c ba036b39 dcc0493b 2298ce0c ff681a09 e897b8a3",
].join(" ");
const SCOPE = "1d2ab7b4 4ddd4115 b5c61efe 40e72306 e5c5a796 f5f719b5";
const GATEWAY = "73525eab";

/** The digests of the steps that this function runs over an empty database, regardless of indentation. */
function stepsOf(open: (storage: SqliteStorage) => unknown): string {
  const { sql, transactionSync } = nodeSqlite();
  const steps: string[] = [];
  open({
    sql: {
      exec(query, ...values) {
        // Setting the version number is not a step.
        if (!/\bschema\b/.test(query)) steps.push(query.replace(/\s+/g, " "));
        return sql.exec(query, ...values);
      },
    },
    transactionSync,
  });
  return steps.map((step) => createHash("sha256").update(step).digest("hex").slice(0, 8)).join(" ");
}

it.for([
  ["a channel's", openSqliteStore, CHANNEL],
  ["a scope's", openScopeStore, SCOPE],
  ["the gateway's", openGatewayStore, GATEWAY],
] as const)("the released steps of %s database have not changed", ([, open, released]) => {
  const hint = "A new step adds its digest at the end. Where another one differs, a released step was changed.";
  expect(stepsOf(open), hint).toEqual(released);
});

it("a program older than the newest step that changes a table can't open a channel's database", () => {
  const addsOnly = (step: string) => /^(?:\s*CREATE (?:VIRTUAL )?TABLE [^;]*;?)+\s*$/.test(step);
  const newest = migrations.findLastIndex((step) => !addsOnly(step));
  const hint =
    "Set OLDEST_READER in migrations.ts: rows are written whole, so an older program fails at a table that has changed.";
  expect(OLDEST_READER, hint).toBeGreaterThan(newest);
  expect(OLDEST_READER).toBeLessThanOrEqual(migrations.length);
});
