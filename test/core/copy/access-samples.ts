// Values to call the sentences about access with.
import type { AccessRefusal } from "../../../src/core/access/judge.ts";

const USER = "1180000000000000022";
const AT = 1_900_000_000_000;
const one = (values: readonly unknown[]): [unknown][] => values.map((value) => [value]);

/** Why a person may not use the bot. */
const accessRefusals: {
  [Reason in AccessRefusal["reason"]]: readonly Extract<AccessRefusal, { reason: Reason }>[];
} = {
  paused: [{ reason: "paused" }],
  blocked: [{ reason: "blocked" }],
  server_denied: [{ reason: "server_denied", because: "Ask me in the help forum." }],
  private_server: [{ reason: "private_server" }],
  private_visitor: [{ reason: "private_visitor" }],
  no_owner: [{ reason: "no_owner" }],
  unchecked: [{ reason: "unchecked" }],
  limit_unchecked: [{ reason: "limit_unchecked" }],
};

/** By the name of the sentence. */
export const accessSamples = {
  "access.accessText": one(Object.values(accessRefusals).flat()),
  "access.ownerText.notAnId": one(["server", "user"]),
  "access.ownerText.allowed": one(["123456789012345678"]),
  "access.ownerText.denied": [["123456789012345678", "Not for this server."]],
  "access.ownerText.blocked": one([USER]),
  "access.ownerText.unblocked": one([USER]),
  "access.ownerText.full": one([1000]),
  "owner-report.serversText": one([
    { servers: [], blocked: [], isPaused: true },
    {
      servers: [
        ...[null, "Not for this server."].map((denied) => ({
          guildId: "123456789012345678",
          since: AT,
          isClaimed: true,
          denied,
        })),
        ...Array.from({ length: 26 }, () => ({ guildId: "1", since: AT, isClaimed: false, denied: null })),
      ],
      blocked: [USER],
      isPaused: false,
    },
  ]),
};
