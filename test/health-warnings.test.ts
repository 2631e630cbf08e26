// What /health warns of although everything works.
import { expect, it } from "vitest";
import { scene, VARIABLES } from "./support/endpoint-harness.ts";

const LOCAL = "http://127.0.0.1:8788/api/v10";

it.each([
  ["both doors are open", { SERVERS: "open", VISITORS: "anyone", MAX_USD_PER_DAY: "0" }, ["SERVERS", "VISITORS"]],
  ["visitors may be anyone", { VISITORS: "anyone", MAX_USD_PER_DAY: "0" }, ["VISITORS"]],
  ["a month has a limit", { SERVERS: "open", MAX_USD_PER_DAY: "0", MAX_USD_PER_MONTH: "20" }, []],
  ["a day has its usual limit", { SERVERS: "open" }, []],
  ["only known people may ask", { SERVERS: "listed", MAX_USD_PER_DAY: "0" }, []],
  ["Discord is on this machine", { SERVERS: "open", MAX_USD_PER_DAY: "0", DISCORD_API_BASE_URL: LOCAL }, []],
])("warns of strangers who may spend the key without a limit: %s", async (_, changed, named) => {
  const deployed = { DISCORD_PUBLIC_KEY: "ab".repeat(32), DISCORD_API_BASE_URL: "https://discord.com/api/v10" };
  const variables = { ...VARIABLES, ...deployed, ...changed };
  const response = await scene({ variables }).dispatch(new Request("http://localhost/health"));
  const { warnings = [] } = (await response.json()) as { warnings?: string[] };
  expect(warnings.map((warning) => /With (\w+)=/.exec(warning)?.[1])).toEqual(named);
});
