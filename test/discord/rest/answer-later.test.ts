// The answer that follows a "thinking": it is retried while that can help, and a file never leaves it at "thinking".
import { expect, it } from "vitest";
import { filesRefused } from "../../../src/core/copy/files.ts";
import { answerLater } from "../../../src/discord/rest/answer-later.ts";

const files = [{ name: "export.json", type: "application/json", data: "{}" }];

/** Sends an answer with a file; Discord gives these responses in turn. */
async function send(...answers: Response[]) {
  const waits: number[] = [];
  const contents: unknown[] = [];
  const ports = {
    async fetch(_url: string, { body }: RequestInit) {
      const json = body instanceof FormData ? body.get("payload_json") : body;
      contents.push((JSON.parse(String(json)) as { content: unknown }).content);
      return answers.shift() ?? Response.json({ id: "1", content: "" });
    },
    ...{ baseUrl: "http://discord.local", userAgent: "test", botToken: null },
  };
  const timers = {
    after(ms: number, callback: () => void) {
      waits.push(ms);
      callback();
      return () => {};
    },
  };
  const sent = await answerLater(ports, timers, { applicationId: "1", token: "t" }, { content: "Here", files });
  return { sent, waits, contents };
}

const refusal = (status: number, json: object) => Response.json({ message: "no", ...json }, { status });

it("waits as long as Discord says, but no longer than a minute", async () => {
  const { sent, waits } = await send(
    refusal(429, { retry_after: 14.5 }),
    refusal(429, { retry_after: 900 }),
    refusal(503, {}),
  );
  expect([sent.ok, waits]).toEqual([true, [14_500, 60_000, 3000]]);
});

it("gives up after five tries", async () => {
  const { sent, waits } = await send(...Array.from({ length: 9 }, () => new Response("", { status: 502 })));
  expect([sent.ok, waits.length]).toEqual([false, 4]);
});

it.each([
  [413, 40_005],
  [403, 50_013],
])("says so if Discord refuses the file (%i, code %i)", async (status, code) => {
  const { sent, contents } = await send(refusal(status, { code }));
  expect(sent.ok).toBe(false);
  expect(contents).toEqual(["Here", filesRefused(["export.json"])]);
});

it("sends nothing more if the token can't be used any more", async () => {
  const { sent, contents } = await send(refusal(401, { code: 50_027 }));
  expect([sent.ok, contents.length]).toEqual([false, 1]);
});
