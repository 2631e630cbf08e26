// The in-memory store meets the contract of the channel's storage, also with a life's memory in front of it.
import { describe, expect, it } from "vitest";
import { remembering } from "../../durable-objects/store/remembering.ts";
import { memoryStore } from "../support/memory-store.ts";
import { rowContract } from "../support/row-contract.ts";
import { storeContract } from "../support/store-contract.ts";

describe.each([
  ["the in-memory store", memoryStore],
  ["the in-memory store with a memory in front of it", () => remembering(memoryStore())],
] as const)("%s", (_name, open) => {
  it.each([...storeContract, ...rowContract].map((one) => [one.name, one.run] as const))("%s", (_name, run) => {
    const [seen, wanted] = run(open());
    expect(seen).toEqual(wanted);
  });
});
