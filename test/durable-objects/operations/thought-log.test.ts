// The thought log: what is posted, where, how it is cut, and which channels' thoughts are never posted.
import { describe, expect, it } from "vitest";
import { thoughtPages } from "../../../src/core/copy/thought-log.ts";
import { MAX_PAGES, PAGE_CODE_POINTS, type Thoughts } from "../../../src/core/decisions/thought-log.ts";
import { codePoints } from "../../../src/core/markdown/code-points.ts";
import type { ChannelSight, SightQuestion } from "../../../src/discord/rest/channel-access.ts";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { EFFECT, end, tool } from "../../support/turn-script.ts";

const { theo, mira } = PEOPLE;
const thinks = (reasoning: string, text: string): ModelEvent[] => [
  { kind: "reasoning", text: reasoning },
  { kind: "text", text },
  { kind: "end", finishReason: "stop", calls: [], usage: null },
];
const nothing: Thoughts = { source: "<#1>", reasoning: "", tools: [], ending: { kind: "completed" } };

/** Plays one turn whose model thinks first, with these settings. */
async function thought(settings: Record<string, string>, events = thinks("Is it 4? It is.", "4")): Promise<AppHarness> {
  const place = createAppHarness({ bot: true });
  for (const [key, value] of Object.entries(settings)) place.channel.store.putSetting(key, value);
  await place.ask(theo, "2 + 2?");
  await place.pass(1000);
  place.channel.answer(events);
  await place.pass(5000);
  return place;
}

const posts = ({ discord }: AppHarness) =>
  discord.log.filter(({ path }) => path === `/channels/${PLACES.thread}/messages`).map(({ body }) => body);

