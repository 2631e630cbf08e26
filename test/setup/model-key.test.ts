// The trial of a key, as strict providers see it.
import { expect, it } from "vitest";
import { tryModel } from "../../src/setup/model-key.ts";

it.each([
  ["https://api.openai.com/v1", "max_completion_tokens"],
  ["https://api.mistral.ai/v1", "max_tokens"],
  ["https://api.deepseek.com/v1", "max_tokens"],
])(
  "asks %s for a short answer by the only name that it knows: another one reads as a fault of the key",
  async (baseUrl, name) => {
    const sent: Record<string, unknown>[] = [];
    const trial = await tryModel(
      async (_, init) => {
        sent.push(JSON.parse(String(init?.body)));
        return Response.json({ choices: [] });
      },
      { key: "k", baseUrl, model: "m" },
    );
    expect([trial, Object.keys(sent[0] ?? {}).filter((field) => field.startsWith("max_"))]).toEqual([
      { kind: "works" },
      [name],
    ]);
  },
);
