// Commands, forms and clicks with changed values, signed and sent through the Worker's application to a channel's object, with the
// local Discord on both sides. It finds answers with 5xx, illegal acknowledgements, and split characters (lone surrogates) sent anywhere.

import type { Interact, OptionValue } from "../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { rollDice } from "../../src/tools/roll-dice.ts";
import type { ModelEvent } from "../../src/turn/ports.ts";
import { type AppHarness, createAppHarness } from "./app-harness.ts";

/** What a sweep did and found. */
export interface MutationReport {
  sent: number;
  /** Counts by what the person saw: `thinking`, `message`, `choices`, … */
  seen: Record<string, number>;
  /** Counts by HTTP status. */
  statuses: Record<string, number>;
  /** Requests to Discord. */
  requests: number;
  faults: string[];
}

/** Interactions before the channel starts from scratch, so that settings and personas changed at random don't decide everything. */
const PER_CHANNEL = 100;
/** Interactions before the waiting turns are answered. */
const PER_ROUND = 20;

/** Sends this many changed interactions. The same seed gives the same ones. */
export async function sweepMutations(count: number, seed: number): Promise<MutationReport> {
  const random = createRandom(seed);
  const report: MutationReport = { sent: 0, seen: {}, statuses: {}, requests: 0, faults: [] };
  while (report.sent < count) await sweepChannel(random, Math.min(PER_CHANNEL, count - report.sent), report);
  return report;
}

async function sweepChannel(random: Random, count: number, report: MutationReport): Promise<void> {
  let lastBody = "";
  // If no half of a character goes in, a replacement character that comes out means that we cut through a character.
  const texts = random.chance(0.5) ? TEXTS : TEXTS.filter((text) => text.isWellFormed());
  const isBroken = (text: string) => !text.isWellFormed() || (texts !== TEXTS && text.includes("\ufffd"));
  const place = createAppHarness({
    bot: random.chance(0.5),
    isMember: random.chance(0.8),
    tools: [rollDice],
    bend: (body) => {
      lastBody = bend(random, body, texts);
      return lastBody;
    },
    heard(status, body) {
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      if (status >= 500) report.faults.push(`${status} ${body} for ${lastBody}`);
      for (const text of textsIn(body).filter(isBroken))
        report.faults.push(`half a character in ${shown(text)}, for ${lastBody}`);
    },
  });
  for (let n = 0; n < count; n++) {
    report.sent++;
    const { seen } = await place.discord.interact(chooseAct(random, place));
    report.seen[seen] = (report.seen[seen] ?? 0) + 1;
    for (const { refusal, where, body } of place.discord.violations.slice())
      report.faults.push(`illegal ${where} ${JSON.stringify(refusal)} ${shown(JSON.stringify(body))} for ${lastBody}`);
    (place.discord.violations as unknown[]).length = 0;
    if (n % PER_ROUND === PER_ROUND - 1) await answerAll(random, place, texts);
  }
  await answerAll(random, place, texts);
  for (const { route, body, files } of place.discord.log) {
    report.requests++;
    for (const text of textsIn(JSON.stringify([body, files])).filter(isBroken))
      report.faults.push(`half a character in ${shown(text)}, sent to ${route}`);
  }
  for (const violation of place.discord.violations) report.faults.push(`illegal request ${JSON.stringify(violation)}`);
}

/** Lets the model repeat what it was asked, or fail; then everything is delivered. */
async function answerAll(random: Random, { channel, pass }: AppHarness, texts: readonly string[]): Promise<void> {
  await pass(1500);
  for (let turns = 0; turns < 12 && channel.streams() > 0; turns++) {
    const question = channel.requests.at(-1)?.messages.findLast(({ role }) => role === "user");
    const text = `${question && "text" in question ? question.text : ""} ${random.pick(texts)}`;
    const usage = { inputTokens: 1, outputTokens: 1 };
    const calls = [{ id: "c", name: "roll_dice", arguments: JSON.stringify({ notation: text }) }];
    const answers: ModelEvent[][] = [
      [
        { kind: "text", text },
        { kind: "end", finishReason: "stop", calls: [], usage },
      ],
      [
        { kind: "text", text },
        { kind: "end", finishReason: "length", calls: [], usage },
      ],
      [{ kind: "end", finishReason: "tool_calls", calls, usage }],
      [{ kind: "failed", failure: { reason: "refused", message: text } }],
    ];
    channel.answer(random.pick(answers));
    await pass(3000);
  }
  await pass(20_000);
}

const OPTIONS: Readonly<Record<string, Record<string, OptionValue>>> = {
  chat: { message: "hi" },
  scene: { personas: "Ada", prompt: "hi" },
  "ask-long": {},
  stop: {},
  "bot kill": {},
  "bot status": {},
  "bot trace": { turn: "77" },
  "bot usage": {},
  "bot reset": {},
  "persona create": { name: "Ada", prompt: "Be kind." },
  "persona edit": { name: "Ada", prompt: "Be strict." },
  "persona delete": { name: "Ada" },
  "persona list": {},
  "persona use": { name: "Ada" },
  "tools list": {},
  "deliberate mode": { state: "on" },
  "deliberate context": { turns: 3 },
  "deliberate trigger": { action: "add", tool: "roll_dice", phrase: "dice" },
  "deliberate me": { state: "on" },
  "config show": {},
  "config set": { key: "notices", value: "on" },
  "config clear": { key: "notices" },
  "config history": { scope: "here" },
  model: { name: "default", scope: "here" },
  help: {},
  "catch-up": { since: 2 },
  "bot summary": {},
  "bot compact": { focus: "the recipe" },
  "tools connect": { server: "github" },
  "tools add": { name: "notes", url: "https://notes.example/mcp" },
  "privacy show": {},
  "privacy export": {},
  "privacy forget": {},
  "privacy opt-out": { state: "on" },
  "remember me": { text: "Call me Ada." },
  "reminders list": {},
  "reminders cancel": { number: 1 },
};

