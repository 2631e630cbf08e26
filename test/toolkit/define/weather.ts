// A custom tool as people write one for assistants of this kind: a module with a name, a description, an input schema and
// `run`. Tests supply what it would fetch, so that none needs a network.
import type { CustomToolContext } from "../../../src/toolkit/define/custom-tool.ts";

export const name = "weather";
export const description = "Tells the current weather of a place.";

export const inputSchema = {
  type: "object",
  properties: {
    location: { type: "string", description: "A city or a zip code." },
    units: { type: "string", enum: ["metric", "imperial"], default: "metric" },
  },
  required: ["location"],
};

/** The answers of the weather service, by place; a test fills it. */
export const service = new Map<string, () => Promise<{ status: number; body: { temp: number; conditions: string } }>>();

export async function run(input: { location: string; units?: string }, context: CustomToolContext) {
  context.log?.(`asking for ${input.location}`);
  if (context.signal?.aborted) return { ok: false, output: null, error: "Request was cancelled" };
  const ask = service.get(input.location);
  if (!ask) throw new Error(`no service for ${input.location}`);
  const response = await ask();
  if (response.status !== 200)
    return {
      ok: false,
      output: { status: response.status, location: input.location },
      error: `Weather API returned ${response.status}`,
    };
  return {
    ok: true,
    output: {
      location: input.location,
      temperature: response.body.temp,
      conditions: response.body.conditions,
      units: input.units ?? "metric",
      timestamp: context.now.toISOString(),
    },
  };
}
