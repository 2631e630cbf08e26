// Our forms as data: their fields, their JSON for Discord, and how a submitted form is read. A form's id is its name here; the id
// of an older version is unknown and gets a polite answer.
import { array, looseObject, optional, type output, string, unknown } from "zod/mini";
import { askLongForm, connectCodeForm } from "../../core/copy/forms.ts";
import { once } from "../../core/once.ts";
import type { Attachment } from "../../core/state/attachments.ts";
import { findAttachment, resolvedAttachments } from "./attachment-json.ts";

type FieldShape =
  | { type: "lines"; label: string; placeholder: string; maxLength: number }
  | { type: "files"; label: string; description: string; max: number };

/** Discord allows at most 4000 characters in a text field of a form. */
const FORM_CODE_POINTS = 4000;
const MAX_FILES = 10;
/** A code has eight characters; the rest is room for blanks. */
const CODE_CODE_POINTS = 20;

/** The forms by id. */
const modals = {
  "ask-long": {
    title: askLongForm.title,
    fields: {
      question: {
        type: "lines",
        label: askLongForm.question,
        placeholder: askLongForm.questionHint,
        maxLength: FORM_CODE_POINTS,
      },
      files: { type: "files", label: askLongForm.files, description: askLongForm.filesHint, max: MAX_FILES },
    },
  },
  "connect-code": {
    title: connectCodeForm.title,
    fields: {
      code: {
        type: "lines",
        label: connectCodeForm.code,
        placeholder: connectCodeForm.codeHint,
        maxLength: CODE_CODE_POINTS,
      },
    },
  },
} as const satisfies Readonly<Record<string, { title: string; fields: Readonly<Record<string, FieldShape>> }>>;

/** The id of a form. */
export type ModalId = keyof typeof modals;

type FieldsOf<Id extends ModalId> = (typeof modals)[Id]["fields"];

/** A submitted form, with the values of its fields. */
export type ModalCall = {
  [Id in ModalId]: {
    id: Id;
    fields: { [Name in keyof FieldsOf<Id>]: FieldsOf<Id>[Name] extends { type: "files" } ? Attachment[] : string };
  };
}[ModalId];

const LABEL = 18;
const TEXT_INPUT = 4;
const PARAGRAPH = 2;
const FILE_UPLOAD = 19;

/** Builds the answer that opens a form (docs: components/reference, "Label", "Text Input", "File Upload"). */
export function modalAnswer(id: ModalId) {
  const { title, fields } = modals[id];
  const components = Object.entries<FieldShape>(fields).map(([name, field]) => ({
    type: LABEL,
    label: field.label,
    ...(field.type === "files" && { description: field.description }),
    component: buildInput(name, field),
  }));
  return { type: 9, data: { custom_id: id, title, components } } as const;
}

const buildInput = (name: string, field: FieldShape) =>
  field.type === "lines"
    ? {
        type: TEXT_INPUT,
        custom_id: name,
        style: PARAGRAPH,
        max_length: field.maxLength,
        required: true,
        placeholder: field.placeholder,
      }
    : { type: FILE_UPLOAD, custom_id: name, min_values: 0, max_values: field.max, required: false };

const inputJson = () =>
  looseObject({
    custom_id: optional(string()),
    value: optional(unknown()),
    values: optional(array(unknown())),
  });

/** The shape of `data` in a submitted form. */
export const modalData = once(() =>
  looseObject({
    custom_id: string(),
    components: optional(array(looseObject({ component: optional(inputJson()) }))),
    resolved: optional(looseObject({ attachments: optional(resolvedAttachments()) })),
  }),
);

/** Reads a submitted form. Null for a form of an older or newer version. A missing field has no value. */
export function readModal({
  custom_id: id,
  components = [],
  resolved,
}: output<ReturnType<typeof modalData>>): ModalCall | null {
  if (!Object.hasOwn(modals, id)) return null;
  const fields = Object.entries<FieldShape>(modals[id as ModalId].fields).map(([name, { type }]) => {
    const input = components.find(({ component }) => component?.custom_id === name)?.component;
    if (type === "lines") return [name, typeof input?.value === "string" ? input.value : ""];
    return [name, (input?.values ?? []).flatMap((fileId) => findAttachment(resolved, fileId) ?? [])];
  });
  return { id, fields: Object.fromEntries(fields) } as ModalCall;
}
