// The in-memory store and the SQLite store (on Node) meet the contract of the channel's storage, also with a life's memory in
// front of them.
import { describe, expect, it } from "vitest";
import { remembering } from "../../durable-objects/store/remembering.ts";
import { openSqliteStore } from "../../durable-objects/store/sqlite.ts";
import { memoryStore } from "../support/memory-store.ts";
import { nodeSqlite } from "../support/node-sqlite.ts";
import { privacyContract } from "../support/privacy-contract.ts";
import { rowContract } from "../support/row-contract.ts";
import { storeContract } from "../support/store-contract.ts";

describe.each([
  ["the in-memory store", memoryStore],
  ["the in-memory store with a memory in front of it", () => remembering(memoryStore())],
  ["the SQLite store", () => openSqliteStore(nodeSqlite())],
  ["the SQLite store with a memory in front of it", () => remembering(openSqliteStore(nodeSqlite()))],
] as const)("%s", (_name, open) => {
  const contract = [...storeContract, ...rowContract, ...privacyContract];
  it.each(contract.map((one) => [one.name, one.run] as const))("%s", (_name, run) => {
    const [seen, wanted] = run(open());
    expect(seen).toEqual(wanted);
  });
});
