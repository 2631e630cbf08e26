// What tools answer and what is made of it: both dialects, odd shapes, oversized answers, and secrets that no one should read.
import { describe, expect, it } from "vitest";
import { jsonCopy } from "../../../src/toolkit/run/json-copy.ts";
import { createScrubber } from "../../../src/toolkit/run/scrub.ts";
import { bench, benchWith, COUNTS, counting, MemoryLedger, probe } from "../arrange.ts";

const answered = (answer: unknown) => bench(probe(() => answer as never)).call();
const cyclic = () => {
  const self: Record<string, unknown> = { name: "loop" };
  self.self = [self];
  return self;
};

describe("an answer", () => {
  it.each<[string, unknown, object]>([
    ["nothing", undefined, { data: null, warnings: ["the tool returned nothing"] }],
    ["null", null, { data: null, warnings: ["the tool returned nothing"] }],
    ["a text", "done", { data: "done" }],
    ["a number", 0, { data: 0 }],
    ["false", false, { data: false }],
    ["a list", [1, null], { data: [1, null] }],
    ["an object", { a: 1 }, { data: { a: 1 } }],
    ["a result", { ok: true, data: { a: 1 } }, { data: { a: 1 } }],
    ["a result of the other dialect", { success: true, output: [1] }, { data: [1] }],
    ["a result without data", { ok: true }, {}],
    ["a result with null for data", { ok: true, output: null }, { data: null }],
    ["a result with its data at the top level", { success: true, location: "Oslo" }, { data: { location: "Oslo" } }],
    ["a result without error", { ok: true, data: 1, error: null }, { data: 1 }],
    ["a result with an empty error", { data: 1, error: "" }, { data: 1 }],
    [
      "a result with more next to its data",
      { ok: true, data: 1, rows: 2 },
      { data: 1, warnings: ["ignored next to the data: rows"] },
    ],
    [
      "a message and an end of the turn",
      { ok: true, data: 1, message: "m", endTurn: true },
      { data: 1, message: "m", endTurn: true },
    ],
    ["images", { ok: true, data: 1, imageMetadata: { ids: ["1"] } }, { data: 1, imageMetadata: { ids: ["1"] } }],
  ])("that is %s is a success", async (_, answer, rest) => {
    expect(await answered(answer)).toEqual({ ok: true, status: "ok", ...rest });
  });

  it.each<[string, unknown, object]>([
    [
      "a failure",
      { ok: false, error: "no such city", data: { near: "Oslo" } },
      { error: "no such city", data: { near: "Oslo" } },
    ],
    ["a failure of the other dialect", { success: false, error: "no", output: 1 }, { error: "no", data: 1 }],
    ["a failure without words", { ok: false }, { error: "the tool failed without saying why" }],
    ["a failure with empty words", { ok: false, error: "" }, { error: "the tool failed without saying why" }],
    ["an error alone", { error: "no" }, { error: "no" }],
  ])("that is %s is a failure", async (_, answer, rest) => {
    expect(await answered(answer)).toEqual({ ok: false, status: "error", ...rest });
  });

  it.each<[string, unknown]>([
    ["an ok that is not a boolean", { ok: "yes", data: 1 }],
    ["a success that is not a boolean", { success: 1 }],
    ["an error that is not text", { success: false, error: { code: 1 } }],
    ["an error that is not text, without a success", { error: 7 }],
    ["a Map", { ok: true, data: new Map([[1, 2]]) }],
    ["bytes", new Uint8Array([1])],
    [
      "a getter that throws",
      {
        get data() {
          throw new Error("boom");
        },
      },
    ],
  ])("with %s is not a valid result", async (_, answer) => {
    expect(await answered(answer)).toEqual({
      ok: false,
      status: "invalid_result",
      error: expect.stringMatching(/^the tool(?: returned |'s answer can't be read: )/),
    });
  });

  it("is copied into plain JSON", async () => {
    const data = {
      id: 310_821_941_123_456_789n,
      at: new Date(0),
      never: new Date(Number.NaN),
      infinite: Number.POSITIVE_INFINITY,
      negative: -0,
      gone: undefined,
      call: () => 1,
      list: [undefined, Symbol("s")],
      url: new URL("https://example.org/a"),
      loop: cyclic(),
      named: { toJSON: "only a name" },
    };
    const result = await answered({ ok: true, data });
    data.list.push(undefined);
    expect(result.data).toEqual({
      id: "310821941123456789",
      at: "1970-01-01T00:00:00.000Z",
      never: null,
      infinite: null,
      negative: 0,
      list: [null, null],
      url: "https://example.org/a",
      loop: { name: "loop", self: ["[cycle]"] },
      named: { toJSON: "only a name" },
    });
  });

  it("is marked where it was cut if it is too deep or too large", async () => {
    let deep: unknown = 1;
    for (let n = 0; n < 100; n++) deep = [deep];
    expect(JSON.stringify((await answered(deep)).data)).toBe(`${"[".repeat(64)}"[too deep]"${"]".repeat(64)}`);
    const wide = Array.from({ length: 1000 }, () => Array.from({ length: 1000 }, () => 0));
    expect((await answered(wide)).data).toMatchObject({ cut: expect.stringMatching(/^\d+ characters were cut$/) });
  });

  it("is copied up to 200,000 values", () => {
    const last = (values: number) => {
      const copied = jsonCopy(Array.from({ length: values - 1 }, () => 0));
      return copied.ok && Array.isArray(copied.value) ? copied.value.at(-1) : copied;
    };
    expect([last(200_000), last(200_001)]).toEqual([0, "[too much]"]);
  });

  it("never contains half of a surrogate pair, for which a provider would refuse the whole request", async () => {
    expect((await answered({ ok: true, data: ["\ud83d", "a\ude00b"], message: "\ud83d" })).message).toBe("\ufffd");
    expect((await answered(["\ud83d", "a\ude00b", "\u{1f600}"])).data).toEqual(["\ufffd", "a\ufffdb", "\u{1f600}"]);
    const emoji = probe(() => ({ ok: false, error: "x\u{1f600}", data: "x\u{1f600}", message: "x\u{1f600}" }), {
      maxResultChars: 2,
    });
    expect(await bench(emoji).call()).toMatchObject({ error: "x\ufffd", message: "x\ufffd" });
    const long = probe(() => ({ ok: true, data: "x\u{1f600}yy" }), { maxResultChars: 3 });
    expect((await bench(long).call()).data).toMatchObject({ text: '"x\ufffd' });
  });

  it("of exactly 20,000 characters stays whole, and a longer one says how much was cut", async () => {
    expect((await answered("x".repeat(19_998))).data).toBe("x".repeat(19_998));
    expect((await answered("x".repeat(20_001))).data).toEqual({
      cut: "3 characters were cut",
      text: `"${"x".repeat(19_999)}`,
    });
    expect(((await answered("x".repeat(1_000_000))).data as { cut: string }).cut).toBe("980002 characters were cut");
    const tight = bench(probe(() => ({ ok: false, error: "e".repeat(99), data: [1, 2, 3] }), { maxResultChars: 5 }));
    expect(await tight.call()).toMatchObject({ error: "eeeee", data: { cut: "2 characters were cut", text: "[1,2," } });
  });
});

