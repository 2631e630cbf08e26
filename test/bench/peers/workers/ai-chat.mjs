// The peer `@cloudflare/ai-chat`: AIChatAgent, which stores its messages.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { AIChatAgent } from "@cloudflare/ai-chat";
import { getAgentByName } from "agents";
import { convertToModelMessages, isStepCount, jsonSchema, streamText, tool } from "ai";
import { LOOK_UP, MANY_STEPS, PARAMETERS, RESULT, SYSTEM, serveTurns, wait } from "./turns.mjs";

export class TurnObject extends AIChatAgent {
  async onChatMessage() {
    const provider = createOpenAICompatible({ name: "bench", baseURL: this.env.OPENAI_BASE_URL, apiKey: "k" });
    const inputSchema = jsonSchema(PARAMETERS);
    const result = streamText({
      model: provider("m"),
      system: SYSTEM,
      messages: await convertToModelMessages(this.messages),
      stopWhen: isStepCount(MANY_STEPS),
      tools: {
        look_up: tool({ description: LOOK_UP, inputSchema, execute: async () => RESULT }),
        wait: tool({ description: LOOK_UP, inputSchema, execute: wait }),
      },
    });
    return result.toUIMessageStreamResponse();
  }

  async turn() {
    const asked = { id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text: "go" }] };
    await this.saveMessages([...this.messages, asked]);
    const said = this.messages.at(-1)?.parts ?? [];
    return said.map((part) => (part.type === "text" ? part.text : "")).join("");
  }
}

export default serveTurns((namespace) => getAgentByName(namespace, crypto.randomUUID()));
