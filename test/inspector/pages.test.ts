// What the pages say, over fixtures: their structure, their links, their data.
import { describe, expect, it } from "vitest";
import { lengthText } from "../../src/core/copy/inspector.ts";
import type { InspectedTurn } from "../../src/core/state/inspected.ts";
import { channelPage } from "../../src/inspector/channel-page.ts";
import { homePage } from "../../src/inspector/home-page.ts";
import { answerInspector } from "../../src/inspector/inspector.ts";
import { renderPage } from "../../src/inspector/layout.ts";
import type { InspectReader } from "../../src/inspector/reader.ts";
import { turnPage } from "../../src/inspector/turn-page.ts";
import { traceLines } from "../../src/trace/text-trace.ts";
import {
  CHANNEL,
  channelInfo,
  fakeReader,
  finishedTurn,
  GUILD,
  home,
  names,
  privateTurn,
  runningTurn,
  TURN,
  turnLines,
} from "../support/inspected.ts";

const TOKEN = "a token of the owner";
const show = (turn: InspectedTurn, request: number | null = null) =>
  renderPage(turnPage({ channel: CHANNEL, request, names }, turn));
/** The text of a piece of HTML, on one line. */
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll(/\s+/g, " ")
    .trim();
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map((match) => textOf(match[1] ?? ""));
const section = (html: string, heading: string) =>
  html.split("<section").find((part) => part.includes(`<h2>${heading}</h2>`)) ?? "";

