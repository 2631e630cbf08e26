// The shipped tools themselves, with the compiled checks of their arguments.
import { compileInput } from "../../toolkit/define/input-schema.ts";
import type { OpenTool, ToolSchema } from "../../toolkit/define/tool-cards.ts";
import { tools } from "../index.ts";

const opened = new Map<string, OpenTool>();

/** The same tool each time. Throws where the tools are not those of which the schema was written, which a test finds. */
export function openTool({ name, parameters }: ToolSchema): OpenTool {
  const known = opened.get(name);
  if (known) return known;
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`no tool is called ${name}`);
  const compiled = compileInput(tool, () => parameters);
  if (!compiled.ok) throw new Error(`the tool ${name} can't be opened: ${compiled.error}`);
  const one = { tool, input: compiled.input };
  opened.set(name, one);
  return one;
}
