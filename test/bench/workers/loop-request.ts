// The request of the turn that both the product's loop and the floor's loop run.
import type { TurnRequest } from "../../../src/core/state/record.ts";

/** The same for both. */
export const request: TurnRequest = {
  interactionId: "1",
  token: "token",
  applicationId: "1",
  receivedAt: 0,
  channelId: "c",
  guildId: null,
  userId: "7",
  userName: "Theo",
  moderator: false,
  locale: "en-US",
  text: "go",
};
