// What decides whether a tool may run without asking: what the model had read when it made the call, the person's own words, and the
// addresses that the person or a page of this turn gave.
import { addressesInJson, addressesInWords } from "../core/taint/addresses.ts";
import { type TurnTaint, worstTaint } from "../core/taint/taint.ts";
import type { ToolCard } from "../toolkit/define/tool.ts";
import type { NumberedCall, TurnStore } from "./ports.ts";
import { offeredTools } from "./prompt.ts";
import type { ToolLoopParams } from "./turn-params.ts";

/** Builds it for one call. Addresses are looked for only when they are asked about, and then once. */
export function buildTurnTaint(params: ToolLoopParams, placed: NumberedCall): TurnTaint {
  const { store, runtime } = params;
  const level = worstTaint(store.taint(), readsDescriptions(params, placed.call.name) ? "weak" : "none");
  let known: ReadonlySet<string> | null = null;
  return {
    level: level === "weak" && followsReading(params, placed) ? "full" : level,
    isAskedFor: (toolName) => params.isAskedFor(toolName) || hasNoWords(runtime.toolFor(toolName)),
    isKnown(address) {
      known ??= knownAddresses(params);
      return known.has(address);
    },
  };
}

/** So many pages may be compared: their addresses hide little, and those of all calls of an answer much. */
const READ_TOGETHER = 3;

/** Does the call come after so many of this tool, which reads addresses? All calls of an answer are written before a page is read. */
function followsReading({ store, runtime }: ToolLoopParams, { call, messageSeq, position }: NumberedCall): boolean {
  if (!runtime.toolFor(call.name)?.givesAddresses) return false;
  const calls = store.rounds().flatMap((round) => round.calls);
  const before = calls.filter(
    (one) =>
      one?.placed.call.name === call.name && (one.placed.messageSeq - messageSeq || one.placed.position - position) < 0,
  );
  return before.length >= READ_TOGETHER;
}

/** Only a tool of this installation's own may come without words that ask for it: whoever added it wants it to be called. */
const hasNoWords = (tool: ToolCard | null): boolean => tool?.server === undefined && tool?.triggers === undefined;

/**
 * The descriptions of remote tools are their servers' words. They may well lead to those tools, which people have connected for that, but
 * not to what the bot does by itself, nor to what another server does.
 */
function readsDescriptions(params: ToolLoopParams, calledName: string): boolean {
  const { runtime } = params;
  const serverOf = (name: string) => runtime.toolFor(name)?.server;
  const isOthers = (name: string) => (serverOf(name) ?? serverOf(calledName)) !== serverOf(calledName);
  // Most installations have no remote tool, and then nothing has to be listed.
  return runtime.names().some(isOthers) && offeredTools(params).some(({ name }) => isOthers(name));
}

/** The addresses that results have brought: each page that follows asks for those of all before it. */
const brought = new WeakMap<TurnStore, Map<string, ReadonlySet<string>>>();

function knownAddresses({ request, files, store, runtime }: ToolLoopParams): ReadonlySet<string> {
  // Where others wrote a part, it may be in the files, and one of the bot's own answers has all that its model wrote in one.
  const own = request.taint === "full" ? [] : files.texts;
  const before = brought.get(store) ?? new Map<string, ReadonlySet<string>>();
  brought.set(store, before);
  const results = store.rounds().flatMap(({ calls }) =>
    calls.flatMap((call) => {
      if (!call?.result?.ok || !runtime.toolFor(call.placed.call.name)?.givesAddresses) return [];
      const place = `${store.modelIndex()} ${call.placed.messageSeq} ${call.placed.position}`;
      const found = before.get(place) ?? addressesInJson(call.result.data);
      before.set(place, found);
      return [...found];
    }),
  );
  return new Set([...store.givenAddresses(), ...own.flatMap(({ text }) => [...addressesInWords(text)]), ...results]);
}
