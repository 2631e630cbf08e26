// What a test can script for the local model: a queue of steps, one per answer. Defines the vocabulary and plays nothing. A step is plain
// JSON, because it may also arrive over HTTP.
import {
  array,
  exactOptional,
  type infer as Infer,
  int,
  literal,
  looseObject,
  nullable,
  enum as oneOf,
  record,
  strictObject,
  string,
  union,
  unknown,
} from "zod";

const pause = int().nonnegative().max(3_600_000);

const part = union([
  strictObject({ text: string() }),
  strictObject({ reasoning: string() }),
  strictObject({
    call: strictObject({
      id: exactOptional(string()),
      name: string(),
      arguments: union([string(), looseObject({})]),
      fragments: exactOptional(int().positive()),
    }),
  }),
  strictObject({ waitMs: pause }),
  strictObject({ hang: literal(true) }),
  strictObject({ cut: literal(true) }),
  strictObject({ raw: string() }),
  strictObject({ comment: literal(true) }),
]);

const step = strictObject({
  chunks: exactOptional(array(part)),
  finish: exactOptional(nullable(oneOf(["stop", "tool_calls", "length", "content_filter"]))),
  usage: exactOptional(record(string(), unknown())),
  status: exactOptional(int().min(200).max(599)),
  headers: exactOptional(record(string(), string())),
  body: exactOptional(unknown()),
  when: exactOptional(strictObject({ userTextIncludes: exactOptional(string()) })),
});

/**
 * One piece of an answer. `reasoning` is sent as `delta.reasoning_content`. The arguments of a `call` are sent in `fragments` pieces (3 by
 * default): an object as its JSON, a string as it is (even broken JSON). `waitMs` pauses. `hang` stays open and sends nothing until the client
 * leaves. `cut` breaks the stream. `raw` is SSE text, sent as it is. `comment` is a keep-alive without progress.
 */
export type Part = Infer<typeof part>;

/**
 * One answer. `finish` defaults to `tool_calls` after a call and otherwise to `stop`; null means no finish reason and no `[DONE]`. `usage`
 * overrides the estimate. A `status` of 400 or more, or a `body`, replaces the stream with a plain response. A step with `when` waits for a
 * request whose newest user message contains that text.
 */
export type ScriptStep = Infer<typeof step>;

/** The body of `POST /local/model/script`: a list of steps. Unknown keys are refused by name. */
export const scriptSchema = array(step);
