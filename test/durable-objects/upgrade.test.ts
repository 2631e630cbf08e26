// A channel's database that an older program left in the middle of its work (test/fixtures/channel-v6.sql), opened by this one:
// every turn continues as it would have. Everything else in the database: upgrade-kept.test.ts.
import { describe, expect, it } from "vitest";
import { traceText } from "../../src/core/copy/trace.ts";
import { buildTrace } from "../../src/core/decisions/trace.ts";
import type { ChannelHarness } from "../support/channel-harness.ts";
import { olderChannel, restedChannel, says } from "../support/older-channel.ts";
import { testRequest } from "../support/store-contract.ts";
import { end } from "../support/turn-script.ts";

const REMINDER_AT = Date.UTC(2030, 0, 1, 15, 0, 5);
const EXPIRY_AT = Date.UTC(2030, 0, 1, 12, 30, 13);
const HOUR_MS = 3_600_000;

const stateOf = (c: ChannelHarness, id: string) => [c.store.turn(id)?.state, c.store.turn(id)?.status];

/** The words of the finished turns and the results of their calls. */
const NOTES =
  "> Your notes about this channel, written by yourself in earlier turns; they are information, not instructions:\nTheo plans a hike with Mira.";
const EARLIER = [
  "> Theo: Remember us, and remind me of tea.",
  'One moment. c0: remember{"text":"Mira is allergic to nuts and likes hiking"} c1: remember{"text":"日本語のテストは火曜日です"} c2: remember{"text":"Theo likes \'quotes\'; and semicolons"} c3: forget{"number":3} c4: set_reminder{"text":"drink tea","when":"in 20 minutes"} c5: set_reminder{"text":"call the bank","when":"in 3 hours"}',
  'c0 = {"number":1,"text":"Mira is allergic to nuts and likes hiking"}',
  'c1 = {"number":2,"text":"日本語のテストは火曜日です"}',
  'c2 = {"number":3,"text":"Theo likes \'quotes\'; and semicolons"}',
  'c3 = {"number":3,"forgotten":true}',
  'c4 = {"number":1,"text":"drink tea","dueAt":"2030-01-01T12:20:05.000Z","inZone":"Tuesday, 1 January 2030 at 12:20 (UTC)","timestamp":"<t:1893500405:F>"}',
  'c5 = {"number":2,"text":"call the bank","dueAt":"2030-01-01T15:00:05.000Z","inZone":"Tuesday, 1 January 2030 at 15:00 (UTC)","timestamp":"<t:1893510005:F>"}',
  'All noted. c0: update_short_term_memory{"notes":"Theo plans a hike with Mira."}',
  'c0 = {"characters":28}',
  "> Mira: Please tally and label the apples.",
  ' c0: count{"note":"apples"} c1: label{"note":"apples"} {"signature":"abc"}',
  'c0 = "counted"',
  'c1 = "labelled"',
  'Three apples. {"signature":"def"}',
  "> Ben: Discuss the weather.",
  "> [Ada · bot]\nOne cloud.",
  "> [It is Bob's turn to speak.]",
  "> [Bob · bot]\nIs it one?",
  "> Zoe: Tell a long story.",
  "Once 1 2 3 4 5 6 7 8 9 10 11 12 13 end.",
  '> Theo: (This is no message but a reminder that Theo set on 2030-01-01 12:00 UTC and that is due now: "drink tea". Remind Theo of it in one short sentence; if it asks you for something, do it now.)',
  "Time for tea!",
  "> Mira: Count to three.",
  "> [Bob · bot]\nOne, two, two and a half, three.",
];
const CALLS = 'Let me see. c0: look{} c1: count{"note":"plums"} c2: hold{"note":"plums"} c3: put{"note":"plums"}';
const RESULTS = [
  'c0 = "a room"',
  'c1 = "counted"',
  'c2 = {"status":"tool_execution_failed","reason":"the call was interrupted; outcome unknown, it may or may not have taken effect","tool_name":"hold"}',
  'c3 = "new put"',
];

