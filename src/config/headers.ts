// Reads configured headers, for a remote server or a model. Those in their own variable are secrets.
import { catchall, object, regex, string } from "zod/mini";
import { parseJson } from "../core/json.ts";
import { shownName } from "./pasted.ts";

/** Headers by their names. */
export type HeaderTexts = Readonly<Record<string, string>>;

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Makes the schema of headers: names and texts that a request may have. A wrong name is not shown, because it may be a whole header. */
export const headerTexts = () =>
  catchall(object({}), string().check(regex(/^[\x20-\x7e]*$/))).check(({ value, issues }) => {
    for (const name of Object.keys(value)) if (!NAME.test(name)) issues.push({ code: "custom", input: name });
  });

/** Reads the headers in the variable that a field names, a JSON object; none without a name. `place` is the field, for a problem. */
export function readNamedHeaders(
  name: string | undefined,
  place: string,
  variable: (name: string) => unknown,
  problems: string[],
): Record<string, string> {
  if (name === undefined) return {};
  const value = variable(name);
  const parsed = headerTexts().safeParse(typeof value === "string" ? parseJson(value) : null);
  if (parsed.success) return parsed.data;
  problems.push(`${shownName(name, place)} is not a JSON object of header values`);
  return {};
}

/** Returns the parts of secret headers that no tool's result may show: their values, without the scheme before a token. */
export const headerSecrets = (headers: HeaderTexts): string[] =>
  Object.values(headers).map((value) => value.replace(/^(?:bearer|basic|token) +/i, ""));

/** Returns headers, or parameters of an address, whose names suggest that they are secret although they are not in their own variable. */
export const likelySecrets = (headers: HeaderTexts): HeaderTexts =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie/i.test(name)));
