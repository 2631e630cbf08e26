// Tool: posts a poll.
import {
  array,
  boolean,
  describe,
  int,
  maximum,
  maxLength,
  minimum,
  minLength,
  object,
  optional,
  string,
  trim,
} from "zod/mini";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

/** Discord's limits for a poll (docs: resources/poll). */
const QUESTION_CHARS = 300;
const ANSWER_CHARS = 55;
const MAX_ANSWERS = 10;
const MAX_HOURS = 768;
const USUAL_HOURS = 24;

/** Posts the poll once; must not run twice. The poll is the answer, so the turn ends with it. */
export const createPoll = defineTool({
  name: "create_poll",
  description:
    "Posts a poll in this channel. People can vote until it closes. Use it when somebody wants a vote. Say what you have to say before you call it: the poll ends your turn.",
  input: object({
    question: string().check(trim(), minLength(1), maxLength(QUESTION_CHARS), describe("The question.")),
    answers: array(string().check(trim(), minLength(1), maxLength(ANSWER_CHARS))).check(
      minLength(2),
      maxLength(MAX_ANSWERS),
      describe("The options, each a few words."),
    ),
    hours: optional(
      int().check(minimum(1), maximum(MAX_HOURS), describe(`How long it is open; ${USUAL_HOURS} if omitted.`)),
    ),
    multiple: optional(boolean().check(describe("Whether people may choose several answers; false if omitted."))),
  }),
  category: "terminal",
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  triggers: triggers.create_poll,
  requires: { services: ["actions"], permissions: ["SEND_POLLS"] },
  async execute({ question, answers, hours = USUAL_HOURS, multiple = false }, { actions, turnId, signal }) {
    const poll = { question, answers, hours, mayChooseSeveral: multiple };
    // Differs from the reply's own nonces: its parts have numbers, the ping at its end has `p`, its thoughts have `t`.
    const posted = await actions.createPoll(poll, `${turnId}-v`, signal);
    return posted.ok ? { ok: true, data: { message: posted.value, responseDelivered: true } } : posted;
  },
});
