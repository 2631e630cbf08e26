// The order of the setup: the known facts decide the next step. Pure. A run that was killed at any point continues by looking again, so no
// step needs to know whether an earlier run did it.
import type { Facts } from "./facts.ts";
import { hasMessageContent, isInstallable } from "./wanted.ts";

/** One step of the setup. */
export type Step =
  | "ask_token"
  | "read_application"
  | "read_login"
  | "log_in"
  | "choose_account"
  | "read_subdomain"
  | "make_subdomain"
  | "read_worker"
  | "look_for_other_program"
  | "ask_model"
  | "ask_strangers"
  | "ask_limit"
  | "ask_gateway"
  | "set_intent"
  | "deploy"
  | "wait_for_health"
  | "set_install_settings"
  | "set_endpoint"
  | "register_commands"
  | "read_servers"
  | "show_invite"
  | "wait_for_server"
  | "claim_server"
  | "finish";

/** Returns the next step. `waits`: somebody is there to invite the bot. */
export function nextStep(facts: Facts, { waits }: { waits: boolean }): Step {
  const { application, url } = facts;
  if (facts.token === null) return "ask_token";
  if (application === null) return "read_application";
  if (facts.accounts === null) return "read_login";
  if (facts.accounts === "logged_out") return "log_in";
  if (facts.account === null) return "choose_account";
  if (facts.subdomain === null) return "read_subdomain";
  if (facts.subdomain === "none") return "make_subdomain";
  if (facts.worker === null) return "read_worker";
  // This comes before anything is changed.
  if (!facts.isPlaceFree) return "look_for_other_program";
  if (facts.model === null) return "ask_model";
  if (facts.strangers === null) return "ask_strangers";
  if (facts.dollarsPerDay === null) return "ask_limit";
  if (facts.gateway === null) return "ask_gateway";
  // This comes before the Worker connects to the Gateway: for days, a session keeps the intents that it started with.
  if (!hasMessageContent(application.flags) && !facts.isIntentRefused) return "set_intent";
  // Every run deploys, because this is also how an update is deployed. Deploying again does not create a second Worker.
  if (url === null) return "deploy";
  if (!facts.isHealthy) return "wait_for_health";
  if (!isInstallable(application.installSettings) && !facts.isInstallRefused) return "set_install_settings";
  if (application.endpointUrl !== endpointAt(url)) return "set_endpoint";
  if (!facts.areCommandsRegistered) return "register_commands";
  if (facts.servers === null) return "read_servers";
  if (facts.servers.length === 0 && !facts.isInviteShown) return "show_invite";
  if (facts.servers.length === 0 && waits) return "wait_for_server";
  if (facts.joined !== null && !facts.isClaimed) return "claim_server";
  return "finish";
}

/** The address to which Discord sends interactions. */
export const endpointAt = (url: string): string => `${url}/interactions`;

/** The address of the program that receives them there. */
export const programAt = (endpointUrl: string): string => endpointUrl.replace(/\/interactions$/, "");

/** Reads a workers.dev address: the Worker's name, and the account's. Null: it is a different kind of address. */
export function readWorkerUrl(address: string | null): { name: string; subdomain: string } | null {
  const [, name, subdomain] = /^https:\/\/([\w-]+)\.([\w-]+)\.workers\.dev\//.exec(address ?? "") ?? [];
  return name === undefined || subdomain === undefined ? null : { name, subdomain };
}

/** The workers.dev address that Cloudflare gives a Worker. */
export const workerUrl = (name: string, subdomain: string): string => `https://${name}.${subdomain}.workers.dev`;
