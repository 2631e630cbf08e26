// Gathers what decides whether a tool may run without asking: what the model had read when it made the call, the person's own words, and
// the addresses that the person or a page of this turn gave.
import { addressesInJson, addressesInWords } from "../core/taint/addresses.ts";
import { type TurnTaint, worstTaint } from "../core/taint/taint.ts";
import type { ToolCard } from "../toolkit/define/tool.ts";
import type { NumberedCall, TurnStore } from "./ports.ts";
import { offeredTools } from "./prompt.ts";
import type { ToolLoopParams } from "./turn-params.ts";

/** Builds the taint of one call. Addresses are collected when the first one is asked about, and only once. */
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

/** This many pages may be opened to compare them: the choice of their addresses can give away little, that of all calls of an answer much more. */
const READ_TOGETHER = 3;

/**
 * Whether the call follows this many calls of the same tool, if that tool reads addresses. An answer's calls are all written before any of its
 * pages is read.
 */
function followsReading({ store, runtime }: ToolLoopParams, { call, messageSeq, position }: NumberedCall): boolean {
  if (!runtime.toolFor(call.name)?.givesAddresses) return false;
  const calls = store.rounds().flatMap((round) => round.calls);
  const before = calls.filter(
    (one) =>
      one?.placed.call.name === call.name && (one.placed.messageSeq - messageSeq || one.placed.position - position) < 0,
  );
  return before.length >= READ_TOGETHER;
}

/** Whether the tool needs no words that ask for it. Only this installation's own tools may: whoever added one wants it to be called. */
const hasNoWords = (tool: ToolCard | null): boolean => tool?.server === undefined && tool?.triggers === undefined;

/**
 * Whether the model reads the description of a tool from a server other than the called tool's. Descriptions of remote tools are their servers'
 * words. They may well lead to that server's tools, which people have connected for that purpose, but not to what the bot does by itself, nor to
 * another server's tools.
 */
function readsDescriptions(params: ToolLoopParams, calledName: string): boolean {
  const { runtime } = params;
  const serverOf = (name: string) => runtime.toolFor(name)?.server;
  const isOthers = (name: string) => (serverOf(name) ?? serverOf(calledName)) !== serverOf(calledName);
  // Most installations have no remote tool, and then no list has to be built.
  return runtime.names().some(isOthers) && offeredTools(params).some(({ name }) => isOthers(name));
}

/** The addresses that results have brought, by call: each later page asks for those of all pages before it. */
const brought = new WeakMap<TurnStore, Map<string, ReadonlySet<string>>>();

function knownAddresses({ request, files, store, runtime }: ToolLoopParams): ReadonlySet<string> {
  // Where others wrote a part of the question, addresses in the files may be theirs; one of the bot's own answers may carry a file with all that
  // its model wrote.
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