describe("a turn's thoughts", () => {
  it("go to the chosen channel, from the bot, silently and without a ping, and stay out of the answer", async () => {
    const place = await thought({ thought_log_channel: PLACES.thread });
    expect(place.reads()).toEqual(["4"]);
    expect(posts(place)).toEqual([
      {
        embeds: [
          {
            title: "Thought log",
            description: expect.stringMatching(/^https:\S+\/\d+ · <@\d+>\n\n\*\*Reasoning\*\*\nIs it 4\? It is\.$/),
          },
        ],
        flags: 1 << 12,
        allowed_mentions: { parse: [] },
        nonce: expect.stringMatching(/-t0$/),
        enforce_nonce: true,
      },
    ]);
    expect([place.discord.violations, place.discord.pinged()]).toEqual([[], []]);
  });

  it("have no links that nobody gave if the model has read strangers' words", async () => {
    const page = tool("page", () => ({ ok: true, data: { url: "https://cakes.example/" } }), { untrusted: true });
    const place = createAppHarness({ bot: true, tools: [page] });
    place.channel.store.putSetting("thought_log_channel", PLACES.thread);
    await place.ask(theo, "read it");
    await place.pass(1000);
    place.channel.answer([end([["page", {}]])]);
    await place.pass(1000);
    const musing = "[Cake](https://cakes.example/), and [confirm](https://evil.example/?q=everything)";
    place.channel.answer(thinks(musing, "Read."));
    await place.pass(5000);
    expect(JSON.stringify(posts(place))).toContain("[Cake](https://cakes.example/), and confirm (evil.example)");
  });

  it("are removed from the answer if the model closes a tag that its server had opened, even over two messages", async () => {
    const place = createAppHarness({ bot: true });
    place.channel.store.putSetting("thought_log_channel", PLACES.thread);
    await place.ask(theo, "2 + 2?");
    await place.pass(1000);
    const said = (text: string): ModelEvent[] => [{ kind: "text", text }];
    const musing = "Is it 4? ".repeat(300);
    for (const text of ["Hm. ", musing, "\n</thi", "nk>\n", "\n"]) {
      place.channel.stream(said(text));
      await place.pass(3000);
    }
    place.channel.stream(said("It is "));
    await place.pass(3000);
    const reads = () => place.reads().map((read) => read.trim());
    expect(reads()[0]).toBe("It is  [Stop]");
    place.channel.answer(thinks("", "4."));
    await place.pass(5000);
    expect(reads()).toEqual(["It is 4."]);
    expect(JSON.stringify(posts(place))).toContain("Hm. Is it 4? Is it 4?");
    expect(place.discord.violations).toEqual([]);
    const [turn] = place.channel.store.recentTurns(1, { userId: theo, moderator: false });
    expect(
      place.channel.store
        .messagesInTurn(turn?.id ?? "")
        .at(-1)
        ?.text.trim(),
    ).toBe("It is 4.");
  });

  it("of a command, which says where it was used, are posted without asking Discord about that place", async () => {
    const place = await thought({ thought_log_channel: PLACES.thread });
    expect(posts(place)).toHaveLength(1);
    expect(place.discord.log.filter(({ path }) => path === `/channels/${PLACES.general}`)).toEqual([]);
  });

  it("also say how the turn failed", async () => {
    const failed: ModelEvent[] = [{ kind: "failed", failure: { reason: "refused", message: "no" } }];
    const [post] = posts(await thought({ thought_log_channel: PLACES.thread }, failed));
    expect(JSON.stringify(post)).toContain("**Ended**\\nThe model provider rejected this request.");
  });

  it.each([
    ["no channel was chosen", {}],
    ["the channel is private", { thought_log_channel: PLACES.thread, private: "true" }],
  ])("are not posted when %s", async (_, settings) => {
    expect(posts(await thought(settings))).toEqual([]);
  });

  it("are not posted from an answer that only its asker sees", async () => {
    const place = createAppHarness({ bot: true });
    place.channel.store.putSetting("thought_log_channel", PLACES.thread);
    await place.ask(theo, "a secret", { forceEphemeral: true });
    await place.pass(1000);
    place.channel.answer(thinks("They have a secret.", "I see."));
    await place.pass(5000);
    expect(posts(place)).toEqual([]);
  });

  it.each<[string, (place: AppHarness, turnId: string) => void]>([
    ["their person is forgotten", ({ channel }) => void channel.forgetPerson(theo)],
    ["the conversation is reset", ({ channel }) => void channel.reset()],
    [
      "the answer is deleted",
      ({ channel }, turnId) => {
        const press = { applicationId: APPLICATION.id, token: "t", messageId: "5" };
        channel.remove({ interactionId: "90", turnId, userId: theo, moderator: false, press });
      },
    ],
  ])("are not posted if %s while Discord can't be asked yet", async (_, act) => {
    let sight: "unchecked" | "visible" = "unchecked";
    const place = createAppHarness({ bot: true, seeChannel: async () => sight });
    place.channel.store.putSetting("thought_log_channel", PLACES.thread);
    await place.ask(theo, "2 + 2?");
    await place.pass(1000);
    place.channel.answer(thinks("Is it 4? It is.", "4"));
    await place.pass(2000);
    const [turn] = place.channel.store.recentTurns(1, { userId: theo, moderator: false });
    expect([turn?.state, posts(place)]).toEqual(["finished", []]);
    act(place, turn?.id ?? "");
    sight = "visible";
    await place.pass(60_000);
    expect(posts(place)).toEqual([]);
  });

  it("wait if Discord can't be asked at once, as between short answers, without delaying the next question", async () => {
    const sights = ["unchecked", "unchecked", "visible"] as const;
    let asked = 0;
    const place = createAppHarness({ bot: true, seeChannel: async () => sights[asked++] ?? "hidden" });
    place.channel.store.putSetting("thought_log_channel", PLACES.thread);
    await place.ask(theo, "2 + 2?");
    await place.pass(1000);
    place.channel.answer(thinks("It is 4.", "4"));
    await place.pass(100);
    expect([place.reads(), posts(place)]).toEqual([["4"], []]);
    await place.ask(theo, "again");
    expect(place.channel.streams()).toBe(1);
    await place.pass(10_000);
    expect([asked, posts(place).length]).toEqual([3, 1]);
  });

  it.each(["hidden", "elsewhere", "closed"] as const)(
    "are not posted when the channel is %s, for the person who set it or for the bot, checked once for each post",
    async (sight) => {
      const asked: SightQuestion[] = [];
      const seeChannel = async (question: SightQuestion) => {
        asked.push(question);
        return sight;
      };
      const place = createAppHarness({ bot: true, seeChannel });
      place.channel.store.putSetting("thought_log_channel", PLACES.thread);
      place.channel.store.putSetting("thought_log_setter", mira);
      await place.ask(theo, "2 + 2?");
      await place.pass(1000);
      place.channel.answer(thinks("It is 4.", "4"));
      await place.pass(5000);
      expect(asked).toEqual([{ channelId: PLACES.thread, guildId: PLACES.guild, userId: mira }]);
      expect(posts(place)).toEqual([]);
    },
  );

  it("cause a request for a channel that is closed to the bot once in five minutes, and for another one at once", async () => {
    const asked: string[] = [];
    const seeChannel = async ({ channelId }: SightQuestion) => {
      asked.push(channelId);
      return "closed" as const;
    };
    const place = createAppHarness({ bot: true, seeChannel });
    for (const [channelId, passMs, times] of [
      ["1180000000000000201", 5000, 1],
      ["1180000000000000201", 5000, 1],
      ["1180000000000000202", 300_000, 2],
      ["1180000000000000202", 5000, 3],
    ] as const) {
      place.channel.store.putSetting("thought_log_channel", channelId);
      await place.ask(theo, "2 + 2?");
      await place.pass(1000);
      place.channel.answer(thinks("It is 4.", "4"));
      await place.pass(passMs);
      expect(asked).toHaveLength(times);
    }
  });

  it.each(["change", "checkSetting"] as const)(
    "check a closed channel again at once when a person sets it here or for the server: %s",
    async (how) => {
      let sight: ChannelSight = "closed";
      const place = createAppHarness({ bot: true, seeChannel: async () => sight });
      const wanted = { key: "thought_log_channel", value: PLACES.thread, by: { userId: mira, guildId: PLACES.guild } };
      place.channel.store.putSetting(wanted.key, wanted.value);
      for (const posted of [0, 1]) {
        await place.ask(theo, "2 + 2?");
        await place.pass(1000);
        place.channel.answer(thinks("It is 4.", "4"));
        await place.pass(5000);
        expect(posts(place)).toHaveLength(posted);
        sight = "visible";
        await place.channel.port[how](wanted);
      }
    },
  );

  it("come later, and none is lost, if eight short answers end at once", async () => {
    let freeAt = 0;
    // Our own pace allows one check and one post every two seconds.
    const seeChannel = async () => {
      const isFree = place.channel.clock.now() >= freeAt;
      if (isFree) freeAt = place.channel.clock.now() + 2000;
      return isFree ? ("visible" as const) : "unchecked";
    };
    const place: AppHarness = createAppHarness({ bot: true, seeChannel });
    place.channel.store.putSetting("thought_log_channel", PLACES.thread);
    place.channel.store.putSetting("follow_up", "queue");
    for (let n = 0; n < 8; n++) {
      await place.ask(n % 2 === 0 ? theo : mira, "2 + 2?");
      await place.pass(100);
      place.channel.answer(thinks("It is 4.", "4"));
    }
    await place.pass(25_000);
    expect([place.reads(), posts(place).length]).toEqual([Array(8).fill("4"), 8]);
  });

  it("are given up if Discord never says who sees the channel", async () => {
    let asked = 0;
    const seeChannel = async () => {
      asked++;
      return "unchecked" as const;
    };
    const place = createAppHarness({ bot: true, seeChannel });
    place.channel.store.putSetting("thought_log_channel", PLACES.thread);
    await place.ask(theo, "2 + 2?");
    await place.pass(1000);
    place.channel.answer(thinks("It is 4.", "4"));
    await place.pass(60_000);
    expect([asked, posts(place)]).toEqual([12, []]);
  });

  it("are not posted from a direct message", async () => {
    const place = createAppHarness({ bot: true });
    place.channel.store.putSetting("thought_log_channel", PLACES.thread);
    await place.discord.interact({
      kind: "command",
      name: "chat",
      channel: PLACES.dmOfTheo,
      as: theo,
      options: { message: "a secret" },
    });
    await place.pass(1000);
    place.channel.answer(thinks("They have a secret.", "I see."));
    await place.pass(5000);
    expect(posts(place)).toEqual([]);
  });

  it("change nothing for the person if they can't be posted", async () => {
    const place = createAppHarness({ bot: true });
    place.channel.store.putSetting("thought_log_channel", "1180000000000000099");
    await place.ask(theo, "2 + 2?");
    await place.pass(1000);
    place.channel.answer(thinks("x".repeat(9000), "4"));
    await place.pass(5000);
    expect(place.reads()).toEqual(["4"]);
    expect(place.requests().filter((line) => line.includes("POST bot"))).toHaveLength(1);
    await place.ask(theo, "again");
    expect(place.channel.streams()).toBe(1);
  });
});

