// The peers, each in the version that is measured. They are installed into a separate folder and are not part of the lock file.
import type { PeerFigure } from "../results.ts";

/** What is installed, with exact versions. */
export const PACKAGES: Readonly<Record<string, string>> = {
  ai: "7.0.173",
  "@ai-sdk/openai-compatible": "3.0.92",
  "@ai-sdk/react": "4.0.177",
  "@openai/agents": "0.20.0",
  openai: "7.55.0",
  agents: "0.32.0",
  "@cloudflare/ai-chat": "0.12.2",
  chat: "4.41.1",
  "@chat-adapter/discord": "4.41.0",
  "@chat-adapter/state-memory": "4.41.0",
  react: "19.3.1",
  zod: "4.6.7",
};

/** One peer. */
export interface PeerPlan {
  name: string;
  /** Its Worker in `workers`; null if it is measured in Node. */
  worker: string | null;
  /** Whether it stores its turns, so that one may survive a death. */
  keeps?: boolean;
  packages: readonly string[];
}

/** Every peer that is measured. */
export const PEERS: readonly PeerPlan[] = [
  { name: "ai", worker: "ai.mjs", packages: ["ai", "@ai-sdk/openai-compatible"] },
  { name: "@openai/agents", worker: "openai-agents.mjs", packages: ["@openai/agents", "openai"] },
  { name: "AIChatAgent", worker: "ai-chat.mjs", keeps: true, packages: ["@cloudflare/ai-chat", "agents", "ai"] },
  { name: "ThinkHarness", worker: "think-harness.mjs", keeps: true, packages: ["agents", "ai"] },
  { name: "Chat SDK", worker: null, packages: ["chat", "@chat-adapter/discord"] },
];

/** Measures, or says why it can't. Never rejects. */
export async function orReason(measure: () => Promise<number>): Promise<PeerFigure> {
  try {
    return { ok: true, value: await measure() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, reason: reason.replace(/\/\S+\//g, "…/").slice(0, 300) };
  }
}
