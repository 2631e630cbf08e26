// Headers that are configured: for a remote server or a model. Those of a variable of their own are secrets.
import { catchall, object, regex, string } from "zod/mini";
import { parseJson } from "../core/json.ts";
import { shownName } from "./pasted.ts";

/** Headers by their names. */
export type HeaderTexts = Readonly<Record<string, string>>;

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** The schema of headers: names and texts that a request may have. A wrong name is not shown: it may be a whole header. */
export const headerTexts = () =>
  catchall(object({}), string().check(regex(/^[\x20-\x7e]*$/))).check(({ value, issues }) => {
    for (const name of Object.keys(value)) if (!NAME.test(name)) issues.push({ code: "custom", input: name });
  });

/** The headers in the variable that a field names, a JSON object; none without a name. `place` is the field, for a problem. */
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
  problems.push(`${shownName(name, place)} is not a JSON object of header texts`);
  return {};
}

/** What no tool's result may show of secret headers: their values, without the scheme before a token. */
export const headerSecrets = (headers: HeaderTexts): string[] =>
  Object.values(headers).map((value) => value.replace(/^(?:bearer|basic|token) +/i, ""));

/** The headers, or parameters of an address, whose names say that they are secret, although they are not in a variable of their own. */
export const likelySecrets = (headers: HeaderTexts): HeaderTexts =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie/i.test(name)));