function chooseAct(random: Random, { discord }: AppHarness): Interact {
  const where = { as: random.pick(Object.values(PEOPLE)), channel: random.pick(CHANNELS) };
  const command = random.chance(0.4) ? "chat" : random.pick(Object.keys(OPTIONS));
  const [name = "", subcommand] = command.split(" ");
  const path = { name, ...(subcommand && { subcommand }), options: OPTIONS[command] ?? {} };
  const [focused] = Object.keys(path.options);
  const buttons = discord
    .messages(where.channel, where.as)
    .flatMap(({ id, components }) => idsIn(components).map((customId) => ({ messageId: id, customId })));
  const form = discord.openModal(where.as);
  if (buttons.length > 0 && random.chance(0.4)) return { ...where, kind: "click", ...random.pick(buttons.slice(-5)) };
  const others: Interact[] = [
    ...(form ? [{ ...where, kind: "submit" as const, customId: "ask-long", fields: { question: "hi" } }] : []),
    ...(focused ? [{ ...where, kind: "autocomplete" as const, ...path, focused }] : []),
  ];
  if (others.length > 0 && random.chance(0.5)) return random.pick(others);
  return { ...where, kind: "command", ...path };
}

const CHANNELS = [PLACES.general, PLACES.thread, PLACES.dmOfMira];

const idsIn = (rows: unknown[]): string[] =>
  (rows as { components?: { custom_id?: string }[] }[]).flatMap(({ components = [] }) =>
    components.flatMap(({ custom_id: id }) => (id === undefined ? [] : [id])),
  );

/** Texts that parsers, cuts and Discord's limits may fail on: halves of characters, and characters that a cut can halve. */
const TEXTS: readonly string[] = [
  "",
  " ",
  "\ud83d",
  "\ude00x",
  "a\ud83d b",
  ...[20, 29, 31, 45, 50, 59, 79, 99, 100, 160, 300, 1000, 1999].map((n) => `x${"😀".repeat(n)}`),
  ...[30, 60, 100, 2000, 4000].map((n) => "😀".repeat(n)),
  `x${"👨‍👩‍👧‍👦".repeat(300)}`,
  "x".repeat(4100),
  `\`\`\`\n${"😀\n".repeat(900)}`,
  `| a | b |\n| - | - |\n${"| 😀 | x |\n".repeat(300)}`,
  "@everyone <@&1> <#2> \u202e\u0000",
  "__proto__",
  "toString",
  "none",
  "off",
  "queue",
  "Ada, Bob",
  "9".repeat(400),
  "1e999",
  "^(a+)+$",
];
const ANYTHING: readonly unknown[] = [null, [], {}, 0, -1, 2 ** 53, 1.5, true, false, [[]], { value: {} }, ["x"]];
const ACTIONS = [
  "stop",
  "resume",
  "go_on",
  "retry",
  "approve",
  "deny",
  "regenerate",
  "delete",
  "forget",
  "enter_code",
  "unknown",
];

/** Changes one to three values of an interaction, mostly the texts that a person can choose. */
function bend(random: Random, body: string, choice: readonly string[]): string {
  const json = JSON.parse(body) as Record<string, unknown>;
  const paths = pathsOf(json);
  // The kind of the interaction decides which answers are legal, and its id and token belong to it.
  const free = paths.filter(([first]) => !["type", "id", "token"].includes(String(first)));
  const texts = free.filter((path) => isFreeText(path) && typeof read(json, path) === "string");
  for (let changes = 1 + random.below(3); changes > 0; changes--) {
    if (texts.length > 0 && random.chance(0.75)) put(json, random.pick(texts), random.pick(choice));
    else put(json, random.pick(free), structuredClone(random.pick([...ANYTHING, ...choice])));
  }
  const data = json.data as { custom_id?: unknown } | undefined;
  if (typeof data?.custom_id === "string" && random.chance(0.5))
    data.custom_id = data.custom_id.replace(/^[a-z_]+(?=:)/, random.pick(ACTIONS));
  return JSON.stringify(json);
}

/** Whether a person or a server's owner chooses the text: values of options and forms, names, nicknames. */
const isFreeText = (path: Path): boolean =>
  ["value", "nick", "global_name", "username", "name", "custom_id", "locale", "content"].includes(String(path.at(-1)));

type Path = (string | number)[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const below = Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...at, key]));
  return at.length === 0 ? below : [at, ...below];
}

const read = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], root);

function put(root: Record<string, unknown>, path: Path, value: unknown): void {
  const at = read(root, path.slice(0, -1));
  const last = path.at(-1);
  if (typeof at === "object" && at !== null && last !== undefined) (at as Record<string, unknown>)[last] = value;
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 200));

/** The texts and keys in a JSON text. */
function textsIn(json: string): string[] {
  const found: string[] = [];
  JSON.parse(json, (key, value: unknown) => {
    found.push(key, ...(typeof value === "string" ? [value] : []));
    return value;
  });
  return found;
}

interface Random {
  below(limit: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32. */
function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, chance: (share) => next() < share, pick: (items) => items[below(items.length)] as never };
}
