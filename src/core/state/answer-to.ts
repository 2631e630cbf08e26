// The setting `answer_to`: which messages of a channel are questions to us. Type only; src/gateway has the rules.

/** `thread` also includes everything said in a thread in which we were asked. */
export type AnswerTo = "mention" | "mention_and_reply" | "thread" | "off";
