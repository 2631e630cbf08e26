// A call of a server that reports its progress: it may take longer than a silent one, but it still ends.
import { describe, expect, it } from "vitest";
import { listed, mcpServer, says } from "../support/mcp-server.ts";
import { modernServer } from "../support/modern-mcp-server.ts";
import { eventually } from "../support/web-server.ts";
import { host } from "./arrange.ts";

const MINUTE_MS = 60_000;
/** The limit of a whole call in these tests. */
const CALL_MINUTES = 5;

/** A server of one era whose answer to a call is a stream that the test writes, and the call that it answers. */
async function telling(server: ReturnType<typeof mcpServer> | ReturnType<typeof modernServer>) {
  let write = (_message: object) => {};
  let token: unknown;
  let id: unknown;
  server.onCall = () => {
    const asked = server.heard.at(-1);
    id = asked?.id;
    token = (asked?.params?._meta as { progressToken?: unknown } | undefined)?.progressToken;
    const { readable, writable } = new TransformStream<string, string>();
    const writer = writable.getWriter();
    write = (message) => void writer.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
    return new Response(readable.pipeThrough(new TextEncoderStream()), {
      headers: { "content-type": "text/event-stream" },
    });
  };
  const { clock, call } = await host(server);
  const result = call("it_look");
  await eventually(() => token !== undefined);
  let told = 0;
  return {
    clock,
    result,
    /** Reports progress, and waits until our client has heard it. */
    async goOn() {
      const progress = { progressToken: token, progress: ++told };
      const before = clock.nextAt();
      write({ method: "notifications/progress", params: progress });
      await eventually(() => clock.nextAt() !== before);
    },
    say: (message: object) => write(message),
    answer: () => write({ id, result: { resultType: "complete", ...says("did look") } }),
  };
}

describe.each([
  ["the older form", () => mcpServer(listed("look"))],
  ["the newer form", () => modernServer(listed("look"))],
])("a call of a server of %s", (_era, made) => {
  it("continues past a minute as long as the server reports its progress", async () => {
    const { clock, result, goOn, answer } = await telling(made());
    for (let minute = 0; minute < 3; minute++) {
      await clock.advance(MINUTE_MS - 1);
      await goOn();
    }
    answer();
    expect(await result).toMatchObject({ ok: true, data: { text: "did look" } });
    expect(clock.pending()).toBe(0);
  });

  it("is given up a minute after the last progress, whatever else the server says", async () => {
    const { clock, result, goOn, say } = await telling(made());
    await clock.advance(MINUTE_MS - 1);
    await goOn();
    say({ method: "notifications/message", params: { level: "info", data: "still here" } });
    await clock.advance(MINUTE_MS);
    expect(await result).toMatchObject({ status: "timeout", error: expect.stringMatching(/^timed out after 60 s/) });
  });

  it("is given up at the limit of the whole call, whatever the server reports", async () => {
    const { clock, result, goOn } = await telling(made());
    for (let minute = 0; minute < CALL_MINUTES; minute++) {
      await clock.advance(MINUTE_MS - 1);
      await goOn();
    }
    await clock.advance(MINUTE_MS);
    expect(await result).toMatchObject({ status: "timeout", error: expect.stringMatching(/^timed out after 300 s/) });
  });
});
