// The peer `@openai/agents`: its runner in a bare object, which keeps nothing.

import { DurableObject } from "cloudflare:workers";
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from "@openai/agents";
import OpenAI from "openai";
import { LOOK_UP, MANY_STEPS, PARAMETERS, RESULT, SYSTEM, serveTurns } from "./turns.mjs";

export class TurnObject extends DurableObject {
  async turn() {
    setTracingDisabled(true);
    const client = new OpenAI({ apiKey: "k", baseURL: this.env.OPENAI_BASE_URL });
    const lookUp = tool({ name: "look_up", description: LOOK_UP, parameters: PARAMETERS, execute: async () => RESULT });
    const model = new OpenAIChatCompletionsModel(client, "m");
    const agent = new Agent({ name: "bench", instructions: SYSTEM, model, tools: [lookUp] });
    const result = await run(agent, "go", { stream: true, maxTurns: MANY_STEPS });
    let text = "";
    for await (const piece of result.toTextStream()) text += piece;
    await result.completed;
    return text;
  }
}

export default serveTurns();
