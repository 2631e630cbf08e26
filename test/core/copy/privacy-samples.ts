// Sample arguments for the sentences about what is stored about people.

/** Keyed by the name of the sentence. */
export const privacySamples: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  "own-facts.rememberedText": [
    [{ op: "remembered", number: 3 }, "server"],
    [{ op: "remembered", number: 1 }, "outside"],
    [{ op: "full", limit: 20 }, "server"],
    [{ op: "full", limit: 1000, of: "people" }, "server"],
    [{ op: "full", limit: 1000, of: "people" }, "outside"],
    [{ op: "empty" }, "server"],
  ],
  "counts.counted": [
    [1, "message"],
    [2, "memory", "memories"],
  ],
  "privacy.keptText": [
    [
      {
        questions: 4,
        messages: 9,
        memories: 2,
        reminders: 1,
        keepDays: 30,
        summary: { messages: 24, at: 1_900_000_000_000 },
      },
      { op: "about", otherChannels: 1, isLeftOut: false, facts: [{ number: 3, text: "Call me Theo.", at: 0 }] },
      { reach: "server", modelHosts: ["api.openai.com", "Cloudflare Workers AI"] },
    ],
    [
      { questions: 1, messages: 1, memories: 1, reminders: 0, keepDays: 1, summary: null },
      {
        op: "about",
        otherChannels: 0,
        isLeftOut: true,
        facts: Array.from({ length: 7 }, (_, n) => ({ number: n + 1, text: `I like tea number ${n + 1}.`, at: 0 })),
      },
      { reach: "outside", modelHosts: ["api.openai.com"] },
    ],
    [
      { questions: 0, messages: 0, memories: 0, reminders: 0, keepDays: 30 },
      null,
      { reach: "server", modelHosts: ["api.openai.com"] },
    ],
  ],
  "privacy.exportText": [
    [3, 0],
    [1, 1],
    [0, 2],
  ],
  "privacy.leftOutText": [
    [{ op: "left_out", isLeftOut: true }, "server"],
    [{ op: "left_out", isLeftOut: false }, "outside"],
    [{ op: "full", limit: 1000 }, "server"],
  ],
  "privacy.summaryNote": [[true], [false]],
  "privacy.forgetQuestion": [["server"], ["outside"]],
  "privacy.forgottenText": [
    [{ messages: 4, memories: 1, reminders: 0 }, { channels: 1, left: 0 }, "server"],
    [{ messages: 0, memories: 0, reminders: 1 }, { channels: 20, left: 1 }, "server"],
    [{ messages: 4, memories: 1, reminders: 0 }, { channels: 0, left: 2 }, "outside"],
    [{ messages: 4, memories: 1, reminders: 0 }, null, "server"],
    [{ messages: 4, memories: 1, reminders: 0 }, null, "outside"],
  ],
};
