// The life of an interaction's token: the time until the first answer, 15 min for everything else, and the time during which token routes do
// not yet know an inline acknowledgement. Reads and counts; applies nothing.
import { type Answer, refuse } from "./errors.ts";
import type { Interaction, World } from "./world.ts";

/** The life of the token, counted from the interaction's creation. */
const TOKEN_LIFE_MS = 15 * 60_000;
/** How many follow-ups an application may send if only the user installed it. */
export const MAX_USER_INSTALL_FOLLOWUPS = 5;

/** Returns the interaction of a valid token, or Discord's refusal. */
export function liveInteraction(world: World, applicationId: string, token: string): Interaction | Answer {
  const interaction = [...world.interactions.values()].find((one) => one.token === token);
  if (!interaction || applicationId !== world.applicationId) return refuse("unknownWebhook");
  const { acknowledged } = interaction;
  if (!acknowledged) return refuse("unknownWebhook");
  if (world.now() - interaction.createdAt > TOKEN_LIFE_MS) return refuse("invalidToken");
  if (acknowledged.inline && world.now() < acknowledged.at + world.options.webhookRaceMs)
    return refuse("unknownWebhook");
  if (interaction.refusalsLeft > 0) {
    interaction.refusalsLeft -= 1;
    return refuse("unknownWebhook");
  }
  return interaction;
}

/** Whether only a person, and not the server, installed the application where it was used. */
export const isUserInstallOnly = ({ owners }: Interaction): boolean => owners[0] === undefined;

/** Records the first answer. Only inline answers of type 4 and 5 open the 10015 window, because a callback has already been processed. */
export function acknowledge(world: World, interaction: Interaction, type: number, inline: boolean): void {
  interaction.acknowledged = { at: world.now(), type, inline: inline && (type === 4 || type === 5) };
  if (interaction.acknowledged.inline) interaction.refusalsLeft = world.options.webhookRaceRequests;
  interaction.onOutcome();
}

/** Whether the time for a first answer is over. */
export function isTooLate(world: World, interaction: Interaction): boolean {
  if (interaction.acknowledged) return false;
  return interaction.failed || world.now() - interaction.createdAt > world.options.firstAnswerMs;
}

/** Whether the value is an answer, usually a refusal, and not the thing that was asked for. */
export function isAnswer<T extends object>(value: T | Answer): value is Answer {
  return "status" in value;
}
