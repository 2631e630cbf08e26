// A scene's header when Discord fails: it is above all speakers, and if it is unknown whether a speaker's message is posted, the header gets the
// words as a file.
import { describe, expect, it } from "vitest";
import { endingNotice } from "../../../src/core/copy/endings.ts";
import { say } from "../../../src/core/copy/notices.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { end, text } from "../../support/turn-script.ts";

const { theo, mira } = PEOPLE;
const MINUTE = 60_000;
const here = { kind: "command", channel: PLACES.general } as const;

/** Theo has asked for a scene with these two. For messages with any of these names it stays unknown whether they are posted. */
const scene = (...lost: string[]) => sceneIn(createAppHarness(), ...lost);

async function sceneIn(place: AppHarness, ...lost: string[]): Promise<AppHarness> {
  for (const name of ["Ada", "Bob"]) {
    const persona = { name, prompt: "You count." };
    await place.discord.interact({ ...here, as: mira, name: "persona", subcommand: "create", options: persona });
  }
  place.discord.addWeather(({ method, body }) => {
    const isLost = method === "POST" && lost.some((name) => JSON.stringify(body).includes(`**${name}:**`));
    return isLost ? Promise.reject(new TypeError("cut")) : null;
  });
  const options = { personas: "Ada, Bob", prompt: "Is it late?" };
  await place.discord.interact({ ...here, as: theo, name: "scene", options });
  return place;
}

const header = (words: string) => `${words}\n\n${say.scene(["Ada", "Bob"])}\n${say.wholeAnswerAttached}`;
const files = (place: AppHarness) =>
  place.discord.messages(PLACES.general, theo).flatMap(({ attachments }) => attachments.map((file) => file.text));

describe("a speaker's message whose posting is uncertain", () => {
  it.each([
    ["the first one's", ["Ada"]],
    ["the last one's", ["Bob"]],
    ["everyone's", ["Ada", "Bob"]],
  ])("leaves its words in the header as a file: %s", async (_, lost) => {
    const place = await scene(...lost);
    // Both end before either is posted.
    place.channel.answer([text("It is."), end()]);
    await place.channel.drain();
    place.channel.answer([text("It is."), end()]);
    await place.pass(10_000);
    const words = lost.map((name) => `**${name}:** It is.`).join("\n\n");
    const said = ["Ada", "Bob"].filter((name) => !lost.includes(name)).map((name) => `**${name}:** It is.`);
    expect(place.reads()).toEqual([`${header(words)} answer.md`, ...said]);
    expect(files(place)).toEqual([words]);
  });

  it.each([true, false])("leaves its words in the header even if its token is over, a life ended: %s", async (dies) => {
    const place = await sceneIn(createAppHarness({ bot: true }));
    await place.pass(16 * MINUTE);
    const clear = place.discord.addWeather(({ method }) =>
      method === "POST" ? Promise.reject(new Error("cut")) : null,
    );
    if (dies) place.channel.crash();
    await place.pass(MINUTE);
    place.channel.answer([text("It is."), end()]);
    await place.pass(5 * MINUTE);
    clear();
    place.channel.answer([text("It is."), end()]);
    await place.pass(5 * MINUTE);
    expect(place.reads()).toEqual([`${header("**Ada:** It is.")} answer.md`, "**Bob:** It is."]);
    expect(files(place)).toEqual(["**Ada:** It is."]);
  });

  it("costs the header one more request; without it the header takes two", async () => {
    const counts = [];
    for (const lost of [[], ["Bob"]]) {
      const place = await scene(...lost);
      place.channel.answer([text("It is."), end()]);
      await place.channel.drain();
      place.channel.answer([text("It is."), end()]);
      await place.pass(10_000);
      counts.push(place.discord.log.filter(({ path }) => path.endsWith("@original")).length);
    }
    expect(counts).toEqual([2, 3]);
  });
});

