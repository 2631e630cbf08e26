// The names and descriptions of the commands in other languages. Discord shows the English default for anything that is missing here: a whole
// path, or one field of an entry.
import { commandDescriptions } from "../../core/copy/commands.ts";
import { germanCommands } from "../../core/copy/commands-de.ts";
import type { DescribedPathsOf } from "./command-shapes.ts";
import type { commands, MessageCommand } from "./commands.ts";

/**
 * The words of one command, subcommand or option. A name is lower case, without spaces and at most 32 characters long (Discord).
 */
export interface Words {
  name?: string;
  description?: string;
}

type DescribedPath = DescribedPathsOf<typeof commands>;

/** The English description of each path; a command or option without one does not compile. */
export const descriptions: Readonly<Record<DescribedPath, string>> = commandDescriptions;

/** The words by Discord's locale and by path. */
export const words: Readonly<Record<string, Readonly<Partial<Record<DescribedPath | MessageCommand, Words>>>>> = {
  de: germanCommands,
};
