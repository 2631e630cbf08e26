// What applies where a variable is not set: for the Worker, and for the commands that set it up or run it here.

/** Discord's REST API. */
export const DISCORD = "https://discord.com/api/v10";

/** Whose a key without an address is, the model there, and the one that takes its place: OpenAI ends the first on 11 December 2026. */
export const OPENAI = { baseUrl: "https://api.openai.com/v1", model: "gpt-5-mini", successor: "gpt-5.4-mini" } as const;

/** The model of Workers AI unless OPENAI_MODEL names another one of it (`@cf/…`). It can call tools. */
export const WORKERS_AI_MODEL = "@cf/zai-org/glm-4.7-flash";
