// The peer `agents`: its ThinkHarness on a plain object, which stores its turns. The one closest to ours.

import { DurableObject } from "cloudflare:workers";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ThinkHarness } from "agents/harness/think";
import { Lifecycle } from "agents/lifecycle";
import { jsonSchema, tool } from "ai";
import { LOOK_UP, MANY_STEPS, PARAMETERS, RESULT, SYSTEM, serveTurns, wait } from "./turns.mjs";

export class TurnObject extends DurableObject {
  harness = new ThinkHarness({
    model: createOpenAICompatible({ name: "bench", baseURL: this.env.OPENAI_BASE_URL, apiKey: "k" })("m"),
    system: SYSTEM,
    maxSteps: MANY_STEPS,
    tools: {
      look_up: tool({
        description: LOOK_UP,
        inputSchema: jsonSchema(PARAMETERS),
        execute: async () => RESULT,
      }),
      wait: tool({ description: LOOK_UP, inputSchema: jsonSchema(PARAMETERS), execute: wait }),
    },
  });
  lifecycle = Lifecycle.install(this).use(this.harness);

  async turn() {
    const result = await this.harness.prompt("go");
    return result.status === "done" ? result.text : `unanswered: ${result.reason}`;
  }
}

export default serveTurns();
