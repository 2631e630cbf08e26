// The deletion of a question whose answer is in a thread of its own: whenever it comes, the turn ends, and nothing more is
// said.
import { describe, expect, it } from "vitest";
import type { HeardEvent } from "../../../src/gateway/heard.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import type { FaultHarness } from "../../support/fault-harness.ts";
import { BOT, type MessageHarness } from "../../support/message-harness.ts";
import type { Answer } from "../../support/scripted-model.ts";
import { openThreadPlace } from "../../support/thread-harness.ts";

const { theo } = PEOPLE;

/** The model is slow, unless `answer` says otherwise. */
const openPlace = (answer: Answer = { texts: ["Rayleigh."], firstMs: 10_000 }) => openThreadPlace(answer);

const deletionOf = ({ world, door }: MessageHarness, messageId: string): HeardEvent => {
  const [asked] = door.heard;
  if (!asked) throw new Error("nothing was heard");
  return { ...asked, event: { kind: "deleted", channelId: world.channelId, messageId } };
};
const drop = ({ world }: MessageHarness, messageId: string) =>
  world.discord.touch({ kind: "delete", as: theo, messageId });
const turnIn = (world: FaultHarness | null, id: string) => world?.life?.channel.ports.store.turn(id) ?? null;
const posts = ({ world }: MessageHarness) =>
  world.discord.log.flatMap(({ method, path, status }) =>
    method === "POST" && /(messages|threads)$/.test(path) ? [`${path.split("/").at(-1)} ${status}`] : [],
  );

describe("the deletion of a question that gets a thread", () => {
  it("stops the turn in the thread, and no answer is posted there", async () => {
    const place = await openPlace();
    const id = place.write(theo, `${BOT} why?`);
    await place.pass(1500);
    expect([turnIn(place.world, id)?.state, turnIn(place.thread(), id)?.state]).toEqual(["finished", "running"]);
    drop(place, id);
    await place.restAll();
    expect([turnIn(place.thread(), id)?.status, posts(place)]).toEqual(["stopped_by_user", ["threads 201"]]);
  });

  it("keeps what the thread already shows, and says there who stopped it", async () => {
    const place = await openPlace({ texts: ["Once "], hang: true });
    const id = place.write(theo, `${BOT} why?`);
    await place.pass(5000);
    drop(place, id);
    await place.restAll();
    expect(place.reads(theo, id)).toEqual([`Once\n\n-# Stopped by <@${theo}>.`]);
  });

  it("opens no thread and calls no model if it comes before the thread is open", async () => {
    const place = await openPlace();
    const id = place.write(theo, `${BOT} why?`);
    await place.pass(10);
    drop(place, id);
    await place.restAll();
    expect([posts(place), place.thread(), place.world.requests, turnIn(place.world, id)?.state]).toEqual([
      [],
      null,
      [],
      "finished",
    ]);
  });

  it("is sent to the thread again until its object has it", async () => {
    const place = await openPlace();
    const id = place.write(theo, `${BOT} why?`);
    await place.pass(1500);
    place.way.isOpen = false;
    drop(place, id);
    await place.pass(2000);
    expect([turnIn(place.thread(), id)?.state, place.door.open()]).toEqual(["running", 1]);
    place.way.isOpen = true;
    await place.restAll();
    expect([turnIn(place.thread(), id)?.status, place.door.givenUp]).toEqual(["stopped_by_user", []]);
  });

  it("keeps the turn out of the thread if it arrives there first", async () => {
    const place = await openPlace();
    const id = place.write(theo, `${BOT} why?`);
    place.way.isOpen = false;
    await place.pass(1500);
    expect(turnIn(place.world, id)).toMatchObject({ state: "closing", threadId: id });
    place.way.isOpen = true;
    const early = place.world.threads?.(id);
    await early?.hear(deletionOf(place, id));
    await place.restAll();
    expect([turnIn(place.thread(), id), turnIn(place.world, id)?.state, posts(place)]).toEqual([
      null,
      "finished",
      ["threads 201"],
    ]);
  });

  it("stops the turn in the thread even if the turn's receipt was lost, and doesn't hand it over again", async () => {
    const place = await openPlace();
    const id = place.write(theo, `${BOT} why?`);
    place.way.losesReceipts = true;
    await place.pass(1500);
    expect([turnIn(place.world, id)?.state, turnIn(place.thread(), id)?.state]).toEqual(["closing", "running"]);
    drop(place, id);
    await place.restAll();
    expect([turnIn(place.world, id)?.state, turnIn(place.thread(), id)?.status]).toEqual([
      "finished",
      "stopped_by_user",
    ]);
  });

  it("may come twice and late: a finished answer stays", async () => {
    const place = await openPlace({ texts: ["Rayleigh."] });
    const id = place.write(theo, `${BOT} why?`);
    await place.restAll();
    const before = place.world.discord.log.length;
    for (let time = 0; time < 2; time++) await place.world.hear(deletionOf(place, id));
    await place.restAll();
    expect([place.reads(theo, id), place.world.discord.log.length - before]).toEqual([["Rayleigh."], 0]);
  });

  it("ends the turn without an answer at whatever moment it comes, even if a life ends right after it", async () => {
    const kinds = new Set<string>();
    for (let ms = 0; ms <= 1200; ms += 25)
      for (const dies of [false, true]) {
        const place = await openPlace();
        const id = place.write(theo, `${BOT} why?`);
        await place.pass(ms);
        drop(place, id);
        if (dies) place.world.restart();
        await place.restAll();
        const inThread = turnIn(place.thread(), id);
        kinds.add(`${posts(place).join()} ${inThread?.status ?? "not there"}`);
        expect([
          ms,
          dies,
          turnIn(place.world, id)?.state ?? "finished",
          place.reads(theo),
          place.reads(theo, id),
        ]).toEqual([ms, dies, "finished", [], []]);
        expect(place.door.givenUp).toEqual([]);
      }
    expect([...kinds].sort()).toEqual([" not there", "threads 201 stopped_by_user"]);
  });
});
