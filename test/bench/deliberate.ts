// What deliberate tool mode saves: the size of a whole model request with the full set of tools, and in the mode if the words
// ask for no tool, for one tool, or two are in the window. Prints and asserts nothing. Tokens are estimated as in the product.
import { acceptNoFlags } from "./no-flags.ts";

acceptNoFlags(
  "bench:deliberate",
  "Prints what deliberate tool mode saves: the size of a request to the model with it and without.",
);

// Loaded only now, because the usage needs none of it.
const { decideExposure } = await import("../../src/core/deliberate/exposure.ts");
const { triggerSet } = await import("../../src/core/deliberate/tool-matches.ts");
const { estimateTokens } = await import("../../src/core/transcript/tokens.ts");
const { requestBody } = await import("../../src/model/request-body.ts");
const { createToolRegistry } = await import("../../src/toolkit/define/registry.ts");
const { shippedTriggers } = await import("../../src/toolkit/define/trigger-list.ts");
const { tools } = await import("../../src/tools/index.ts");
const { deliberateGate } = await import("../../src/turn/deliberate-gate.ts");
const { withToolUse } = await import("../../src/turn/prompt.ts");

const SYSTEM = "You are a helpful member of a Discord channel. Answer briefly and plainly.";
const registry = createToolRegistry(tools);
const triggers = triggerSet("built-in", shippedTriggers(tools));

interface Row {
  request: string;
  tools: number;
  "JSON bytes": number;
  "tokens, about": number;
}

function row(name: string, text: string, active: boolean, retained: Record<string, number> = {}): Row {
  const asking = () => ({ triggers, message: { text, attachments: [], earlier: () => [] } });
  const { exposure } = decideExposure(retained, { active, turns: 4 }, asking);
  const gate = deliberateGate(
    () => exposure,
    () => [],
  );
  const offered = registry.schemas().filter((tool) => gate.decide(tool.name).allowed);
  const system = withToolUse(SYSTEM, offered.length);
  const messages = [{ role: "user" as const, text: `Mira: ${text}` }];
  const json = JSON.stringify(requestBody("gpt-5-mini", { system, messages, tools: offered }));
  return { request: name, tools: offered.length, "JSON bytes": json.length, "tokens, about": estimateTokens(json) };
}

console.table([
  row("mode off, the full set", "what do you think of pineapple?", false),
  row("mode on, nothing asked for", "what do you think of pineapple?", true),
  row("mode on, one tool asked for", "roll a d20", true),
  row("mode on, two in the window", "what do you think of pineapple?", true, { recall: 2, web_search: 1 }),
]);
