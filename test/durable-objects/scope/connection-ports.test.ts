// The requests to authorization servers: how much of an answer is read, and how they identify the program.
import { expect, it } from "vitest";
import { createOAuthFetch } from "../../../durable-objects/scope/connection-ports.ts";

const timers = { after: () => () => {} };

it("an authorization server's answer is read up to 256 KiB, and is empty beyond", async () => {
  const answering = (bytes: number) =>
    createOAuthFetch(
      async () => new Response(new Uint8Array(bytes)),
      timers,
      "0.0.1",
      new Set(),
    )("https://login.example/token");
  const most = 256 * 1024;
  expect((await (await answering(most)).arrayBuffer()).byteLength).toBe(most);
  const { status, body } = await answering(most + 1);
  expect([status, body]).toEqual([200, null]);
});

it("requests to an authorization server have a user agent, because many servers refuse those without one", async () => {
  const asked: (string | null)[] = [];
  const fetch = async (_url: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    asked.push(headers.get("user-agent"), headers.get("accept"));
    return new Response();
  };
  await createOAuthFetch(fetch, timers, "0.0.1", new Set())("https://login.example/", { headers: { accept: "a/b" } });
  expect(asked).toEqual(["parley/0.0.1", "a/b"]);
});
