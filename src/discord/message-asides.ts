// The words of a message and what comes with them, in Discord's JSON (docs: resources/message).
import { array, looseObject, nullish, number, optional, type output, string, catch as withFallback } from "zod/mini";
import { once } from "../core/once.ts";
import type { Asides } from "../core/transcript/asides.ts";

const maybe = once(() => nullish(string()));
/** The name of a file. */
export const nameJson = once(() => ({ filename: string(), title: maybe() }));

/**
 * The name that its sender gave a file. Where Discord has made another of it (`Ubersicht.csv`, or a random one), that is the title, without
 * what the name ends with; from a Mac, with each accent as a character of its own, as no model would write it.
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

/** Stickers and polls. In another form they are as if they were not there: a person's words are not lost with them. */
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

/** Everything. */
export const asidesShape = once(() => ({
  ...content(),
  ...extrasShape(),
  message_snapshots: optional(array(looseObject({ message: looseObject(content()) }))),
}));
type AsidesJson = output<ReturnType<typeof looseObject<ReturnType<typeof asidesShape>>>>;

const TEXT_DISPLAY = 10;
/** A text may be in a section of a container (docs: components/reference). */
const NESTING = 3;

/** The words of a message. One that consists of components has no content, but may have texts among them. */
export const wordsIn = ({
  content,
  components,
}: {
  content?: string | null | undefined;
  components?: unknown;
}): string => content || textsIn(components, NESTING).join("\n");

/** What has another form has no words. */
function textsIn(components: unknown, levels: number): string[] {
  if (!Array.isArray(components) || levels === 0) return [];
  return components.flatMap((one: { type?: unknown; content?: unknown; components?: unknown } | null) =>
    one?.type === TEXT_DISPLAY && typeof one.content === "string"
      ? [one.content]
      : textsIn(one?.components, levels - 1),
  );
}

/** The stickers and the poll of a message. */
export const readExtras = ({ sticker_items: stickers = [], poll }: Extras): Asides => ({
  ...(stickers.length > 0 && { stickers: stickers.map(({ name }) => name.toWellFormed()) }),
  ...(poll && { poll: pollWords(poll).toWellFormed() }),
});

/** What a poll asks, and its answers, with their votes where Discord says these: it has no count for an answer without any. */
export function pollWords({ question, answers = [], results }: NonNullable<Extras["poll"]>): string {
  const choices = answers.map(({ answer_id: answer, poll_media: { text } }) => {
    const votes = results?.answer_counts.find(({ id }) => id === answer)?.count ?? 0;
    return (text ?? "") + (results ? `: ${votes} votes` : "");
  });
  return (question.text ?? "") + (choices.join("") && ` (${choices.join(" / ")})`);
}

/** All that comes with a message, or with one that it forwards. The previews of links are no embeds. */
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
