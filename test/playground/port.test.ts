// Ports for our own processes.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { freePort } from "../../src/playground/port.ts";

it("ports that we choose are above those that fetch refuses and below those of outgoing connections", async () => {
  const chosen = await Promise.all(Array.from({ length: 20 }, () => freePort(0)));
  expect(chosen.filter((port) => port <= 10_080 || port >= 32_768)).toEqual([]);
});

it("ports that are requested are given, unless somebody listens there", async () => {
  const port = await freePort(0);
  expect(await freePort(port)).toBe(port);
  const other = createServer();
  await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
  const { port: busy } = other.address() as AddressInfo;
  await expect(freePort(busy)).rejects.toThrow(`Port ${busy} is busy. Choose another with --port.`);
  await new Promise((closed) => other.close(closed));
});
