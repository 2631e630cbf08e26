// The order of the setup: what is known decides what comes next. Pure, so that a run that was killed anywhere continues by looking
// again: no step needs to know whether an earlier run did it.
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

/** The next step. `waits`: someone is there to invite the bot. */
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
  // Before anything is changed.
  if (!facts.isPlaceFree) return "look_for_other_program";
  if (facts.model === null) return "ask_model";
  if (facts.strangers === null) return "ask_strangers";
  if (facts.dollarsPerDay === null) return "ask_limit";
  if (facts.gateway === null) return "ask_gateway";
  // Before the Worker connects to the Gateway: a session keeps the rights that it began with, for days.
  if (!hasMessageContent(application.flags) && !facts.isIntentRefused) return "set_intent";
  // Always, because it is also how an update is deployed; the same Worker again is no second one.
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

/** Where Discord sends interactions. */
export const endpointAt = (url: string): string => `${url}/interactions`;

/** The address of the program that gets them there. */
export const programAt = (endpointUrl: string): string => endpointUrl.replace(/\/interactions$/, "");

/** The Worker at a workers.dev address: its name, and that of its account. */
export function readWorkerUrl(address: string | null): { name: string; subdomain: string } | null {
  const [, name, subdomain] = /^https:\/\/([\w-]+)\.([\w-]+)\.workers\.dev\//.exec(address ?? "") ?? [];
  return name === undefined || subdomain === undefined ? null : { name, subdomain };
}

/** The address that Cloudflare gives a Worker. */
export const workerUrl = (name: string, subdomain: string): string => `https://${name}.${subdomain}.workers.dev`;
