// The defaults of variables that are not set: for the Worker, and for the commands that set it up or run it on this machine.

/** Discord's REST API. */
export const DISCORD = "https://discord.com/api/v10";

/** The provider of a key without an address, its model, and that model's successor: OpenAI ends the first model on 11 December 2026. */
export const OPENAI = { baseUrl: "https://api.openai.com/v1", model: "gpt-5-mini", successor: "gpt-5.4-mini" } as const;

/** The Workers AI model unless OPENAI_MODEL names another of its models (`@cf/…`). It can call tools. */
export const WORKERS_AI_MODEL = "@cf/zai-org/glm-4.7-flash";
