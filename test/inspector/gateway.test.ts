// The home page says whether mentions, replies and direct messages are heard, as /health and `/bot status` do.
import { expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { parseConfig } from "../../src/config.ts";
import type { GatewayStatus } from "../../src/core/state/gateway-status.ts";
import { homePage } from "../../src/inspector/home-page.ts";
import { renderPage } from "../../src/inspector/layout.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../../src/playground/key.ts";
import { home } from "../support/inspected.ts";
import { notInspected, openScopes } from "../support/scopes.ts";

const TOKEN = "a token of the owner";

async function readHome(DISCORD_GATEWAY: string, gatewayStatus: () => Promise<GatewayStatus>) {
  const app = createApp({
    config: parseConfig({
      ...{ DISCORD_PUBLIC_KEY: DEVELOPMENT_PUBLIC_KEY_HEX, DISCORD_APPLICATION_ID: "1", OPENAI_API_KEY: "key" },
      ...{ DISCORD_API_BASE_URL: "http://127.0.0.1/api/v10", DISCORD_BOT_TOKEN: "bot", INSPECT_TOKEN: TOKEN },
      DISCORD_GATEWAY,
    }),
    ...{ variables: {}, scope: openScopes(), channel: notInspected, inspected: notInspected, countRefused: null },
    ...{ gatewayStatus, now: () => 0, after: () => () => {}, logError: () => {}, fetch: async () => new Response() },
  });
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const answer = await app.fetch(new Request("https://parley.example/inspect.json", { headers }));
  return ((await answer.json()) as { gateway: unknown }).gateway;
}

it("the home page has the gateway's state, even if its object gives no answer, and asks no object if the gateway is off", async () => {
  expect(await readHome("on", async () => "connected")).toBe("connected");
  expect(await readHome("on", async () => ({ refused: "bad_token" }))).toEqual({ refused: "bad_token" });
  expect(await readHome("on", () => Promise.reject(new Error("gone")))).toBe("unknown");
  expect(await readHome("off", () => Promise.reject(new Error("asked")))).toBe("off");
});

it("the home page shows the state in words, and nothing about a gateway that is not used", () => {
  const show = (gateway: typeof home.gateway) => renderPage(homePage({ ...home, gateway }, {}));
  expect(show("resuming")).toContain("Discord&#39;s Gateway: resuming");
  expect(show({ refused: "bad_token" })).toContain("refused: Discord doesn&#39;t know the bot&#39;s token (4004).");
  expect(show("off")).not.toContain("Gateway");
});