describe("a thrown value", () => {
  it.each<[string, unknown, string]>([
    ["an error", new Error("boom"), "boom"],
    ["an error without a message", new RangeError(), "RangeError"],
    ["bare words", "bare words", "bare words"],
    ["nothing", undefined, "undefined"],
    ["a long message", new Error("x".repeat(9999)), "x".repeat(500)],
    ["an object that can't become text", Object.create(null), "something without a message was thrown"],
  ])("is reported only by its message: %s", async (_, thrown, error) => {
    expect(await bench(probe(() => Promise.reject(thrown))).call()).toEqual({ ok: false, status: "error", error });
  });
});

describe("a fault", () => {
  const failed = { ok: false, error: "no" } as const;
  it.each<[string, () => unknown, boolean]>([
    ["a success", () => 1, false],
    ["a failure that it answered", () => failed, false],
    ["a failure that may pass", () => ({ ...failed, retryable: true }), true],
    ["what it relies on being broken", () => ({ ...failed, isFault: true }), true],
    ["an answer that can't be read", () => ({ ok: "yes" }), true],
    ["an exception", () => Promise.reject(new Error("boom")), true],
  ])("is told apart from an answer: %s", async (_, answer, isFault) => {
    const once = probe(answer as never, { category: "async", hints: COUNTS });
    const { meta, ...result } = await bench(once).execute({ name: "probe", arguments: "{}" });
    expect([meta.isFault ?? false, "isFault" in result]).toEqual([isFault, false]);
  });

  it("is also the runtime's own, such as a ledger that can't be written", async () => {
    const ledger = new MemoryLedger();
    ledger.open = () => {
      throw new Error("disk full");
    };
    const { meta, error } = await benchWith({ ledger }, counting().tool).execute({ name: "probe", arguments: "{}" });
    expect([meta.isFault, error]).toEqual([true, "disk full"]);
  });
});

