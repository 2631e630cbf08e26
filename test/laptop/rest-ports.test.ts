// What a start does if Discord asks it to wait.
import { expect, it } from "vitest";
import { restPorts } from "../../src/laptop/rest-ports.ts";

/** The statuses that requests get, in order (the last one forever), and the waits in between. */
async function ask(answers: readonly (readonly [status: number, retryAfter: string])[]) {
  const waited: number[] = [];
  let sent = 0;
  const { fetch } = restPorts({
    baseUrl: "https://discord.test",
    botToken: "a.b.c",
    signal: new AbortController().signal,
    send: async () => {
      const [status, after] = answers[Math.min(sent++, answers.length - 1)] ?? [200, ""];
      return new Response("{}", { status, headers: after === "" ? {} : { "retry-after": after } });
    },
    wait: async (ms) => void waited.push(ms),
  });
  const { status } = await fetch("https://discord.test/applications/@me", {});
  return { status, sent, waited };
}

it("waits as long as Discord says, and asks again", async () => {
  const answers = [
    [429, "1.5"],
    [429, "2"],
    [200, ""],
  ] as const;
  expect(await ask(answers)).toEqual({ status: 200, sent: 3, waited: [1500, 2000] });
});

it("gives up after three waits, and waits neither for minutes nor without being told how long", async () => {
  expect(await ask([[429, "1"]])).toMatchObject({ status: 429, sent: 4 });
  expect(await ask([[429, "60"]])).toEqual({ status: 429, sent: 1, waited: [] });
  expect(await ask([[429, ""]])).toEqual({ status: 429, sent: 1, waited: [] });
  expect(await ask([[503, "1"]])).toEqual({ status: 503, sent: 1, waited: [] });
});
