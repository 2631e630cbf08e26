// The life of an interaction's token: 3 s to the first answer, 15 min for everything after, and the window in which an
// inline acknowledgement is not yet known to the token routes. It reads and counts; it applies nothing.
import { type Answer, refuse } from "./errors.ts";
import type { Interaction, World } from "./world.ts";

/** Time to the first answer (docs: interactions/receiving-and-responding). */
export const FIRST_ANSWER_MS = 3_000;
/** Life of the token after the interaction was made. */
export const TOKEN_LIFE_MS = 15 * 60_000;
/** Follow-ups of an application that only the user installed. */
export const MAX_USER_INSTALL_FOLLOWUPS = 5;

/** The interaction whose token may be used now, or the refusal that Discord answers. */
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

/** Marks the first answer. Only inline answers 4 and 5 open the 10015 window: a callback has been processed already. */
export function acknowledge(world: World, interaction: Interaction, type: number, inline: boolean): void {
  interaction.acknowledged = { at: world.now(), type, inline: inline && (type === 4 || type === 5) };
  if (interaction.acknowledged.inline) interaction.refusalsLeft = world.options.webhookRaceRequests;
}

/** True once nobody may answer this interaction for the first time any more. */
export function isTooLate(world: World, interaction: Interaction): boolean {
  if (interaction.acknowledged) return false;
  return interaction.failed || world.now() - interaction.createdAt > FIRST_ANSWER_MS;
}

/** Tells a refusal from the thing that was asked for. */
export function isAnswer<T extends object>(value: T | Answer): value is Answer {
  return "status" in value;
}
