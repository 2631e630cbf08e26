// /privacy show, export and opt-out, from Discord's request to the answer.
import { describe, expect, it } from "vitest";
import type { AccessRefusal } from "../../../src/core/access/judge.ts";
import type { PersonAnswer, PersonRequest } from "../../../src/core/access/person-rpc.ts";
import { noteOf, type ScopeCopy } from "../../../src/core/access/scope-copy.ts";
import { accessText } from "../../../src/core/copy/access.ts";
import { rememberedText } from "../../../src/core/copy/own-facts.ts";
import { EXPORT_BUSY, keptText, leftOutText } from "../../../src/core/copy/privacy.ts";
import { UNAVAILABLE } from "../../../src/core/copy/refusals.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { KEPT, scene, VARIABLES } from "../../support/endpoint-harness.ts";
import { OPEN_COPY, openScopes } from "../../support/scopes.ts";
import { silently } from "../../support/shown-answer.ts";

const { theo } = PEOPLE;
const use = (subcommand: string, more: object = {}) =>
  ({ as: theo, channel: PLACES.general, kind: "command", name: "privacy", subcommand, ...more }) as const;
const FACTS = { modelHosts: ["api.openai.com"] };
const ABOUT: Extract<PersonAnswer, { op: "about" }> = { op: "about", otherChannels: 3, isLeftOut: false, facts: [] };

/** An endpoint whose scopes give this answer, and what they were asked. */
function withScope(answer: (request: PersonRequest) => unknown) {
  const asked: (PersonRequest & { scope: string })[] = [];
  let copies = 0;
  const world = scene({
    scope: (scope) =>
      openScopes({
        async copy() {
          copies++;
          return OPEN_COPY;
        },
        async person(request) {
          asked.push({ scope, ...request });
          return answer(request) as never;
        },
      })(scope),
  });
  return { world, asked, copies: () => copies };
}

describe("/privacy show", () => {
  it("says what is stored here and elsewhere, where it goes and for how long", async () => {
    const { world, asked } = withScope(() => ABOUT);
    expect(await world.answered(use("show"))).toEqual(silently(keptText(KEPT, ABOUT, { reach: "server", ...FACTS })));
    expect(world.calls).toEqual([{ to: PLACES.general, aboutPerson: theo }]);
    expect(asked).toEqual([
      { scope: `guild:${PLACES.guild}`, op: "about", userId: theo, conversation: PLACES.general },
    ]);
  });

  it("asks the deployment where no server added the bot, and says so if it can't be reached", async () => {
    const { world, asked } = withScope(() => {
      throw new Error("down");
    });
    expect(await world.answered(use("show", { userInstallOnly: true }))).toEqual(
      silently(keptText(KEPT, null, { reach: "outside", ...FACTS })),
    );
    expect(asked).toMatchObject([{ scope: "deployment", conversation: `${PLACES.general}:${theo}` }]);
  });

  // Even overheard words of a stranger can lead a model to save a "fact" with such an address.
  it.each([
    ["https://evil.example/?q=secret", 68],
    ["<https://evil.example/?q=secret", 68],
    ["<https://evil.example/?q=secret>", 64],
    ["no address", 64],
  ])(
    "keeps Discord from previewing an address in a fact (%s), because that would send the words in it away",
    async (text, flags) => {
      const { world } = withScope(() => ({ ...ABOUT, facts: [{ number: 1, text }] }));
      const { data } = (await world.answered(use("show"))) as { data: { content: string; flags: number } };
      expect(data.content).toContain(text);
      expect(data.flags).toBe(flags);
      expect(world.discord.violations).toEqual([]);
    },
  );
});

describe("/privacy export", () => {
  it("has the scope send the file through this interaction, which only the person sees", async () => {
    const { world, asked } = withScope(() => ({ op: "exporting" }));
    expect(await world.answered(use("export"))).toEqual({ type: 5, data: { flags: 64 } });
    const reply = { applicationId: APPLICATION.id, token: expect.any(String) };
    expect(asked).toMatchObject([{ op: "export", userId: theo, conversation: PLACES.general, reply }]);
    expect(world.discord.violations).toEqual([]);
  });

  it("says so if the scope is already making too many files, or can't be reached", async () => {
    expect(await withScope(() => ({ op: "busy" })).world.answered(use("export"))).toEqual(silently(EXPORT_BUSY));
    const { world } = withScope(() => {
      throw new Error("down");
    });
    expect(await world.answered(use("export"))).toEqual(silently(UNAVAILABLE));
  });
});

describe("/privacy opt-out", () => {
  it.each([
    ["on", true],
    ["off", false],
  ])(
    "%s stores the wish; this channel reads a new copy at once, and so does the next interaction",
    async (state, isLeftOut) => {
      const { world, asked, copies } = withScope(() => ({ op: "left_out", isLeftOut }));
      const answer = await world.answered(use("opt-out", { options: { state } }));
      expect(answer).toEqual(silently(leftOutText({ op: "left_out", isLeftOut }, "server")));
      expect(asked).toMatchObject([{ op: "leave_out", userId: theo, isLeftOut }]);
      expect(copies()).toBe(2);
      expect([world.calls, world.scopeNotes]).toEqual([[{ to: PLACES.general, ask: "explain" }], [noteOf(OPEN_COPY)]]);
      await world.answered(use("show"));
      expect(copies()).toBe(3);
    },
  );
});

