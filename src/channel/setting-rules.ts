// The kinds of values that a setting may have: how each is parsed from a person's text, stored and shown, and its rule as
// a sentence. Contains no setting's name.
import { valueRules } from "../core/copy/setting-values.ts";
import { DOLLAR } from "../core/money/price.ts";

/** The rule for a setting's values. The program uses a `Value`; people type a text, and the store keeps a text. */
export interface Rule<Value> {
  /** The value if no scope has set one. */
  fallback: Value;
  /** Completes the sentence "`key` must be …". */
  must: string;
  /** Texts to suggest while a person types. */
  suggestions: readonly string[];
  /** Has no meaning outside a server, where there are neither roles nor other channels. */
  serverOnly?: true;
  /** Outside the servers that have added the bot, only its owners may change it. */
  ownersOutside?: true;
  /** Counts dollars, so it needs a model whose price is known. */
  inDollars?: true;
  /** Whether `value` would loosen what a wider scope has set. If so the wider scope's value applies, because a narrower scope may only tighten it. */
  loosens?: (value: Value, wider: Value) => boolean;
  /** The values of all scopes apply together, instead of the narrowest replacing the others. */
  allApply?: true;
  /** Parses a text; undefined if it is not allowed. `modelIds`: the ids of the configured models. */
  read(text: string, modelIds: readonly string[]): Value | undefined;
  /** Returns the text to store. `read` turns it into the same value again. */
  write(value: Value): string;
}

type Basics<Value> = Pick<Rule<Value>, "fallback"> &
  Partial<Pick<Rule<Value>, "serverOnly" | "ownersOutside" | "loosens" | "allApply">>;

/** `loosens` for a limit where 0 means "no limit". */
export const isHigherLimit = (value: number, wider: number): boolean => wider > 0 && (value === 0 || value > wider);

/** `loosens` for a number of which every value is a limit. */
export const isMore = (value: number, wider: number): boolean => value > wider;

/** `loosens` for a switch that narrower scopes may turn on but not off. */
export const turnsOff = (value: boolean, wider: boolean): boolean => wider && !value;

const NONE = "none";
const SNOWFLAKE = /^\d{15,20}$/;
const MAX_LISTED = 50;

/** One of a few words. `others`: further words that people may type for them. */
export function oneOf<Value extends string>(
  values: readonly Value[],
  basics: Basics<Value>,
  others: Readonly<Record<string, Value>> = {},
): Rule<Value> {
  return {
    ...basics,
    must: valueRules.oneOf(values),
    suggestions: values,
    read: (text) =>
      values.find((value) => value === text.toLowerCase()) ?? new Map(Object.entries(others)).get(text.toLowerCase()),
    write: (value) => value,
  };
}

const YES = ["true", "on", "yes"];
const NO = ["false", "off", "no"];

/** True or false, in any usual wording. */
export function yesOrNo(basics: Basics<boolean>): Rule<boolean> {
  return {
    ...basics,
    must: valueRules.yesOrNo,
    suggestions: ["true", "false"],
    read: (text) => (YES.includes(text.toLowerCase()) ? true : NO.includes(text.toLowerCase()) ? false : undefined),
    write: String,
  };
}

/** A whole number within bounds, both included. */
export function whole(min: number, max: number, suggestions: readonly string[], basics: Basics<number>): Rule<number> {
  return {
    ...basics,
    must: valueRules.whole(min, max),
    suggestions,
    read: (text) => (/^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
    write: String,
  };
}

/** An amount that people write in dollars. `max` (included) and the value are in micro-dollars. */
export function dollars(max: number, suggestions: readonly string[], basics: Basics<number>): Rule<number> {
  return {
    ...basics,
    inDollars: true,
    must: valueRules.dollars(max / DOLLAR),
    suggestions,
    read: (text) => readDollars(text, max),
    write: writeDollars,
  };
}

/** Reads the digits as whole numbers, because floating point would be inexact. */
function readDollars(text: string, max: number): number | undefined {
  const [, whole, decimals = ""] = /^\$?(\d{1,7})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const amount = Number(whole) * DOLLAR + Number(decimals.padEnd(6, "0"));
  return amount <= max ? amount : undefined;
}

function writeDollars(amount: number): string {
  const digits = String(amount).padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0*$/, "");
}

/** A free text of at most `max` code points. */
export function prose(max: number, basics: Basics<string | null>): Rule<string | null> {
  return {
    ...basics,
    must: valueRules.prose(max),
    suggestions: [],
    read: (text) => (text !== "" && [...text].length <= max ? text : undefined),
    write: (value) => value ?? "",
  };
}

/** The name of one of the configured models. */
export function modelName(basics: Basics<string | null>): Rule<string | null> {
  return {
    ...basics,
    must: valueRules.modelName,
    suggestions: [],
    read: (text, modelIds) => modelIds.find((id) => id === text),
    write: (value) => value ?? "",
  };
}

/** A channel, by its mention or id. `none` overrides a wider scope's channel. */
export function channel(basics: Basics<string | null>): Rule<string | null> {
  return {
    ...basics,
    must: valueRules.channel(NONE),
    suggestions: [NONE],
    read: (text) => (text.toLowerCase() === NONE ? null : readSnowflake(text, "#")),
    write: (value) => value ?? NONE,
  };
}

/** Roles or people, by their mentions or ids. `none` is an empty list. */
export function listOf(what: "roles" | "people", basics: Basics<readonly string[]>): Rule<readonly string[]> {
  return {
    ...basics,
    must: valueRules.listOf(MAX_LISTED, what, NONE),
    suggestions: [NONE],
    read: (text) => readList(text, what === "roles" ? "@&" : "@"),
    write: (value) => (value.length === 0 ? NONE : value.join(" ")),
  };
}

function readList(text: string, sigil: "@" | "@&"): readonly string[] | undefined {
  if (text.toLowerCase() === NONE) return [];
  const ids = text.split(/[\s,]+/).flatMap((word) => (word === "" ? [] : [readSnowflake(word, sigil)]));
  const known = [...new Set(ids.filter((id) => id !== undefined))];
  return ids.length > 0 && ids.every((id) => id !== undefined) && known.length <= MAX_LISTED ? known : undefined;
}

/** Reads the id in `<#1>`, `<@1>`, `<@!1>` (an old form of `<@1>`), `<@&1>`, or alone. */
function readSnowflake(text: string, sigil: "#" | "@" | "@&"): string | undefined {
  const inner = text.startsWith(`<${sigil}`) && text.endsWith(">") ? text.slice(1 + sigil.length, -1) : text;
  const id = sigil === "@" && inner !== text ? inner.replace(/^!/, "") : inner;
  return SNOWFLAKE.test(id) ? id : undefined;
}
