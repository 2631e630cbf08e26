// The marks for messages in places where a person is not looking, and what the local Discord reports about them.
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { unreadMarks } from "../../../src/playground/page/unread.ts";
import { testWorld } from "../discord/world.ts";

const channel = (id: string, newest?: string) => ({ id, name: id, type: 0, newest });

it("a channel is marked when something new is said there, until the person looks at it", () => {
  const marks = unreadMarks();
  const look = (person: string, shown: string, ...newest: (string | undefined)[]) => [
    ...marks(
      person,
      shown,
      newest.map((id, index) => channel(`${index}`, id)),
    ),
  ];
  expect(look("mira", "0", "5", "6", undefined)).toEqual([]);
  expect(look("mira", "0", "7", "6", undefined)).toEqual([]);
  expect(look("mira", "0", "7", "8", "9")).toEqual(["1", "2"]);
  expect(look("mira", "1", "7", "8", "9")).toEqual(["2"]);
  expect(look("mira", "0", "7", "8", "9")).toEqual(["2"]);
  // The other person has seen neither channel, and starts now.
  expect(look("theo", "0", "7", "8", "9")).toEqual([]);
  expect(look("theo", "0", "7", "8", undefined)).toEqual([]);
});

it("the newest message by somebody else is known for each channel, without those that only one person sees", () => {
  const { discord } = testWorld();
  const newest = () => Object.fromEntries(discord.newestOfOthers(PEOPLE.mira));
  const speak = (as: string, place: string) => discord.speak({ as, channel: place, content: "hello" });
  expect(newest()).toEqual({});
  const first = speak(PEOPLE.theo, PLACES.general);
  speak(PEOPLE.mira, PLACES.general);
  speak(PEOPLE.mira, PLACES.thread);
  expect(newest()).toEqual({ [PLACES.general]: first });
});
