// What an object may lend its tools, one narrow interface each. A tool names those it works with and is handed no others; a
// service that is missing here keeps its tools from being offered. Knows nothing of who provides them.

/** Every service by the name under which `execute` finds it. */
export interface ToolServices {
  /** Requests to anywhere: whoever takes an address from a model or a person checks it first. Pass the call's signal. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
}

export type ServiceName = keyof ToolServices;

/** What stands in the way when a service is missing; said to models and people. */
export const SERVICE_WORDS: Record<ServiceName, string> = {
  fetch: "a way to the network",
};