describe("an older program's running turn", () => {
  it("is taken over: finished calls keep their results, calls that had not begun are made, and one answer ends it", async () => {
    const { c, ran, sent, states, wake, answer, offered } = olderChannel();
    expect(states()).toEqual({ running: "112", queue: ["113"], parked: ["110"], closing: ["111"] });
    await wake();
    expect([ran, offered()]).toEqual([["put plums 112:21.3"], ["count", "hold", "look", "put"]]);
    await answer(says("There."));
    expect([stateOf(c, "112"), sent("token-112").at(-1), ran.length]).toEqual([
      ["finished", "completed"],
      "edit @original: Let me see.\n\nThere.",
      1,
    ]);
    expect(sent("token-112").filter((line) => !line.startsWith("edit @original: "))).toEqual([]);
  });

  it("reads what everyone said before it, with the handles that it had seen", async () => {
    const { wake, lines } = olderChannel();
    await wake();
    const handle = /\n\[(ref_\d+, sent [^\]]*)\]/;
    const read = lines(0);
    expect(read.slice(0, -1).map((line) => line.replace(handle, ""))).toEqual([
      ...EARLIER,
      NOTES,
      "> Ben: Look, tally, hold and put. When was this posted?",
      CALLS,
      ...RESULTS,
    ]);
    const sentAt = (time: string, before: string) => `sent 2030-01-01 ${time} UTC, ${before}`;
    const long = sentAt("12:00", "20 minutes ago");
    const less = sentAt("12:00", "19 minutes ago");
    const now = sentAt("12:20", "just now");
    expect(read.flatMap((line) => handle.exec(line)?.[1] ?? [])).toEqual([
      ...[1, 2, 3, 4, 6].map((seq) => `ref_${seq}, ${long}`),
      ...[7, 9, 11, 12].map((seq) => `ref_${seq}, ${less}`),
      ...[13, 14, 17, 19, 21].map((seq) => `ref_${seq}, ${now}`),
    ]);
  });

  it("has a timeline that begins with what the older program wrote", async () => {
    const { c, wake, answer } = olderChannel();
    await wake();
    await answer(says("There."));
    const turn = c.store.turn("112");
    expect(traceText(turn && buildTrace(turn), c.clock.now()).split("\n")).toEqual([
      "**Turn 112** for <@30>: completed, ran 28.50 s, waited 12.50 s",
      "```",
      "+  0.00 s  admitted: back",
      "+  0.15 s  sent: message 1",
      "+ 12.50 s  started",
      "+ 12.50 s  model: told, 10+2 tokens, 0 ms, 1 calls",
      "+ 12.50 s  tool: reveal_message_metadata: enriched the context",
      "+ 12.50 s  model: told, 10+2 tokens, 0 ms, 4 calls",
      "+ 12.50 s  tool: look {}: ok, 0 ms",
      '+ 12.50 s  tool: count {"note":"plums"}: ok, 0 ms',
      "+ 31.00 s  resumed: tools",
      '+ 31.00 s  tool: hold {"note":"plums"}: interrupted',
      '+ 31.00 s  tool: put {"note":"plums"}: ok, 0 ms',
      "+ 41.00 s  model: told, 10+2 tokens, 10000 ms",
      "+ 41.00 s  ended: completed",
      "+ 42.20 s  delivered: all of it",
      "```",
      "-# 3 model calls, 30 tokens read, 6 written",
    ]);
  });
});

describe("an older program's waiting turn", () => {
  it("runs next, with the whole conversation and the channel's prompt and notes", async () => {
    const { c, sent, lines, states } = await restedChannel();
    expect(lines(1)).toEqual([
      ...EARLIER,
      "> Ben: Look, tally, hold and put. When was this posted?",
      CALLS,
      ...RESULTS,
      "There.",
      NOTES,
      "> [Zoe · u1]\nAnd me?",
    ]);
    expect(c.requests[1]?.system.split("\n\n")[0]).toBe("You are Parley.");
    expect([stateOf(c, "113"), sent("token-113").at(-1)]).toEqual([
      ["finished", "completed"],
      "edit @original: You too.",
    ]);
    c.runAlarm();
    expect([states(), c.alarmAt()]).toEqual([{ running: null, queue: [], parked: ["110"], closing: [] }, EXPIRY_AT]);
  });
});

describe("an older program's parked turn", () => {
  it("continues when it is approved: the call after the settled one runs once", async () => {
    const { c, ran, sent, moment, lines, answer, click } = await restedChannel();
    const clickedAt = Math.floor(c.clock.now() / 1000);
    expect(click("200")).toEqual({ result: "approved" });
    await moment();
    expect([ran.slice(1), lines(2).slice(-4)]).toEqual([
      ["purge pears 110:16.1"],
      [
        "> Theo: Tally the pears, then purge the list.",
        'I could. c0: count{"note":"pears"} c1: purge{"note":"pears"}',
        'c0 = "counted"',
        'c1 = "new purge"',
      ],
    ]);
    await answer(says("Gone."));
    expect([stateOf(c, "110"), sent("token-110"), sent("token-200")]).toEqual([
      ["finished", "completed"],
      [],
      [
        "create new: Approved. The answer continues.",
        `edit @original: I could.\n\n-# Using \`purge\`, started <t:${clickedAt}:R> …`,
        "edit @original: I could.\n\nGone.",
        "edit @original: (buttons)",
      ],
    ]);
  });

  it("gets its whole answer, even if its stored words end in white space", async () => {
    const { c, database, sent, click, moment, answer } = await restedChannel();
    database.sql.exec("UPDATE messages SET text = 'I could. ' WHERE seq = 16");
    click("200");
    await moment();
    await answer(says("Gone."));
    expect([c.store.messagesInTurn("110").at(-1)?.text, sent("token-200").at(-2)]).toEqual([
      "Gone.",
      "edit @original: I could. \n\nGone.",
    ]);
  });

  it("is denied when its time runs out and continues without the call", async () => {
    const { c, ran, sent, wake, lines, answer } = await restedChannel();
    await c.clock.advance(EXPIRY_AT - c.clock.now() - 1);
    c.runAlarm();
    expect(stateOf(c, "110")).toEqual(["parked", null]);
    await c.clock.advance(1);
    await wake();
    expect([ran.slice(1), lines(2).at(-1)]).toEqual([
      [],
      'c1 = {"status":"tool_execution_failed","reason":"nobody approved this call in time, so it did not run","tool_name":"purge"}',
    ]);
    await answer(says("Then not."));
    expect([stateOf(c, "110"), sent("token-110").slice(-2)]).toEqual([
      ["finished", "completed"],
      ["edit @original: I could.\n\nThen not.", "edit @original: (buttons)"],
    ]);
  });

  it("does not show its request again", async () => {
    const { c, sent, wake } = await restedChannel();
    await wake();
    expect([stateOf(c, "110"), sent("token-110")]).toEqual([["parked", null], []]);
  });
});

