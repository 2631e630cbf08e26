// The shipped tools themselves, with the compiled checks of their arguments. What a tool's card says applies, because the build leaves
// those fields out of the tools.
import { compileInput } from "../../toolkit/define/input-schema.ts";
import type { ToolCard } from "../../toolkit/define/tool.ts";
import type { OpenTool, ToolSchema } from "../../toolkit/define/tool-cards.ts";
import { tools } from "../index.ts";

const opened = new Map<string, OpenTool>();

/** Returns the same tool each time. Throws if these are not the tools that the schemas were written for; a test finds that. */
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
