// The in-memory store keeps the contract of the channel's storage.
import { describe, expect, it } from "vitest";
import { memoryStore } from "../support/memory-store.ts";
import { storeContract } from "../support/store-contract.ts";

describe("the in-memory store", () => {
  it.each(storeContract.map((one) => [one.name, one.run] as const))("%s", (_name, run) => {
    const [seen, wanted] = run(memoryStore());
    expect(seen).toEqual(wanted);
  });
});