describe("a turn's thoughts survive", () => {
  const usage = null;
  const calls = (name: string): ModelEvent[] => [
    { kind: "reasoning", text: "Is it 4?" },
    { kind: "end", finishReason: "tool_calls", calls: [{ id: "c", name, arguments: "{}" }], usage },
  ];
  const says: ModelEvent[] = [
    { kind: "text", text: "4" },
    { kind: "end", finishReason: "stop", calls: [], usage },
  ];
  const tools = [
    tool("look", () => ({ ok: true, data: 1 })),
    tool("purge", () => ({ ok: true, data: 1 }), { ...EFFECT, category: "dangerous" }),
  ];
  const by = { userId: theo, userName: "Theo", moderator: false };

  it.each<[string, ModelEvent[], (place: AppHarness) => unknown]>([
    [
      "an empty answer",
      [
        { kind: "reasoning", text: "Is it 4?" },
        { kind: "end", finishReason: "stop", calls: [], usage },
      ],
      () => {},
    ],
    ["the end of the object's life", calls("look"), ({ channel }) => channel.crash()],
    [
      "a wait for approval",
      calls("purge"),
      ({ channel }) => {
        const [parked] = channel.store.state().parked;
        const press = { applicationId: APPLICATION.id, token: "t", messageId: "1" };
        const turnId = parked?.id ?? "";
        channel.approve({ interactionId: "9", turnId, approved: true, ...by, press });
      },
    ],
  ])("%s", async (_, first, happens) => {
    const place = createAppHarness({ bot: true, tools });
    place.channel.store.putSetting("thought_log_channel", PLACES.thread);
    await place.ask(theo, "2 + 2?");
    await place.pass(1000);
    place.channel.answer(first);
    await place.pass(2000);
    happens(place);
    await place.pass(10_000);
    expect(place.channel.answer(says)).toBe(true);
    await place.pass(5000);
    expect(JSON.stringify(posts(place))).toContain("**Reasoning**\\nIs it 4?");
    const turn = place.channel.store.recentTurns(1, { userId: theo, moderator: true })[0];
    expect(turn).toMatchObject({ state: "finished", thoughts: "Is it 4?" });
  });

  it("a life whose successor only ends the turn", async () => {
    const place = createAppHarness({ bot: true, tools, turnDeadlineMs: 60_000 });
    place.channel.store.putSetting("thought_log_channel", PLACES.thread);
    await place.ask(theo, "2 + 2?");
    await place.pass(1000);
    place.channel.answer(calls("look"));
    await place.pass(2000);
    place.channel.crash();
    await place.channel.clock.advance(60_000);
    await place.pass(10_000);
    expect(JSON.stringify(posts(place))).toContain("**Reasoning**\\nIs it 4?");
  });
});