/** Asks as the owner, with a bearer token. */
function ask(path: string, changes: Partial<InspectReader> = {}) {
  const reader = fakeReader(changes);
  const errors: string[] = [];
  const request = new Request(`https://parley.example${path}`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  const ports = { token: TOKEN, reader, now: () => 0, logError: (line: string) => void errors.push(line) };
  return answerInspector(request, ports).then((answer) => ({ answer, reader, errors }));
}

describe("a turn's figures that its calls do not explain", () => {
  const { usage, modelCalls } = finishedTurn;
  const figures = (of: Partial<InspectedTurn["usage"]>, calls = modelCalls) => {
    const turn = { ...finishedTurn, usage: { ...usage, ...of }, modelCalls: calls };
    return `${textOf(show(turn))} ${traceLines(turn, 200).join(" ")}`;
  };

  it("are named if they are money for pictures and sounds", () => {
    expect(figures({ microUsd: 44_210 })).toMatch(
      /Money \$0\.0442 For pictures and sounds \$0\.0400 .*For pictures and sounds: \$0\.0400/,
    );
    expect(figures({})).not.toContain("pictures and sounds");
    const cutOff = modelCalls.map((call) => ({ ...call, usage: null, outcome: "cut_off" as const }));
    expect(figures({}, cutOff)).not.toContain("pictures and sounds");
  });

  it("are those of calls whose entries a long timeline has lost, and then no money is guessed", () => {
    const text = figures({ modelCalls: 14, microUsd: 44_210 });
    expect(text.match(/Not kept: 12 more model calls/g)?.length).toBe(2);
    expect(text).not.toContain("pictures and sounds");
    expect(figures({ modelCalls: 3 })).toContain("Not kept: 1 more model call.");
    expect(figures({})).not.toContain("Not kept: 1 more model");
  });
});

it("incomplete money is never shown as if it were complete", () => {
  const usage = { ...finishedTurn.usage, unpriced: 90 };
  const turn = { ...finishedTurn, usage };
  expect(textOf(show(turn))).toContain("Money $0.0042 and more Tools");
  expect(traceLines(turn, 200).join(" ")).toContain("Money: $0.0042 and more");
  const view = { channel: CHANNEL, filter: { userId: null, status: null }, before: null };
  const data = { channel: channelInfo, turns: [turn], before: null, names };
  expect(textOf(section(renderPage(channelPage(view, data)), "Turns"))).toContain(" $0.0042 and more 2 1");
  const days = home.days.map(({ day, sum }) => ({ day, sum: { ...sum, unpricedTokens: 9 } }));
  expect(textOf(renderPage(homePage({ ...home, days }, names)))).toContain("Money today $0.0961 and more");
});

describe("the home page", () => {
  const html = renderPage(homePage(home, names));

  it("shows what runs, waits and failed, with links", () => {
    expect(section(html, "Running now")).toContain(`href="/inspect/channels/${CHANNEL}/turns/${runningTurn.turnId}"`);
    expect(all(section(html, "Longest queues"), /<li>(.*?)<\/li>/gs)).toEqual([
      "#general 2 waiting",
      "1300000000000000014:1300000000000000021 1 waiting",
    ]);
    expect(textOf(section(html, "Failures of the last 24 hours"))).toContain("rate limited 4 timeout 1");
    expect(textOf(html)).toContain("from the 3 channels used last. Not included: 1 more channel.");
  });

  it("draws a bar for each of 30 days, to scale, and has the same as a table", () => {
    const bars = [...html.matchAll(/<rect x="([\d.]+)%" y="[\d.]+" width="[\d.]+%" height="([\d.]+)"/g)];
    expect(bars).toHaveLength(30);
    const heights = bars.slice(-8).map(([, , height]) => Number(height));
    expect((heights.at(-2) ?? 0) / (heights.at(-1) ?? 0)).toBeCloseTo(12 / 31, 2);
    expect(all(html, /<title>(2026-11-2[12].*?)<\/title>/g)).toEqual([
      "2026-11-21: $0.0372, 12 answers",
      "2026-11-22: $0.0961, 31 answers",
    ]);
    expect(textOf(section(html, "Money by day"))).toContain("2026-11-22 31 173,910 $0.0961");
  });

  it("draws tokens if no price is known", () => {
    const days = home.days.map(({ day, sum }) => ({ day, sum: { ...sum, microUsd: 0, unpricedTokens: 1 } }));
    expect(section(renderPage(homePage({ ...home, days }, names)), "Tokens by day")).toContain("173,910, 31 answers");
  });

  it("lists servers with their channels, including those outside servers, and says what is left out", () => {
    expect(all(html, /<h3>(.*?)<\/h3>/gs)).toEqual([
      `Server Harbour &lt;Lounge&gt; (${GUILD}) 412 answers · $1.28`,
      "Outside servers 40 answers · $0.1240",
    ]);
    expect(html).toContain('href="/inspect/channels/1300000000000000014:1300000000000000021"');
    expect(textOf(html)).toContain("Not listed: 3 more channels. Not listed: 2 more servers.");
  });

  it("calls what it counts answers, because it doesn't include turns that failed for free", () => {
    expect(textOf(html)).toMatch(/Answers today 31 .*Answers in 30 days \d/);
    expect(textOf(html).match(/ Answers Tokens Money/g)).toHaveLength(3);
  });

  it("counts one answer in the singular", () => {
    const [first, ...rest] = home.servers;
    const servers = [{ ...first, sum: { ...first?.sum, turns: 1 } } as typeof first, ...rest].flatMap(
      (one) => one ?? [],
    );
    const html = renderPage(homePage({ ...home, servers }, names));
    expect(textOf(html)).toMatch(/ 1 answer ·/);
  });

  it("says what to do while there is nothing", () => {
    const empty = { ...home, days: [], servers: [], serversLeftOut: 0, channelsNotAsked: 0 };
    expect(textOf(renderPage(homePage(empty, names)))).toContain(
      "No turn ended in the last 30 days. Ask something in Discord",
    );
  });
});

describe("a channel's page", () => {
  const view = { channel: CHANNEL, filter: { userId: null, status: null }, before: null };
  const html = renderPage(channelPage(view, { channel: channelInfo, turns: turnLines, before: 77, names }));

  it("lists turns with all their figures, and a private one without words", () => {
    const rows = all(section(html, "Turns"), /<tr>(<td.*?)<\/tr>/gs);
    expect(rows).toHaveLength(turnLines.length);
    expect(rows[1]).toBe(
      `${finishedTurn.question} Mira answered 2026-11-22 15:58:30 gpt-5-mini 56.8 s 10,292 $0.0042 2 1`,
    );
    expect(rows[2]).toMatch(/^Private 1300000000000000021 answered/);
    expect(rows.some((row) => row.startsWith("Reminder "))).toBe(true);
  });

  it("links to the thread's parent, the older turns, the running turn and Discord", () => {
    const links = [
      "/inspect/channels/1300000000000000010",
      `/inspect/channels/${CHANNEL}?before=77`,
      `/inspect/channels/${CHANNEL}/turns/${runningTurn.turnId}`,
      `https://discord.com/channels/${GUILD}/${CHANNEL}`,
    ];
    for (const link of links) expect(html).toContain(`href="${link}"`);
    expect(html).toContain(`data-watch="/inspect/watch/${CHANNEL}"`);
  });

  it("shows a server's id with its name, because /owner wants the id", () => {
    expect(textOf(html)).toContain(`Server Harbour &lt;Lounge&gt; (${GUILD}) `);
    const nameless = renderPage(channelPage(view, { channel: channelInfo, turns: [], before: null, names: {} }));
    expect(textOf(nameless)).toContain(`Server ${GUILD} `);
  });

  it("shows settings with their source, and reminders", () => {
    expect(textOf(section(html, "Settings"))).toContain("model quick this server");
    const reminders = textOf(section(html, "Reminders"));
    expect(reminders).toContain("4 1300000000000000021 2026-11-23 16:00:00 yes");
    expect(reminders).toContain("5 1300000000000000021 paused yes");
  });

  it("asks for what the filter says, keeps it in the links, and ignores an invalid filter", async () => {
    const { reader } = await ask(`/inspect/channels/${CHANNEL}.json?person=42&status=error&before=77`);
    expect(reader.asked).toContain(`turns "${CHANNEL}" {"userId":"42","status":"error"} 77`);
    const odd = await ask(`/inspect/channels/${CHANNEL}.json?person=&status=constructor&before=x`);
    expect(odd.reader.asked).toContain(`turns "${CHANNEL}" {"userId":null,"status":null} null`);
    const filtered = { ...view, filter: { userId: "42", status: "error" as const } };
    const page = renderPage(channelPage(filtered, { channel: channelInfo, turns: [], before: 77, names }));
    expect(page).toContain('value="error" selected');
    expect(page).toContain(`href="/inspect/channels/${CHANNEL}?person=42&amp;status=error&amp;before=77"`);
    expect(textOf(page)).toContain("No turn matches.");
  });
});

describe("a turn's page", () => {
  const html = show(finishedTurn);

  it("has a lane for each thing that took time, in the order in which they began", () => {
    expect(all(html, /<summary><span class="what">(.*?)<\/summary>/gs)).toEqual([
      "In the queue 4.20 s waiting: 4.20 s",
      expect.stringMatching(
        /^gpt-5-mini call 1 9\.10 s until the first word: 6\.80 s working: 2\.30 s waiting: 2\.40 s$/,
      ),
      expect.stringMatching(/^Discord 15 requests 48\.5 s/),
      "web_search 15.2 s failed: 4.10 s waiting: 2.00 s working: 9.10 s",
      "convert_units invalid_input 420 ms failed: 420 ms",
      "Needs approval 1.50 s waiting: 1.50 s",
      "Taken over by a new life tools after 30.8 s",
      expect.stringMatching(/^gpt-5-mini call 2, network 5\.20 s failed/),
      expect.stringMatching(/^gpt-5 call 3 23\.0 s/),
    ]);
  });

  it("draws bars to scale", () => {
    // The queue took 4200 of 61900 ms.
    expect(html).toContain(`<rect class="wait" x="0.000%" y="4" width="${((100 * 4200) / 61_900).toFixed(3)}%"`);
  });

  it("says that the rest of a tool's long result is not shown", () => {
    const toolCallList = finishedTurn.toolCallList.map((call) => ({
      ...call,
      ...{ result: `{"page":"${"x".repeat(7991)}…`, resultBytes: 5_000_000 },
    }));
    expect(textOf(html)).not.toContain("only the beginning");
    expect(textOf(show({ ...finishedTurn, toolCallList }))).toMatch(
      /Result only the beginning of 5,000 KB \{.*Show 8,001 characters/s,
    );
  });

  it("shows in a lane's detail what was asked, answered, tried again and paid", () => {
    const text = textOf(html);
    expect(text).toContain("rate limited; tried again after 2.40 s");
    expect(text).toContain("failed after 4.10 s, next try 2.00 s later: the server answered with status 503");
    expect(text).toContain("Tokens 7,180 read (5,120 cached), 722 written Money $0.0035");
    expect(text).toContain("&quot;query&quot;: &quot;parrots lighthouse&quot;");
    expect(text).toContain("29.0 s edit 500 240 ms –");
    expect(text).toContain("Not kept: 7 more requests in between.");
  });

  it("shows one request in full, the last if none is named, and links to the others", () => {
    const rows = (page: string) =>
      all(section(page, "The conversation as the model saw it"), /<p class="who">(.*?)<\/p>/gs);
    expect(rows(html)).toEqual([
      "Theo #40 · from an earlier turn",
      "bot #41 · from an earlier turn",
      "Mira #43",
      "bot #44 · web_search convert_units",
      "bot #45",
    ]);
    expect(rows(show(finishedTurn, 1))).toEqual([...rows(html).slice(0, 3), "bot #44 · web_search convert_units"]);
    expect(html).toContain(`href="/inspect/channels/${CHANNEL}/turns/${TURN}?request=2#request"`);
    expect(textOf(html)).toContain("Request 1 to gpt-5-mini 3 messages · 14 older messages left out");
    expect(rows(show(finishedTurn, 99))).toEqual(rows(html));
  });

  it("shows a long turn's question, and of its other rows those that the request had", () => {
    const modelCalls = finishedTurn.modelCalls.map((call) => ({
      ...call,
      contents: call.contents && { ...call.contents, fromSeq: 45 },
    }));
    const page = section(show({ ...finishedTurn, modelCalls }), "The conversation as the model saw it");
    expect(all(page, /<p class="who">(.*?)<\/p>/gs)).toEqual(["Mira #43", "bot #45"]);
    expect(textOf(page)).toContain("Request 3 to gpt-5 1 message ·");
  });

  it("has its timeline in order of time, because a retry is stored with the step after it", () => {
    const { createdAt } = finishedTurn;
    const events = [
      { at: createdAt, what: "admitted" },
      { at: createdAt + 2180, what: "sent", detail: "message 1" },
      { at: createdAt + 47, what: "retry" },
      { at: createdAt + 2180, what: "delivered" },
    ];
    const timeline = section(show({ ...finishedTurn, events }), "Timeline");
    expect([...timeline.matchAll(/admitted|sent|retry|delivered/g)].join(" ")).toBe("admitted retry sent delivered");
  });

  it("links to its messages in Discord, on a server and outside", () => {
    expect(html).toContain(`href="https://discord.com/channels/${GUILD}/${CHANNEL}/1500000000000000001"`);
    const direct = show({ ...finishedTurn, guildId: null, channelId: "14:21" });
    expect(direct).toContain('href="https://discord.com/channels/@me/14/1500000000000000001"');
  });

  it("is live while the turn runs, and only then", () => {
    expect(html).not.toContain("data-watch");
    const running = show(runningTurn);
    expect(running).toContain(`data-watch="/inspect/watch/${CHANNEL}/${runningTurn.turnId}"`);
    // The call may have had its first word: the time of that is stored only with its end.
    expect(textOf(running)).toContain("gpt-5-mini call 2, network 3.00 s so far working: 3.00 s");
  });

  it("shows the shape of a private turn, but no words", () => {
    const page = show(privateTurn);
    const words = ["parrots", "lighthouse", "Mira", "Theo", "Lanternfall", "parrot", "I should look"];
    expect(words.filter((word) => page.includes(word))).toEqual([]);
    expect(textOf(page)).toContain("This turn is private: its times, sizes and statuses are shown, but no words.");
    expect(textOf(page)).toContain("Arguments 30 bytes, not shown Result 61 bytes, not shown");
    expect(page).toContain('class="first"');
  });
});

describe("the addresses", () => {
  it("give as JSON what the page was made of", async () => {
    const read = async (path: string) => (await ask(path)).answer.json();
    expect(await read("/inspect.json")).toEqual({ ...home, names });
    expect(await read("/inspect/home.json")).toEqual({ ...home, names });
    expect(await read(`/inspect/channels/${CHANNEL}/turns/${TURN}.json`)).toEqual(finishedTurn);
    const channel = { channel: channelInfo, turns: turnLines, before: 1399, names };
    expect(await read(`/inspect/channels/${CHANNEL}.json`)).toEqual(channel);
  });

  it("find a turn by its id alone in the channels that were used last", async () => {
    const { answer, reader } = await ask(`/inspect/turn/${TURN}.json`);
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      303,
      `/inspect/channels/${CHANNEL}/turns/${TURN}.json`,
    ]);
    expect(reader.asked.filter((one) => one.startsWith("turn "))).toHaveLength(3);
    expect((await ask("/inspect/turn/999.json")).answer.status).toBe(404);
  });

  it("find a turn in its own thread, not where it was asked and left only an empty one", async () => {
    const left = { ...finishedTurn, startedAt: null, status: null, question: "" };
    const queued = { ...finishedTurn, startedAt: null, status: null, endedAt: null };
    const where = async (inThread: InspectedTurn | null) => {
      const turn = async (channel: string) => (channel === CHANNEL ? left : inThread);
      const { answer } = await ask(`/inspect/turn/${TURN}.json`, { turn });
      return answer.headers.get("Location")?.split("/")[3];
    };
    expect(await where(finishedTurn)).toBe("1300000000000000012");
    expect(await where(queued)).toBe("1300000000000000012");
    expect(await where(null)).toBe(CHANNEL);
  });

  it("reach no object if they name no channel, turn or page", async () => {
    const wrong = [
      "/channel",
      "/channel/x",
      "/channel/1/2",
      "/channel/..%2f1",
      "/turn/1/2/3",
      "/turn/x/1",
      "/secrets",
      "/channel/1%00",
      "/channel/123456789012345678901",
    ];
    for (const path of wrong) {
      const { answer, reader } = await ask(`/inspect${path}.json`);
      expect([path, answer.status, reader.asked.slice(1)]).toEqual([path, 404, []]);
    }
  });

  it("answer 404 for a turn that is not there, and 503 if an object fails", async () => {
    const missing = await ask(`/inspect/channels/${CHANNEL}/turns/5.json`);
    expect([missing.answer.status, await missing.answer.json()]).toEqual([
      404,
      { error: expect.stringMatching(/^There is no such turn/) },
    ]);
    const fails = async () => Promise.reject(new Error("gone"));
    const failed = await ask(`/inspect/channels/${CHANNEL}/turns/5.json`, { turn: fails });
    expect([failed.answer.status, failed.errors]).toEqual([503, ["the inspector failed"]]);
    const home = await ask("/inspect/home.json", { home: fails });
    expect([home.answer.status, await home.answer.text()]).toEqual([503, expect.not.stringContaining("channel")]);
  });
});

it("writes lengths of time to three digits", () => {
  const lengths = [0, 999, 1000, 9949, 9951, 59_949, 59_950, 61_000, 3_599_400, 3_600_000, 7_260_000];
  expect(lengths.map(lengthText)).toEqual([
    "0 ms",
    "999 ms",
    "1.00 s",
    "9.95 s",
    "10.0 s",
    "59.9 s",
    "1 min 0 s",
    "1 min 1 s",
    "59 min 59 s",
    "1 h 0 min",
    "2 h 1 min",
  ]);
});
