// A person in Discord's JSON, wherever it names one.
import { looseObject, nullish, optional, regex, string } from "zod/mini";
import { once } from "../core/once.ts";

/** The shape of a Discord id. */
export const snowflake = once(() => string().check(regex(/^\d{1,20}$/)));

/** Returns a person's name: the one that they have chosen, else that of their account, else the id. */
export const nameOf = ({
  id,
  username,
  global_name,
}: {
  id: string;
  username?: string | undefined;
  global_name?: string | null | undefined;
}): string => global_name ?? username ?? id;

/** The shape of a person's id and names. */
export const personJson = once(() =>
  looseObject({
    id: snowflake(),
    username: optional(string()),
    global_name: nullish(string()),
  }),
);
