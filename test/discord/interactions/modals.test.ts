// Our forms as Discord gets them.
import { expect, it } from "vitest";
import { askLongForm, connectCodeForm } from "../../../src/core/copy/forms.ts";
import { modalAnswer } from "../../../src/discord/interactions/modals.ts";

it("a form shows a hint in each text field, and next to a field for files", () => {
  const question = { type: 4, custom_id: "question", style: 2, max_length: 4000, required: true };
  const files = { type: 19, custom_id: "files", min_values: 0, max_values: 10, required: false };
  expect(modalAnswer("ask-long").data.components).toEqual([
    { type: 18, label: askLongForm.question, component: { ...question, placeholder: askLongForm.questionHint } },
    { type: 18, label: askLongForm.files, description: askLongForm.filesHint, component: files },
  ]);
});

it("a form of one field has the same parts", () => {
  const code = { type: 4, custom_id: "code", style: 2, max_length: 20, required: true };
  expect(modalAnswer("connect-code")).toMatchObject({ type: 9, data: { custom_id: "connect-code" } });
  expect(modalAnswer("connect-code").data.components).toEqual([
    { type: 18, label: connectCodeForm.code, component: { ...code, placeholder: connectCodeForm.codeHint } },
  ]);
});
