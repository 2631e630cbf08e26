// What setup reads from Discord's answers.
import { expect, it } from "vitest";
import { createDiscordApi, readApplication } from "../../src/setup/discord-api.ts";

const application = { id: "42", name: "Parley", verify_key: "ab".repeat(32) };

it("doesn't count as an owner somebody whom the team has invited and who has not accepted", () => {
  const [accepted, invited] = [2, 1];
  const members = [
    { membership_state: accepted, user: { id: "7", username: "juno" } },
    { membership_state: invited, user: { id: "8", username: "mira" } },
  ];
  const owner = { id: "99", username: "team99" };
  const read = readApplication({ ...application, owner, team: { name: "The team", members } });
  expect(read).toMatchObject({ ownerIds: ["7"], ownerName: "The team" });
});

it("names the one owner as Discord shows them", () => {
  const owner = { id: "7", username: "juno", global_name: "Juno" };
  expect(readApplication({ ...application, owner })).toMatchObject({ ownerIds: ["7"], ownerName: "Juno" });
  expect(readApplication(application)).toMatchObject({ ownerIds: [], ownerName: "its owner" });
});

it("treats a connection that breaks during the answer as no answer", async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("ECONNRESET")) });
  const clock = { now: () => 0, sleep: async () => {} };
  const discord = createDiscordApi(async () => new Response(body), clock, "https://discord.test", "token");
  expect(await discord.get("/users/@me")).toEqual({ ok: false, kind: "unreachable", text: "ECONNRESET" });
});

/** The reply to any request that gets this answer. */
const replyTo = (answer: () => Promise<Response>) =>
  createDiscordApi(answer, { now: () => 0, sleep: async () => {} }, "https://discord.test", "t").get(
    "/users/@me/guilds",
  );

it("doesn't treat a page that comes as a success as Discord's answer, because a network may have inserted it", async () => {
  const reply = await replyTo(async () => new Response("<html>Log in to this network</html>"));
  expect(reply).toMatchObject({ ok: false, kind: "unreachable", text: "a web page came instead" });
});

it("doesn't treat a network that wants a login as a refusal of the token, which then need not be reset", async () => {
  const reply = await replyTo(async () => new Response("<html>Log in to the proxy</html>", { status: 401 }));
  expect(reply).toMatchObject({ ok: false, kind: "unreachable", text: "a web page came instead" });
  for (const body of ['{"message":"401: Unauthorized","code":0}', ""])
    expect(await replyTo(async () => new Response(body, { status: 401 }))).toMatchObject({ ok: false, kind: "token" });
});

it("tells a Discord that is down from a network that is down", async () => {
  expect(await replyTo(async () => new Response("<html>", { status: 503 }))).toMatchObject({
    kind: "down",
    text: "503",
  });
  const fault = '{"message":"500: Internal Server Error","code":0}';
  expect(await replyTo(async () => new Response(fault, { status: 500 }))).toMatchObject({
    kind: "down",
    text: "500: Internal Server Error",
  });
  const both = Object.assign(new AggregateError([new Error("connect ECONNREFUSED ::1:1")]), { code: "ECONNREFUSED" });
  const refused = new TypeError("fetch failed", { cause: both });
  expect(await replyTo(() => Promise.reject(refused))).toMatchObject({ kind: "unreachable", text: "ECONNREFUSED" });
});