describe("the pages of a thought log entry", () => {
  it("are empty when there is nothing to say", () => {
    expect(thoughtPages(nothing)).toEqual([]);
  });

  it("are as many as the text needs, up to ten, each within Discord's limit, and say how much is left out", () => {
    for (const length of [10, 4096, 5000, 30_000, 100_000]) {
      const pages = thoughtPages({ ...nothing, reasoning: "thinking on ".repeat(length / 10) });
      expect(pages.length).toBeLessThanOrEqual(MAX_PAGES);
      expect(pages.filter((page) => codePoints(page) > PAGE_CODE_POINTS)).toEqual([]);
      expect(pages.at(-1)?.includes("more characters.") ?? false).toBe(length === 100_000);
    }
  });

  it("describe tools in words, and keep what a model wrote inside its frame", () => {
    const tools: Thoughts["tools"] = [
      { kind: "tool_triggered", tool: "roll_dice", phrase: "roll", source: "built-in" },
      { kind: "tool_failed", tool: "roll_dice", reason: "No such die.", arguments: '{"die":"`@everyone`"}' },
    ];
    expect(thoughtPages({ ...nothing, tools })).toEqual([
      [
        "<#1>",
        "",
        "**Tools**",
        "- `roll_dice` was offered because of `roll` (built-in) and was used.",
        '- `roll_dice` failed: No such die. Arguments: `{"die":"\'@everyone\'"}`',
      ].join("\n"),
    ]);
  });
});
