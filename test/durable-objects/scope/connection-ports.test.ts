// The door to the authorization servers: how much of an answer it reads.
import { expect, it } from "vitest";
import { createOAuthFetch } from "../../../durable-objects/scope/connection-ports.ts";

const timers = { after: () => () => {} };

it("an authorization server's answer is read up to 256 KiB, and refused beyond", async () => {
  const answering = (bytes: number) =>
    createOAuthFetch(async () => new Response(new Uint8Array(bytes)), timers, new Set())("https://login.example/token");
  const most = 256 * 1024;
  expect((await (await answering(most)).arrayBuffer()).byteLength).toBe(most);
  await expect(answering(most + 1)).rejects.toThrow("the authorization server answered too much");
});
