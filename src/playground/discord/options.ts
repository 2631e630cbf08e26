// The options of the local Discord, which tests and the playground may change at any time, and their defaults.

/** The options. */
export interface Options {
  /** How long Discord waits for the first answer to an interaction, in milliseconds. */
  firstAnswerMs: number;
  /** How long token routes answer 10015 after an inline type 4 or 5, in milliseconds (discord/discord-api-docs#7220). */
  webhookRaceMs: number;
  /** How many requests get 10015, regardless of the time. */
  webhookRaceRequests: number;
  /**
   * Parley's own rule: a create or edit with content must carry `allowed_mentions: { parse: [] }`, and only a new message that begins with
   * a mention may name that one person in `users`.
   */
  requireSilentMentions: boolean;
  /** False: the bot reads other people's messages as empty. */
  messageContentIntent: boolean;
  /** False: bot-token routes answer 50001. */
  botIsMember: boolean;
  /** How many requests per route a window allows for each channel or webhook; null: no limits. */
  buckets: { limit: number; windowMs: number } | null;
  /** True: the server forbids external applications, so only the asker sees a reply (USE_EXTERNAL_APPS off). */
  forceEphemeral: boolean;
  /** False: making a webhook answers 50013. */
  botManagesWebhooks: boolean;
  /** False: people refuse direct messages, so posting one answers 50007. */
  directMessagesOpen: boolean;
  /** The ids of the people in the team that owns the application; null: Juno alone owns it. */
  team: readonly string[] | null;
  /** False: creating a message, and typing, answer 50013. */
  botSends: boolean;
  /** False: a reply answers 160002, a reaction 50013, and the list of the channel's messages is empty. */
  botReadsHistory: boolean;
  /** True: the application has an endpoint URL. False: its interactions come over the Gateway. */
  interactionsEndpoint: boolean;
  /** Whether a mention of the application's role lets it read the message. Discord's documentation doesn't say. */
  roleMentionShowsContent: boolean;
  /** Whether a message that shows its content also shows that of the message it replies to. Not documented either. */
  replyShowsReferenced: boolean;
  /** Whether the media proxy gives a Worker the files of ordinary messages, which the CDN refuses. Not documented either. */
  proxyHandsOut: boolean;
}

/** The options of a new local Discord. */
export const DEFAULT_OPTIONS: Options = {
  // Docs: interactions/receiving-and-responding.
  firstAnswerMs: 3000,
  webhookRaceMs: 0,
  webhookRaceRequests: 0,
  requireSilentMentions: true,
  messageContentIntent: false,
  botIsMember: true,
  botManagesWebhooks: true,
  buckets: null,
  forceEphemeral: false,
  directMessagesOpen: true,
  team: null,
  botSends: true,
  botReadsHistory: true,
  interactionsEndpoint: true,
  roleMentionShowsContent: false,
  replyShowsReferenced: false,
  proxyHandsOut: false,
};
