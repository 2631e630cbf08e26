// Every sentence that a person can read, printed in one list for review, and the rules that apply to all of them.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { samples } from "./samples.ts";

const FOLDER = join(import.meta.dirname, "../../../src/core/copy");

/** One text and its origin, such as `notices.say.waiting`. */
interface Sentence {
  source: string;
  text: string;
}

const sentences: Sentence[] = [];
const unsampled: string[] = [];
const used = new Set<string>();

/** Collects the texts of an export: the text itself, all members of an object, or all results of a function over its samples. */
function collect(source: string, value: unknown): void {
  if (typeof value === "string") sentences.push({ source, text: value });
  else if (Array.isArray(value)) for (const one of value) collect(source, one);
  else if (typeof value === "function") {
    used.add(source);
    const results = (samples[source] ?? []).map((args) => Reflect.apply(value, undefined, args) as unknown);
    for (const result of results) if (result !== null) collect(source, result);
    if (results.length === 0) unsampled.push(source);
  } else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) collect(`${source}.${name}`, member);
  else unsampled.push(source);
}

beforeAll(async () => {
  for (const file of readdirSync(FOLDER).sort()) {
    const module = (await import(/* @vite-ignore */ pathToFileURL(join(FOLDER, file)).href)) as object;
    for (const [name, value] of Object.entries(module)) collect(`${file.replace(/\.ts$/, "")}.${name}`, value);
  }
});

it("prints every sentence, grouped by its file", () => {
  const groups = Map.groupBy(sentences, ({ source }) => source.split(".")[0] ?? "");
  const lines = [...groups].flatMap(([file, group]) => [
    `\n## ${file}`,
    ...new Set(group.map(({ source, text }) => `${source.split(".").at(-1)}: ${text.replaceAll("\n", "\n    ")}`)),
  ]);
  console.log(lines.join("\n"));
  const silent = readdirSync(FOLDER).filter((file) => !groups.has(file.replace(/\.ts$/, "")));
  expect(silent, "These have no sentence, or a function without a sample.").toEqual([]);
});

it("has a sample for every function, and none for a function that no longer exists", () => {
  expect(unsampled, "Give each values to call it with, in samples.ts or a file that it collects.").toEqual([]);
  const gone = Object.keys(samples).filter((source) => !used.has(source));
  expect(gone, "These samples are of no function.").toEqual([]);
});

it("has no empty sentence, no ping and no missing value", () => {
  const faults = /^\s*$|@everyone|@here|<@&|undefined|NaN|\[object|\bnull\b/;
  expect(sentences.filter(({ text }) => faults.test(text))).toEqual([]);
});

it("names times in seconds, as Discord reads them", () => {
  const times = sentences.flatMap(({ text }) => [...text.matchAll(/<t:([^:>]*)/g)].map(([, seconds]) => seconds));
  expect([...new Set(times)]).toEqual(["1900000000"]);
});

const TICS =
  /was reached|stands (above|below)|\bgo(es)? on\b|\b(some|no|any)body\b|\bI am no\b|\bno member\b|\bshall\b|any more|\bafresh\b|\bpress\b|\btold\b|\btakes the\b|\bit holds\b|once more|say(ing)? it|may not|waits for/i;

it("is in plain English", () => {
  const english = sentences.filter(({ source }) => !source.startsWith("commands-de."));
  const faults = english.flatMap(({ source, text }) => {
    const tic = TICS.exec(text)?.[0];
    return tic === undefined ? [] : [{ tic, source, text }];
  });
  expect(faults, "Say it without these words.").toEqual([]);
});

/** What a person can or must do, or what is being waited for. */
const NEXT_STEP =
  /\b(Try|Ask|Use|Send|Choose|Click|Paste|Describe|Write|Remove|Delete|Open|Shorten|Reload|See|List|Set|start over|can ask again|write|use|must|can have at most|can't contain|need something before)\b/;

/** Files and exports in which every sentence is a refusal or a failure; elsewhere, only sentences with the warning sign are. */
const FAILURES =
  /^(refusals|model-failures|files|trigger-faults)\.|Fault|unknownSetting|thoughtLogRefusal|badValue|\.spentText|\.say\.(blocked|unknown[CM]|emptyMessage|messageTooLong|fileTooLarge|nothingToAskAbout|moderatorsOnly|managersOnly|visitorsCannot|choiceMissing|oneTrigger|settingNeeds)/;

/** Failures that leave nothing to do except what the sentence says is missing. */
const NEED_NO_STEP = [
  "The pattern is not allowed: a repetition can't be repeated, as in `(a+)+`.",
  "The pattern is not allowed: lookarounds, backreferences and Unicode properties are not supported.",
  "The pattern is not allowed: a `(` is not closed.",
  "The pattern is not allowed: a `)` has no `(` before it.",
  "The pattern is not allowed: a `[` is not closed.",
  "`roll_dice` already has this trigger.",
];

it("says what to do next in every refusal and failure", () => {
  const failures = sentences.filter(({ source, text }) => FAILURES.test(source) || text.includes("⚠️"));
  const silent = failures.filter(({ text }) => !NEXT_STEP.test(text)).map(({ text }) => text);
  expect([...new Set(silent)], "These don't say what a person can do (see NEXT_STEP).").toEqual(NEED_NO_STEP);
  expect(failures.length).toBeGreaterThan(90);
});
