// How the local model reports a tool's result: turns a result of any shape into a sentence. Calls nothing.
import { tellOfChannel } from "./channel-telling.ts";
import type { Outcome } from "./hearing.ts";

type Fields = Record<string, unknown>;

/** Reports all results of a round in one paragraph, in order. */
export const tellAll = (outcomes: readonly Outcome[]): string => outcomes.map(tell).join("\n");

function tell({ name, given, result }: Outcome): string {
  const fields: Fields = isFields(result) ? result : {};
  if (fields.status === "tool_execution_failed") {
    const reason = readWords(fields.reason) ?? "it gave no reason.";
    // The rest of this reason is an instruction to a model.
    if (reason.includes("person denied")) return `\`${name}\` was denied, so I left it alone.`;
    return `\`${name}\` did not work: ${reason}`;
  }
  if (fields.status === "blocked_by_deliberate_tool_mode")
    return `I may not use \`${name}\` right now: in this channel I may use a tool only when your words ask for it.`;
  if (fields.status === "completed" && Object.keys(fields).length === 1) return `\`${name}\` is done.`;
  return (
    (name === "get_current_time" && tellTime(given, fields)) ||
    (name === "roll_dice" && tellDice(given, fields)) ||
    tellOfChannel(name, fields) ||
    tellAny(name, result)
  );
}

function tellTime(given: unknown, fields: Fields): string | undefined {
  const time = readWords(fields.formatted ?? fields.text ?? fields.summary ?? fields.time ?? fields.iso);
  if (!time) return undefined;
  const zone = readWords(fields.timezone) ?? readWords(isFields(given) ? Object.values(given)[0] : undefined) ?? "UTC";
  const place = (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
  return `In ${place} it is **${time}**.`;
}

function tellDice(given: unknown, fields: Fields): string | undefined {
  const { total, rolls } = fields;
  if (typeof total !== "number") return undefined;
  const notation =
    readWords(fields.notation) ?? readWords(isFields(given) ? Object.values(given)[0] : undefined) ?? "the dice";
  const faces = Array.isArray(rolls) && rolls.length > 1 ? ` (${rolls.map(String).join(", ")})` : "";
  return `🎲 ${notation}${faces} makes **${total}**.`;
}

function tellAny(name: string, result: unknown): string {
  const fields: Fields = isFields(result) ? result : {};
  const plain = readWords(result) ?? readWords(fields.text) ?? readWords(fields.summary) ?? readWords(fields.formatted);
  return plain ?? `\`${name}\` returned this:\n\`\`\`json\n${JSON.stringify(result)}\n\`\`\``;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const readWords = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