describe("/privacy opt-out, if it can't be stored", () => {
  const wish = use("opt-out", { options: { state: "on" } });

  it("says that there is no room", async () => {
    const full = { op: "full", limit: 1000 } as const;
    expect(await withScope(() => full).world.answered(wish)).toEqual(silently(leftOutText(full, "server")));
  });

  it("says that it is not possible now", async () => {
    expect(await withScope(() => ({ op: "exporting" })).world.answered(wish)).toEqual(silently(UNAVAILABLE));
  });
});

describe("a person whom the owners keep out", () => {
  const BLOCKED = { ...OPEN_COPY, blocked: [theo] };
  const DENIED = { ...OPEN_COPY, server: { isClaimed: true, denied: "Only for tests." } };
  const click: Interact = {
    as: theo,
    channel: PLACES.general,
    ...{ kind: "raw", type: 3, extra: { message: { id: "5" } }, data: { custom_id: `forget:${theo}` } },
  };
  const others: Interact[] = [
    { as: theo, channel: PLACES.general, kind: "command", name: "chat", options: { message: "hi" } },
    { as: theo, channel: PLACES.general, kind: "command", name: "reminders", subcommand: "list" },
    { ...click, ...{ data: { custom_id: "delete:77" } } } as Interact,
  ];
  const kept = (copy: ScopeCopy, variables: object = {}) =>
    scene({ scope: openScopes({ copy: async () => copy }), variables: { ...VARIABLES, ...variables } });

  it.each<[string, ScopeCopy, AccessRefusal]>([
    ["who is blocked", BLOCKED, { reason: "blocked" }],
    ["in a server that is denied", DENIED, { reason: "server_denied", because: "Only for tests." }],
  ])("%s still sees, gets and deletes what is stored about them, and nothing else", async (_, copy, refusal) => {
    const world = kept(copy);
    for (const subcommand of ["show", "export", "opt-out", "forget"])
      expect(
        await world.answered(use(subcommand, subcommand === "opt-out" ? { options: { state: "on" } } : {})),
      ).not.toEqual(silently(accessText(refusal)));
    await world.answered(click);
    const reached = world.calls.length;
    expect(world.calls).toContainEqual({ to: PLACES.general, aboutPerson: theo });
    expect(world.calls).toContainEqual({ to: PLACES.general, forgetPerson: theo });
    for (const act of others) expect(await world.answered(act)).toEqual(silently(accessText(refusal)));
    expect(world.calls).toHaveLength(reached);
  });

  it("is refused even that beyond the runtime's limit of refused people", async () => {
    const world = kept(BLOCKED);
    world.limiter.isOver = true;
    for (const act of [use("show"), click])
      expect(await world.answered(act)).toEqual(silently(accessText({ reason: "blocked" })));
    expect(world.calls).toEqual([]);
  });

  it.each<[string, ScopeCopy, AccessRefusal, object?]>([
    ["everything is paused", { ...BLOCKED, isPaused: true }, { reason: "paused" }],
    [
      "the server was never switched on",
      { ...BLOCKED, server: { isClaimed: false, denied: null } },
      { reason: "private_server" },
      { OWNER_IDS: "1", SERVERS: "claimed" },
    ],
  ])("reads what everyone else reads while %s", async (_, copy, refusal, variables) => {
    const world = kept(copy, variables);
    expect(await world.answered(use("show"))).toEqual(silently(accessText(refusal)));
    expect(world.calls).toEqual([]);
  });
});

describe("/remember me", () => {
  const use = (text: string) =>
    ({
      as: theo,
      channel: PLACES.general,
      kind: "command",
      name: "remember",
      subcommand: "me",
      options: { text },
    }) as const;

  it("stores the words with the server, as the person's own wish", async () => {
    const { world, asked } = withScope(() => ({ op: "remembered", number: 3 }));
    expect(await world.answered(use(" Call me Theo. "))).toEqual(
      silently(rememberedText({ op: "remembered", number: 3 }, "server")),
    );
    expect(asked).toEqual([
      { scope: `guild:${PLACES.guild}`, op: "remember", userId: theo, text: "Call me Theo.", origin: "person" },
    ]);
    expect([world.calls, world.scopeNotes]).toEqual([[{ to: PLACES.general, ask: "explain" }], [noteOf(OPEN_COPY)]]);
  });

  it("says so if there are no words, no room or no scope", async () => {
    const { world, asked } = withScope(() => ({ op: "full", limit: 20 }));
    expect(await world.answered(use("  "))).toEqual(silently(rememberedText({ op: "empty" }, "server")));
    expect(asked).toEqual([]);
    expect(await world.answered(use("one"))).toEqual(silently(rememberedText({ op: "full", limit: 20 }, "server")));
    const full = { op: "full", limit: 1000, of: "people" } as const;
    expect(await withScope(() => full).world.answered(use("one"))).toEqual(silently(rememberedText(full, "server")));
    const down = withScope(() => {
      throw new Error("down");
    });
    expect(await down.world.answered(use("one"))).toEqual(silently(UNAVAILABLE));
  });
});
