// What Discord writes of a person, wherever it names one.
import { looseObject, nullish, optional, regex, string } from "zod/mini";
import { once } from "../core/once.ts";

/** One of Discord's ids. */
export const snowflake = once(() => string().check(regex(/^\d{1,20}$/)));

/** What a person is called: the name that they have chosen, else that of their account. */
export const nameOf = ({
  id,
  username,
  global_name,
}: {
  id: string;
  username?: string | undefined;
  global_name?: string | null | undefined;
}): string => global_name ?? username ?? id;

/** Somebody's id and names. */
export const personJson = once(() =>
  looseObject({
    id: snowflake(),
    username: optional(string()),
    global_name: nullish(string()),
  }),
);
