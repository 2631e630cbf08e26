// The words of a message and what comes with them, in Discord's JSON (docs: resources/message).
import { array, looseObject, nullish, number, optional, type output, string, catch as withFallback } from "zod/mini";
import { once } from "../core/once.ts";
import type { Asides } from "../core/transcript/asides.ts";

const maybe = once(() => nullish(string()));
/** The fields with a file's name. */
export const nameJson = once(() => ({ filename: string(), title: maybe() }));

/**
 * Returns the name that the sender gave a file. Where Discord replaced it (by `Ubersicht.csv`, or a random one), `title` has the original
 * without its extension. From a Mac each accent is a separate character, which no model would write, so the title is normalized.
 */
export const givenName = ({ filename, title }: { filename: string; title?: string | null | undefined }): string =>
  title ? title.normalize() + (/\.[^.]*$/.exec(filename)?.[0] ?? "") : filename;

const embed = once(() =>
  looseObject({
    ...{ type: maybe(), title: maybe(), description: maybe() },
    fields: optional(array(looseObject({ name: maybe(), value: maybe() }))),
  }),
);
const content = once(() => ({
  content: maybe(),
  attachments: optional(array(looseObject({ ...nameJson(), content_type: maybe(), size: optional(number()) }))),
  embeds: optional(array(embed())),
}));

const words = once(() => looseObject({ text: maybe() }));
const results = once(() => looseObject({ answer_counts: array(looseObject({ id: number(), count: number() })) }));

/** The fields with stickers and polls. One in an unknown form counts as missing, so that the person's words aren't lost with it. */
export const extrasShape = once(() => ({
  sticker_items: withFallback(optional(array(looseObject({ name: string() }))), undefined),
  poll: withFallback(
    nullish(
      looseObject({
        question: words(),
        answers: optional(array(looseObject({ answer_id: optional(number()), poll_media: words() }))),
        results: withFallback(nullish(results()), undefined),
      }),
    ),
    undefined,
  ),
}));
type Extras = output<ReturnType<typeof looseObject<ReturnType<typeof extrasShape>>>>;

/** The fields with the words of a message and everything that comes with them. */
export const asidesShape = once(() => ({
  ...content(),
  ...extrasShape(),
  message_snapshots: optional(array(looseObject({ message: looseObject(content()) }))),
}));
type AsidesJson = output<ReturnType<typeof looseObject<ReturnType<typeof asidesShape>>>>;

const TEXT_DISPLAY = 10;
/** A text may be in a section of a container (docs: components/reference). */
const NESTING = 3;

/** Returns the words of a message. One that consists of components has no content, but may have texts among them. */
export const wordsIn = ({
  content,
  components,
}: {
  content?: string | null | undefined;
  components?: unknown;
}): string => content || textsIn(components, NESTING).join("\n");

/** Returns the texts among components; a component in an unknown form has none. */
function textsIn(components: unknown, levels: number): string[] {
  if (!Array.isArray(components) || levels === 0) return [];
  return components.flatMap((one: { type?: unknown; content?: unknown; components?: unknown } | null) =>
    one?.type === TEXT_DISPLAY && typeof one.content === "string"
      ? [one.content]
      : textsIn(one?.components, levels - 1),
  );
}

/** Reads the stickers and the poll of a message. */
export const readExtras = ({ sticker_items: stickers = [], poll }: Extras): Asides => ({
  ...(stickers.length > 0 && { stickers: stickers.map(({ name }) => name.toWellFormed()) }),
  ...(poll && { poll: pollWords(poll).toWellFormed() }),
});

/** Returns a poll's question and answers, with the votes if Discord sent results, which leave out an answer without votes. */
export function pollWords({ question, answers = [], results }: NonNullable<Extras["poll"]>): string {
  const choices = answers.map(({ answer_id: answer, poll_media: { text } }) => {
    const votes = results?.answer_counts.find(({ id }) => id === answer)?.count ?? 0;
    return (text ?? "") + (results ? `: ${votes} votes` : "");
  });
  return (question.text ?? "") + (choices.join("") && ` (${choices.join(" / ")})`);
}

/** Reads everything that comes with a message, or with one that it forwards. Link previews don't count as embeds. */
export function readAsides(json: AsidesJson): Asides {
  const [snapshot] = json.message_snapshots ?? [];
  const both = [json, ...(snapshot ? [snapshot.message] : [])];
  const attachments = both.flatMap(({ attachments = [] }) => attachments);
  const embeds = both.flatMap(({ embeds = [] }) => embeds);
  const files = attachments.map(({ content_type: contentType = null, size = 0, ...name }) => ({
    filename: givenName(name).toWellFormed(),
    contentType,
    size,
  }));
  const rich = embeds.filter(({ type }) => (type ?? "rich") === "rich");
  return {
    ...(files.length > 0 && { files }),
    ...readExtras(json),
    ...(rich.length > 0 && {
      embeds: rich.map(({ title, description }) => (title ?? description ?? "").toWellFormed()),
    }),
    ...(snapshot && { forwarded: wordsIn(snapshot.message).toWellFormed() }),
  };
}
