// Sample arguments for the inspector's sentences.
import type { RequestContents } from "../../../src/core/state/inspected.ts";

const counts = { leftOutRows: 1, notesChars: 320, overheardLines: 6, tools: 12 };
const contents: RequestContents = { ...counts, fromSeq: 4, hasSummary: true, estimatedTokens: 2300 };
const nothing = { leftOutRows: 0, notesChars: 0, overheardLines: 0, tools: 1 };
const bare: RequestContents = { ...nothing, fromSeq: null, hasSummary: false, estimatedTokens: 1 };
const URL = "https://parley.example";

/** Keyed by the name of the sentence. */
export const inspectorSamples: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  "inspector.lengthText": [[640], [3210], [61_000], [7_260_000]],
  "inspector.timeText": [[1_900_000_000_000]],
  "inspector.sizeText": [[1], [61], [104_000]],
  "inspector.numberText": [[12_345]],
  "inspector.countedText": [
    [1, "turn"],
    [2, "turn"],
  ],
  "inspector.costText": [[4210], [undefined]],
  "inspector.dayText": [
    ["2026-11-22", "2026-11-22"],
    ["2026-11-21", "2026-11-22"],
    ["2026-11-01", "2026-11-22"],
  ],
  "inspector.homePageText.waiting": [[2]],
  "inspector.homePageText.chart": [["Money by day", 30, "$0.16"]],
  "inspector.homePageText.bar": [
    ["2026-11-22", "$0.16", 1],
    ["2026-11-22", "$0.16", 31],
  ],
  "inspector.homePageText.gateway": [["connected"], ["resuming"]],
  "inspector.homePageText.server": [["1300000000000000002"]],
  "inspector.sharedText.channelName": [["general"], ["general", "1300000000000000021"]],
  "inspector.homePageText.failed": [[5]],
  "inspector.homePageText.channelsNotAsked": [
    [30, 4],
    [1, 1],
  ],
  "inspector.homePageText.moreChannels": [[1], [3]],
  "inspector.homePageText.moreServers": [[1], [3]],
  "inspector.channelText.title": [["1300000000000000011"]],
  "inspected-turn.turnText.title": [["1400000000000000001"]],
  "inspected-turn.turnText.usage": [
    [9480, 5120, 812],
    [10, 0, 1],
  ],
  "inspected-turn.turnText.call": [[1]],
  "inspected-turn.turnText.lasts": [["3.00 s"]],
  "inspected-turn.turnText.at": [["3.00 s"]],
  "inspected-turn.turnText.retry": [["rate limited", "2.40 s"]],
  "inspected-turn.turnText.attempt": [["the server answered with status 503", "4.10 s", "2.00 s"]],
  "inspected-turn.turnText.hidden": [["61 bytes"]],
  "inspected-turn.turnText.requests": [[1], [15]],
  "inspected-turn.turnText.callsLeftOut": [[1], [7]],
  "inspected-turn.turnText.requestsLeftOut": [[1], [7]],
  "inspected-turn.turnText.request": [[2, "gpt-5-mini"]],
  "inspected-turn.turnText.messages": [[1], [4]],
  "inspected-turn.turnText.calls": [["web_search, recall"]],
  "inspected-turn.turnText.whole": [[100_000]],
  "inspected-turn.turnText.cut": [[100_000]],
  "inspected-turn.turnText.chars": [[1], [61]],
  "inspected-turn.turnText.message": [[1]],
  "inspected-turn.turnText.unsent": [[3]],
  "inspected-turn.contentsText": [
    [contents, 1800],
    [bare, 0],
  ],
  "trace-command.traceFaults.badUrl": [["parley"]],
  "trace-command.traceFaults.unreachable": [[URL, "fetch failed"]],
  "trace-command.traceFaults.off": [[URL]],
  "trace-command.traceFaults.unknownTurn": [["1400000000000000001"]],
  "trace-command.traceFaults.failed": [[503]],
};
