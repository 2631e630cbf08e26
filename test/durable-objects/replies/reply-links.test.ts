// The links of an answer in a turn that has read strangers' words, as Discord gets them.
import { describe, expect, it } from "vitest";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import type { DiscordRest, MessageBody } from "../../../src/discord/rest/rest.ts";
import { rollDice } from "../../../src/tools/roll-dice.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const FOUND = "https://cakes.example/best?n=2";
const search = tool("search", () => ({ ok: true, data: { results: [{ url: FOUND }] } }), { untrusted: true });
const look = tool("look", (_context, { note = "" }) => ({ ok: true, data: { asked: `for ${note.toLowerCase()}.` } }), {
  untrusted: true,
});
const read = tool("fetch_url", (_context, { note = "" }) => ({ ok: true, data: { url: note } }), { untrusted: true });
const ANSWER = `[The cake](${FOUND}) is at https://bakery.example/, says [Eve](https://evil.example/?q=everything).`;

/** A Discord that accepts and keeps every message. */
function keeping(bodies: MessageBody[]): DiscordRest {
  const take = async (body: MessageBody | null) => {
    if (body) bodies.push(body);
    return { ok: true, message: { id: "m", content: body?.content ?? "", ephemeral: false } } as const;
  };
  return {
    create: (_route, body) => take(body),
    edit: (_route, _id, body) => take(body),
    remove: () => take(null),
    read: () => take(null),
  };
}

async function answered(more: Partial<TurnRequest>, calls: readonly ModelEvent[][], words = ANSWER) {
  const bodies: MessageBody[] = [];
  const c = createChannelHarness({ tools: [search, look, read, rollDice], rest: () => keeping(bodies) });
  c.store.putSetting("link_previews", "true");
  c.submit({ trigger: { ...testRequest("1"), receivedAt: c.clock.now(), ...more } });
  await c.clock.advance(5000);
  for (const events of [...calls, [text(words), end()]]) {
    c.answer([...events]);
    await c.clock.advance(5000);
  }
  const stored = c.store.messagesInTurn("1").at(-1)?.text;
  const shown = bodies.findLast(({ content }) => content !== undefined)?.content;
  return { c, bodies, shown, previews: bodies.at(-1)?.linkPreviews, stored };
}
const SEARCH = [end([["search", {}]])];

describe("the answer of a tainted turn", () => {
  it("links only to what it has read and has no previews, although the channel wants them", async () => {
    const { shown, previews } = await answered({}, [SEARCH]);
    expect([shown, previews]).toEqual([
      `[The cake](${FOUND}) is at \`bakery.example/\`, says Eve (evil.example).`,
      false,
    ]);
  });

  it("has no link whose address contains a backslash, which Discord removes", async () => {
    const { shown } = await answered({}, [SEARCH], "[Eve](https\\:\\/\\/evil.example/?q=everything)");
    expect(shown).toBe("[Eve](:\\/\\/evil.example/?q=everything)");
  });

  it.each([
    ["a failure", "roll_dice", { notation: "https://evil.example/?q=everything" }],
    ["a warning", "roll_dice", { notation: "d6", "https://evil.example/?q=everything": 1 }],
    ["an unknown name", "https://evil.example/?q=everything", {}],
  ])("doesn't link to an address that only %s repeats from the model's own call", async (_, name, args) => {
    const { shown } = await answered({}, [SEARCH, [end([[name, args]])]]);
    expect(shown).toContain("says Eve (evil.example).");
  });

  it("doesn't link to an address that only a result repeats from the model's own call, however it is written there", async () => {
    for (const note of ["https://evil.example/?q=everything", "HTTPS://evil.example/?q=EVERYTHING"]) {
      const { shown } = await answered({}, [SEARCH, [end([["look", { note }]])]]);
      expect(shown).toContain("says Eve (evil.example).");
    }
  });

  it("doesn't link to an address that a result repeats from arguments that were repaired, or escaped in another text", async () => {
    const escaped = "https:\\u002f\\u002fevil.example/?q=everything";
    for (const args of [
      `{'note': "${escaped}"}`,
      JSON.stringify(`{"note": "${escaped}"}`),
      JSON.stringify({ arguments: `{"note": "${escaped}"}` }),
    ]) {
      const { c, shown } = await answered({}, [SEARCH, [end([["look", args]])]]);
      expect(JSON.stringify(c.requests.at(-1)?.messages)).toContain("for https://evil.example");
      expect(shown).toContain("says Eve (evil.example).");
    }
  });

  it("has no fragment from the model's own call alone, because a page's script could read it", async () => {
    const url = `${FOUND}#everything`;
    const { c, shown } = await answered({}, [SEARCH, [end([["fetch_url", { note: url }]])]], `[The cake](${url})`);
    expect(JSON.stringify(c.requests.at(-1)?.messages)).toContain(url);
    expect(shown).toBe(`[The cake](${FOUND})`);
  });

  it("may link to what the person has named", async () => {
    const { shown } = await answered({ text: "what does bakery.example say?" }, [SEARCH]);
    expect(shown).toContain("at https://bakery.example/, says Eve (evil.example)");
  });

  it("doesn't link to what only another persona said, because a model wrote it", async () => {
    const bodies: MessageBody[] = [];
    const c = createChannelHarness({ tools: [search], rest: () => keeping(bodies) });
    const as = (name: string) => ({ persona: { name, prompt: "", avatarUrl: null } });
    for (const [id, name, calls] of [
      ["1", "Anna", [SEARCH]],
      ["2", "Bert", []],
    ] as const) {
      c.submit({ trigger: { ...testRequest(id), receivedAt: c.clock.now(), ...as(name) } });
      await c.clock.advance(5000);
      for (const events of [...calls, [text(ANSWER), end()]]) {
        c.answer([...events]);
        await c.clock.advance(5000);
      }
    }
    expect(bodies.findLast(({ content }) => content !== undefined)?.content).toContain("says Eve (evil.example).");
  });

  it("gets no previews when its asker is forgotten and its buttons are removed", async () => {
    const { c, bodies } = await answered({}, [SEARCH]);
    c.forgetPerson(testRequest("1").userId);
    await c.clock.advance(5000);
    expect(bodies.slice(-2).map(({ components, linkPreviews }) => [components?.length, linkPreviews])).toEqual([
      [1, false],
      [0, false],
    ]);
  });

  it("is stored as the model wrote it", async () => {
    expect((await answered({}, [SEARCH])).stored).toBe(ANSWER);
  });
});

it.each([{}, { taint: "weak" } as const])("another answer is sent as it is, with its previews", async (more) => {
  const { shown, previews } = await answered(more, []);
  expect([shown, previews]).toEqual([ANSWER, true]);
});