describe("a speaker's last words that Discord refuses", () => {
  const refuse = ({ discord }: AppHarness, name: string, status: number, code: number) =>
    discord.addWeather(({ method, path, body }) => {
      const isEdit = method === "PATCH" && !path.endsWith("@original");
      const isTheirs = isEdit && JSON.stringify(body).includes(`**${name}:**`);
      return isTheirs ? Response.json({ message: "no", code }, { status }) : null;
    });

  it.each([
    ["the first one's", "Ada", 403, 50013, false],
    ["the last one's", "Bob", 404, 10003, false],
    ["the last one's, because its token is over", "Bob", 401, 50027, false],
    ["those of a speaker whose life has ended since", "Ada", 403, 50013, true],
  ])("are left in the header as a file: %s", async (_, name, status, code, dies) => {
    const place = await scene();
    refuse(place, name, status, code);
    const speak = async () => {
      place.channel.stream([text("It")]);
      await place.pass(2000);
      place.channel.answer([text(" is."), end()]);
      await place.pass(2000);
    };
    await speak();
    if (dies) place.channel.crash();
    await place.pass(dies ? 10_000 : 0);
    await speak();
    const other = name === "Ada" ? "Bob" : "Ada";
    expect(place.reads()).toContain(`**${other}:** It is.`);
    expect(place.reads()[0]).toBe(`${header(`**${name}:** It is.`)} answer.md`);
    expect(files(place)).toEqual([`**${name}:** It is.`]);
    expect(place.channel.store.state().closing).toEqual([]);
    expect(place.channel.alarmAt()).toBe(null);
  });
});

it.each([
  ["is stopped", "Stop", "**Bob:** It is\n\n"],
  ["is ended by a moderator, so that none of the words are kept", "kill", ""],
])("the header says if a speaker %s while the posting of the message is uncertain", async (_, how, words) => {
  const place = await scene("Bob");
  place.channel.answer([text("It is."), end()]);
  await place.pass(5000);
  place.channel.stream([text("It is")]);
  await place.pass(5000);
  if (how === "Stop") await place.click(theo, "Stop");
  else await place.discord.interact({ ...here, as: mira, name: "bot", subcommand: "kill" });
  await place.pass(5000);
  const ending = endingNotice({ kind: "stopped", by: how === "Stop" ? theo : mira });
  const file = words === "" ? "" : `\n${say.wholeAnswerAttached} answer.md`;
  const [shown] = place.reads();
  expect(shown).toBe(`${words}${say.scene(["Ada", "Bob"])}\n${ending}${file}`);
});

it("a speaker whose message Discord takes only after a while still speaks before the next one", async () => {
  const place = await scene();
  let isBusy = true;
  place.discord.addWeather(({ method, body }) =>
    isBusy && method === "POST" && JSON.stringify(body).includes("**Ada:**")
      ? Response.json({ message: "slow down", retry_after: 1, global: false }, { status: 429 })
      : null,
  );
  place.channel.answer([text("It is."), end()]);
  await place.pass(3000);
  place.channel.answer([text("It is."), end()]);
  await place.pass(3000);
  expect(place.reads()).toEqual([`${say.scene(["Ada", "Bob"])} [Stop]`]);
  isBusy = false;
  await place.pass(10_000);
  expect(place.reads()).toEqual([say.scene(["Ada", "Bob"]), "**Ada:** It is.", "**Bob:** It is."]);
});

it("a scene whose header is deleted before anyone has spoken ends without asking another model", async () => {
  const place = await scene();
  const gone = Response.json({ message: "Unknown Message", code: 10008 }, { status: 404 });
  place.discord.failNext(99, gone, ({ method, path }) => method === "PATCH" && path.endsWith("@original"));
  await place.pass(20_000);
  const turns = place.channel.store.recentTurns(2, { userId: theo, moderator: false });
  expect(turns.map(({ state }) => state)).toEqual(["finished", "finished"]);
  expect([place.channel.streams(), place.channel.requests.length, place.channel.alarmAt()]).toEqual([0, 1, null]);
});

it("speakers wait for a header that Discord takes only after a while, and it replaces nobody's message", async () => {
  const place = await scene();
  let isDown = true;
  place.discord.addWeather(({ method }) => (isDown && method === "PATCH" ? new Response(null, { status: 500 }) : null));
  await place.pass(100);
  place.channel.answer([text("It is."), end()]);
  await place.pass(30_000);
  expect(place.reads()).toEqual(["…"]);
  isDown = false;
  place.channel.answer([text("It is."), end()]);
  await place.pass(30_000);
  expect(place.reads()).toEqual([say.scene(["Ada", "Bob"]), "**Ada:** It is.", "**Bob:** It is."]);
});
