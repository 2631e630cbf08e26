// The marks of what was said where a person does not look, and the local Discord's word on it.
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { unreadMarks } from "../../../src/playground/page/unread.ts";
import { testWorld } from "../discord/world.ts";

const channel = (id: string, newest?: string) => ({ id, name: id, type: 0, newest });

it("a channel is marked when something new is said there, until its person looks at it", () => {
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
  // Another person has seen neither, and begins now.
  expect(look("theo", "0", "7", "8", "9")).toEqual([]);
  expect(look("theo", "0", "7", "8", undefined)).toEqual([]);
});

it("the newest message of somebody else is known of each channel, without what one person alone sees", () => {
  const { discord } = testWorld();
  const newest = () => Object.fromEntries(discord.newestOfOthers(PEOPLE.mira));
  const speak = (as: string, place: string) => discord.speak({ as, channel: place, content: "hello" });
  expect(newest()).toEqual({});
  const first = speak(PEOPLE.theo, PLACES.general);
  speak(PEOPLE.mira, PLACES.general);
  speak(PEOPLE.mira, PLACES.thread);
  expect(newest()).toEqual({ [PLACES.general]: first });
});
