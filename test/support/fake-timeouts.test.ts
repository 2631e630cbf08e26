// Timeouts that a test moves by hand, in a process whose connections also set timeouts.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { fakeTimeouts } from "./fake-timeouts.ts";

afterEach(() => void vi.useRealTimers());

it("fakes only the timeouts of the code under test, whatever Node's fetch does meanwhile", async () => {
  const server = createServer((_request, response) => void response.end("here"));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  fakeTimeouts();
  const fired: number[] = [];
  setTimeout(() => void fired.push(1), 1000);
  const cleared = setTimeout(() => void fired.push(2), 1000);
  const { port } = server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("here");
  expect(vi.getTimerCount()).toBe(2);
  clearTimeout(cleared);
  await vi.advanceTimersByTimeAsync(1000);
  expect([fired, vi.getTimerCount()]).toEqual([[1], 0]);
});