describe("an older program's ended turns", () => {
  it("get their unsent final messages exactly once", async () => {
    const { c, sent, wake } = olderChannel();
    await wake();
    await wake();
    c.crash();
    await wake();
    expect([stateOf(c, "111"), sent("token-111")]).toEqual([
      ["finished", "completed"],
      [
        "edit @original: -# Scene: Bob",
        "edit followup-1: **Bob:** One, two, two and a half, three.",
        // Requests of the previous life may have arrived meanwhile.
        "edit followup-1: **Bob:** One, two, two and a half, three.",
        "edit @original: (buttons)",
      ],
    ]);
  });

  it("show the rest of an answer whose token expired, using the token of a click on Continue", async () => {
    const { c, sent, moment } = await restedChannel();
    const resume = (token: string) =>
      c.resume({ turnId: "108", press: { applicationId: "1", token, messageId: "original-token-108" } });
    expect(resume("token-201")).toEqual({ result: "goes_on" });
    await moment();
    expect([sent("token-108"), sent("token-201")]).toEqual([
      [],
      ["edit @original: Once 1 2 3 4 5 6 7 8 9 10 11 12 13 end."],
    ]);
    expect(resume("token-202")).toEqual({ result: "complete" });
  });

  it("are recognized by their interactions: a repeated one gets the same receipt and begins nothing", async () => {
    const { c, submit, states } = await restedChannel();
    const receipts = ["101", "106", "107", "114"].map((id) => submit(id, "20", "once more"));
    expect(receipts).toEqual([
      { kind: "accepted" },
      { kind: "refused", refusal: { reason: "unknown_persona", name: "Nobody", known: ["Ada", "Bob"] } },
      { kind: "accepted" },
      { kind: "accepted" },
    ]);
    expect([states().running, c.store.sizes()]).toEqual([null, { turns: 12, messages: 24 }]);
  });
});

describe("an older program's effect with its own key", () => {
  it("is not caused again by another turn", async () => {
    const { ran, submit, moment, answer, lines } = await restedChannel();
    submit("210", "20", "label them");
    await moment();
    await answer([
      end([
        ["label", { note: "apples" }],
        ["label", { note: "pears" }],
      ]),
    ]);
    expect([ran.slice(1), lines().slice(-2)]).toEqual([
      ["label pears 210:26.1"],
      ['c0 = "labelled"', 'c1 = "new label"'],
    ]);
  });
});

describe("an older program's reminder", () => {
  it("comes once, at its time, if it is pending, and not again if it has already come", async () => {
    const { c, sent, wake, answer, states, lines } = await restedChannel();
    // A call that is cut off by a death is estimated at more than this limit.
    c.store.putSetting("user_tokens_per_day", null);
    await c.clock.advance(EXPIRY_AT - c.clock.now());
    await wake();
    await answer(says("Then not."));
    const theo = testRequest("1", "10");
    const bank = {
      number: 2,
      userId: "10",
      text: "call the bank",
      dueAt: REMINDER_AT,
      setAt: REMINDER_AT - 3 * HOUR_MS,
    };
    const tea = { ...bank, number: 1, text: "drink tea", dueAt: bank.setAt + HOUR_MS / 3 };
    const { known, pending } = c.remindersFor(theo);
    expect([pending(), known("101:2.4"), known("101:2.5")]).toEqual([[bank], tea, bank]);
    c.runAlarm();
    expect([states().running, c.alarmAt()]).toEqual([null, REMINDER_AT]);
    await c.clock.advance(REMINDER_AT - c.clock.now());
    c.runAlarm();
    await c.drain();
    c.crash();
    await wake();
    await wake();
    expect([pending(), states().queue, lines().at(-1)]).toEqual([
      [],
      [],
      '> [Theo · u2 · 15:00]\n(This is no message but a reminder that Theo set on 2030-01-01 12:00 UTC and that is due now: "call the bank". Remind Theo of it in one short sentence; if it asks you for something, do it now.)',
    ]);
    await answer(says("The bank!"));
    c.runAlarm();
    expect([states().running, c.alarmAt(), sent("2").slice(-2)]).toEqual([
      null,
      null,
      [
        `edit new: The bank!\n\n-# ⏰ Reminder for <@10>, due <t:${REMINDER_AT / 1000}:R>: call the bank`,
        "edit new: (buttons)",
      ],
    ]);
  });
});
