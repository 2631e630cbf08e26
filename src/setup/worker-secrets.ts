// The secrets that a deploy adds to the Worker: the application's identity, and the answers of this run. Answers that the Worker already
// has are not sent again; the identity and the token, which may be new, always are. Pure.
import type { Facts } from "./facts.ts";
import { need, oldWorker, workersAiModel } from "./step-context.ts";

/** Returns the secrets by name. `variables`: the environment, which may name owners, a model of Workers AI, or a local Discord. */
export function buildSecrets(
  facts: Facts,
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const { model, strangers, dollarsPerDay, gateway } = facts;
  const { id, publicKey, ownerIds } = need(facts.application);
  const hasOwners = oldWorker(facts)?.names.includes("OWNER_IDS");
  const owners = variables.OWNER_IDS ?? (hasOwners ? "" : ownerIds.join(","));
  const secrets: Record<string, string | null | undefined> = {
    DISCORD_APPLICATION_ID: id,
    DISCORD_PUBLIC_KEY: publicKey,
    DISCORD_BOT_TOKEN: need(facts.token),
    DISCORD_API_BASE_URL: variables.DISCORD_API_BASE_URL,
    OWNER_IDS: owners,
    ...(model?.kind === "key" && {
      OPENAI_API_KEY: model.key,
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: model.model,
    }),
    ...(model?.kind === "workers_ai" && { OPENAI_MODEL: workersAiModel(variables) }),
    ...(strangers?.kind === "new" && {
      SERVERS: strangers.value ? "open" : "claimed",
      VISITORS: strangers.value ? "anyone" : "owners",
    }),
    ...(dollarsPerDay?.kind === "new" && { MAX_USD_PER_DAY: String(dollarsPerDay.value) }),
    ...(gateway?.kind === "new" && { DISCORD_GATEWAY: gateway.value ? "on" : "off" }),
  };
  return Object.fromEntries(Object.entries(secrets).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
