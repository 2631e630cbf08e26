// What a test may tell the local model to say: a queue of steps, each one answer. Owns the vocabulary and nothing that
// plays it. A step is plain JSON, because it also arrives over HTTP.
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
 * One piece of an answer. `reasoning` travels as `delta.reasoning_content`; a `call` whose arguments are an object is
 * sent as its JSON, a string is sent as it is (broken JSON too), in `fragments` pieces (3 when absent); `waitMs` pauses;
 * `hang` stays open and silent until the client leaves; `cut` breaks the stream; `raw` is SSE text sent as it is;
 * `comment` is a keep-alive that carries no progress.
 */
export type Part = Infer<typeof part>;

/**
 * One answer. `finish` defaults to `tool_calls` after a call and else to `stop`; null means no finish reason and no
 * `[DONE]`. `usage` is laid over the estimate. A `status` from 400 on, or a `body`, replaces the stream by a plain
 * response. A step with `when` is kept until the newest user message contains that text.
 */
export type ScriptStep = Infer<typeof step>;

/** The shape of what `POST /local/model/script` carries: a list of steps. Unknown keys are refused by name. */
export const scriptSchema = array(step);
