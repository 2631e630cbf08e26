// Which words describe which command: English for all of them, other languages by Discord's locale.
import { commandDescriptions } from "../../core/copy/commands.ts";
import { germanCommands } from "../../core/copy/commands-de.ts";
import type { DescribedPathsOf } from "./command-shapes.ts";
import type { commands, MessageCommand } from "./commands.ts";

/** The words of one command, subcommand or option in another language. */
export interface Words {
  name?: string;
  description?: string;
}

type DescribedPath = DescribedPathsOf<typeof commands>;

/** The English description of each path; a command or option without one does not compile. */
export const descriptions: Readonly<Record<DescribedPath, string>> = commandDescriptions;

/** Discord's locale → path → words. */
export const words: Readonly<Record<string, Readonly<Partial<Record<DescribedPath | MessageCommand, Words>>>>> = {
  de: germanCommands,
};
