// The shipped tools themselves, with the compiled checks of their arguments. What a card says of its tool is the truth: the build leaves it
// out of the tools.
import { compileInput } from "../../toolkit/define/input-schema.ts";
import type { ToolCard } from "../../toolkit/define/tool.ts";
import type { OpenTool, ToolSchema } from "../../toolkit/define/tool-cards.ts";
import { tools } from "../index.ts";

const opened = new Map<string, OpenTool>();

/** The same tool each time. Throws where the tools are not those of which the schema was written, which a test finds. */
export function openTool(card: ToolCard, { name, parameters }: ToolSchema): OpenTool {
  const known = opened.get(name);
  if (known) return known;
  const found = tools.find((one) => one.name === name);
  if (!found) throw new Error(`no tool is called ${name}`);
  const tool = { ...found, ...card };
  const compiled = compileInput(tool, () => parameters);
  if (!compiled.ok) throw new Error(`the tool ${name} can't be opened: ${compiled.error}`);
  const one = { tool, input: compiled.input };
  opened.set(name, one);
  return one;
}
