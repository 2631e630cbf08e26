// The events that are forwarded to channels, with their keys and places. Pure.
import type { EditedMessage, GatewayMessage } from "./message.ts";
import { madeAt } from "./snowflake.ts";
import { LATE_MS, NEVER_LATE_MS } from "./timings.ts";

/** What a channel's object gets. Events may be repeated; it recognizes a question by its message's id. */
export type ForwardedEvent =
  | { kind: "asked"; message: GatewayMessage }
  | { kind: "edited"; edit: EditedMessage }
  | { kind: "deleted"; messageId: string; channelId: string };

/** Returns the key of an event, which is the same in each life and each replay. */
export function keyOf(event: ForwardedEvent): string {
  return `${event.kind}:${messageOf(event)}${event.kind === "edited" ? `:${event.edit.editedAt}` : ""}`;
}

/** Returns the id of the message that an event is about. */
export function messageOf(event: ForwardedEvent): string {
  return event.kind === "asked" ? event.message.id : (event.kind === "edited" ? event.edit : event).messageId;
}

/** Returns the id of the channel that gets an event. */
export function channelOf(event: ForwardedEvent): string {
  return (event.kind === "asked" ? event.message : event.kind === "edited" ? event.edit : event).channelId;
}

/** Returns the server of a question; empty for other events, and outside servers. */
export function guildOf(event: ForwardedEvent): string {
  return event.kind === "asked" && "guildId" in event.message.place ? event.message.place.guildId : "";
}

/** Whether the question with this message's id comes long after it was asked. `now` in epoch milliseconds. */
export function isLate(id: string, now: number): boolean {
  const ageMs = now - madeAt(id);
  return ageMs >= LATE_MS && ageMs < NEVER_LATE_MS;
}
