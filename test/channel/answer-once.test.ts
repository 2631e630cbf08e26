// A command that reaches the object twice, because Discord repeated it or a life ended before its answer arrived: the person reads what the
// first delivery did, and nothing more happens.
import { describe, expect, it } from "vitest";
import { type ChannelHarness, createChannelHarness } from "../support/channel-harness.ts";
import { says, talk } from "../support/long-talk.ts";
import { nodeSqlite } from "../support/node-sqlite.ts";
import { testRequest } from "../support/store-contract.ts";

const OWN = { userId: "10", moderator: false };
const ada = { action: "create", name: "Ada", prompt: "Be exact.", avatarUrl: null } as const;
type Port = ChannelHarness["port"];

describe.each([
  ["in memory", () => createChannelHarness()],
  ["in a database", () => createChannelHarness({ database: nodeSqlite() })],
] as const)("a command that comes twice, stored %s", (_, open) => {
  it.each<[string, (port: Port, id: string) => Promise<unknown>, unknown, unknown]>([
    [
      "/persona create",
      (port, id) => port.changePersona(ada, undefined, id),
      { ok: true, persona: { name: "Ada" } },
      { ok: false, fault: { fault: "exists", name: "Ada" } },
    ],
    ["/bot reset", (port, id) => port.reset(id), 2, 0],
    ["/reminders cancel", (port, id) => port.cancelReminder(1, OWN, id), "cancelled", "not_found"],
  ])("gets the first answer again by %s, but another command does not", async (_name, use, first, other) => {
    const c = open();
    await talk(c, 1, "Question 1.");
    c.remindersFor(testRequest("1")).set({ key: "k", text: "tea", dueAt: c.clock.now() + 60_000 });
    expect(await use(c.port, "901")).toEqual(first);
    expect(await use(c.port, "901")).toEqual(first);
    c.crash();
    expect(await use(c.port, "901")).toEqual(first);
    expect(await use(c.port, "902")).toEqual(other);
  });

  it("leaves alone a conversation that began after the first one", async () => {
    const c = open();
    await talk(c, 1, "Question 1.");
    await c.port.reset("901");
    await talk(c, 2, "Question 2.");
    expect(await c.port.reset("901")).toBe(2);
    c.submit({ trigger: { ...testRequest("3"), receivedAt: c.clock.now() } });
    await c.clock.advance(10);
    expect(c.requests.at(-1)?.messages.map(({ text }) => text.slice(0, 30))).toEqual([
      expect.stringContaining("Question 2."),
      expect.stringContaining("Answer 2."),
      expect.stringContaining("text of 3"),
    ]);
    c.answer(says("Done."));
  });
});
