// The peer `ai`: its ToolLoopAgent in a bare object, which keeps nothing.

import { DurableObject } from "cloudflare:workers";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { isStepCount, jsonSchema, ToolLoopAgent, tool } from "ai";
import { LOOK_UP, MANY_STEPS, PARAMETERS, RESULT, SYSTEM, serveTurns } from "./turns.mjs";

export class TurnObject extends DurableObject {
  async turn() {
    const provider = createOpenAICompatible({ name: "bench", baseURL: this.env.OPENAI_BASE_URL, apiKey: "k" });
    const inputSchema = jsonSchema(PARAMETERS);
    const agent = new ToolLoopAgent({
      model: provider("m"),
      instructions: SYSTEM,
      stopWhen: isStepCount(MANY_STEPS),
      tools: { look_up: tool({ description: LOOK_UP, inputSchema, execute: async () => RESULT }) },
    });
    const { textStream } = await agent.stream({ prompt: "go" });
    let text = "";
    for await (const piece of textStream) text += piece;
    return text;
  }
}

export default serveTurns();