describe("a secret", () => {
  const token = `${"M".repeat(24)}.G${"a".repeat(5)}.${"z".repeat(38)}`;
  it.each([
    ["a bot token", token],
    ["an API key", `sk-${"a1".repeat(20)}`],
    ["a GitHub token", `ghp_${"a1".repeat(18)}`],
    ["an AWS key", "AKIAABCDEFGHIJKLMNOP"],
    ["a JSON web token", `eyJ${"a".repeat(20)}.${"b".repeat(20)}.${"c".repeat(20)}`],
    ["a secret of this installation", "correct horse battery"],
  ])("(%s) is removed from data, keys, errors and thrown messages", async (_, secret) => {
    const ports = { secrets: ["correct horse battery", "short"] };
    const answers = [
      () => ({ ok: true, data: { list: [`a ${secret} b`], [secret]: 1 } }),
      () => ({ ok: false, error: `no: ${secret}` }),
      () => Promise.reject(new Error(`no: ${secret}`)),
    ];
    for (const answer of answers) {
      const text = JSON.stringify(await benchWith(ports, probe(answer as never)).call());
      expect(text).toContain("[secret]");
      expect(text).not.toContain(secret);
    }
  });

  const jwt = `eyJ${"a".repeat(500)}.${"b".repeat(2000)}.${"c".repeat(900)}`;
  it.each([
    ["a bot token", token],
    ["a long JSON web token", jwt],
    ["a secret of this installation", "correct horse battery"],
  ])("(%s) that lies across a cut leaves nothing behind", async (_, secret) => {
    const most = 600;
    for (let before = most - 20; before <= most; before += 5) {
      const text = `${".".repeat(before)} ${secret} ${"-".repeat(9000)}`;
      const answers = [
        () => ({ ok: true, data: text, message: text }),
        () => ({ ok: true, data: { list: [[text]], more: text } }),
        () => ({ ok: false, error: text }),
        () => Promise.reject(new Error(text.slice(120))),
      ];
      for (const answer of answers) {
        const ports = { secrets: ["correct horse battery"] };
        const tool = probe(answer as never, { maxResultChars: most });
        expect(JSON.stringify(await benchWith(ports, tool).call())).not.toContain(secret.slice(0, 3));
      }
    }
  });

  it("is removed together with everything that overlaps it in the same text", () => {
    const { text } = createScrubber(["Bearer-of-bread"]);
    expect(
      text(`x Bearer-of-bread, sk-${"a".repeat(10)}Bearer-of-bread${"b".repeat(10)} and ghp_${"c".repeat(20)}`),
    ).toBe("x [secret], [secret] and [secret]");
  });

  it("of this installation has at least eight characters, because a shorter one would be a word", () => {
    const { text } = createScrubber(["1234567", "abcdefgh"]);
    expect(text("1234567 abcdefgh")).toBe("1234567 [secret]");
  });

  it("that begins where the text is cut is not mentioned, and one that begins before is removed whole", () => {
    const { text } = createScrubber(["abcdefgh"]);
    expect([text("..abcdefgh", 2), text("..abcdefgh", 3)]).toEqual(["..", "..[secret]"]);
  });

  it("right after another one counts as a separate one, and one within another does not", () => {
    const { text } = createScrubber(["abcdefgh", "12345678", "cdefghXY"]);
    expect([text("abcdefgh12345678"), text("abcdefghXY")]).toEqual(["[secret][secret]", "[secret]"]);
  });

  it("is searched for in as much of a value as is kept, and nothing after that is kept", () => {
    const { value } = createScrubber();
    expect([value([1, 2, 3], 2), value([1, 2, 3], 3)]).toEqual([[1], [1, 2]]);
    expect([value({ a: 1, b: 2 }, 3), value({ a: 1, b: 2 }, 4)]).toEqual([{ a: 1 }, { a: 1, b: 2 }]);
    expect([value(["abc", 1], 4), value(["abc", 1], 6)]).toEqual([["ab"], ["abc", 1]]);
  });

  it("in an address loses only its secret part, and ordinary words stay", () => {
    const { text } = createScrubber(["short"]);
    expect(text(`https://discord.com/api/webhooks/123456789012345678/${"t".repeat(60)}`)).toBe(
      "https://discord.com/api/webhooks/123456789012345678/[secret]",
    );
    expect(text(`Authorization: Bearer ${"x".repeat(30)}`)).toBe("Authorization: Bearer [secret]");
    const plain = "A short sentence about task-lists, 310821941123456789 and e.g. example.org/webhooks.";
    expect(text(plain)).toBe(plain);
  });
});
