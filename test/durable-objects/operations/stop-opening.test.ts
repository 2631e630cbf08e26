// A stop while a thread is being opened for the question: nothing is answered, here or there, and the reply says who stopped it.
import { describe, expect, it } from "vitest";
import { stopText } from "../../../src/core/copy/control-answers.ts";
import { endingNotice } from "../../../src/core/copy/endings.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { BOT } from "../../support/message-harness.ts";
import { openThreadPlace, type ThreadPlace } from "../../support/thread-harness.ts";

const { mira, theo } = PEOPLE;

const stoppedBy = (by: string) => endingNotice({ kind: "stopped", by }) ?? "";
const STOPPED = stopText({ result: "stopped", ofUserId: theo, what: "running", cleared: 0 });
const NOTHING = stopText({ result: "nothing_to_stop" });

/** Opens a place in which Discord fails every request to open a thread. */
async function openPlace(): Promise<ThreadPlace> {
  const place = await openThreadPlace({ texts: ["Rayleigh."] });
  place.world.discord.failNext(1000, Response.json({}, { status: 500 }), ({ path }) => path.endsWith("/threads"));
  return place;
}

/** The turns of the channel that have not ended. */
function unfinished({ world }: ThreadPlace) {
  const state = world.life?.channel.ports.store.state();
  return state ? [state.running, ...state.queue, ...state.closing].filter((turn) => turn !== null) : [];
}

describe("a stop while a thread is opened", () => {
  it.each([
    ["stop", "the person who asked", theo],
    ["bot kill", "the person who asked", theo],
    ["stop", "a moderator", mira],
    ["bot kill", "a moderator", mira],
  ])("by /%s of %s ends the question of a command", async (command, _who, by) => {
    const place = await openPlace();
    await place.use(theo, "chat", { message: "why?" });
    await place.pass(10_000);
    await place.use(by, command);
    await place.restAll();
    expect(place.reads(by)).toEqual([stoppedBy(by), STOPPED]);
    expect([place.thread(), place.world.requests, unfinished(place)]).toEqual([null, [], []]);
  });

  it("ends the question of a message, and its reply says so", async () => {
    const place = await openPlace();
    place.write(theo, `${BOT} why?`);
    await place.pass(10_000);
    await place.use(theo, "stop");
    await place.restAll();
    expect(place.reads(theo)).toEqual([STOPPED, stoppedBy(theo)]);
    expect([place.thread(), place.world.requests, unfinished(place)]).toEqual([null, [], []]);
  });

  it("is refused to others, and the answer comes", async () => {
    const place = await openPlace();
    await place.use(mira, "chat", { message: "why?" });
    await place.pass(10_000);
    await place.use(theo, "stop");
    await place.restAll();
    const refusal = stopText({ result: "not_allowed" });
    expect(place.reads(theo).slice(0, 2)).toEqual([expect.stringContaining("Hello there."), refusal]);
  });

  it("ends what it says it ends and nothing else, at whatever moment it comes, even if a life ends right after it", async () => {
    const kinds = new Set<string>();
    for (let ms = 0; ms <= 1200; ms += 50)
      for (const dies of [false, true]) {
        const place = await openThreadPlace({ texts: ["Rayleigh."] });
        await place.use(theo, "chat", { message: "why?" });
        await place.pass(ms);
        await place.use(theo, "stop");
        if (dies) place.world.restart();
        await place.restAll();
        const [reply = "", told] = place.reads(theo);
        const answers = place.thread()?.requests.length ?? 0;
        kinds.add(`${told === STOPPED ? "stopped" : told === NOTHING ? "nothing" : told}, ${answers} in the thread`);
        expect([ms, dies, reply === stoppedBy(theo)]).toEqual([ms, dies, told === STOPPED]);
        expect([place.world.requests, unfinished(place)]).toEqual([[], []]);
      }
    expect([...kinds].sort()).toEqual(["nothing, 1 in the thread", "stopped, 0 in the thread"]);
  });
});
